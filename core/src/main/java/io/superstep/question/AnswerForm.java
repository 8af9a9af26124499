package io.superstep.question;

import io.superstep.error.DidYouMean;
import io.superstep.value.NumberBounds;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an answer has to look like, as plain data: it can be stored with its question, and shown by
 * whoever asks a person, without knowing a class.
 */
public sealed interface AnswerForm {

  /**
   * {@code answer} as it is kept: {@link PlainData} in the one form that means the same.
   *
   * @param at where in the answer it stands, in words
   * @throws Misfit if it does not fit
   */
  @Nullable
  Object accept(@Nullable Object answer, String at) throws Misfit;

  /** Returns the required form as a noun phrase, such as "a text". */
  String wanted();

  /** Yes or no. */
  record YesNo() implements AnswerForm {

    @Override
    public Object accept(@Nullable Object answer, String at) throws Misfit {
      if (answer instanceof Boolean) {
        return answer;
      }
      throw new Misfit(at, this, answer);
    }

    @Override
    public String wanted() {
      return "a boolean (true or false)";
    }
  }

  /** Any text, be it empty. */
  record Text() implements AnswerForm {

    @Override
    public Object accept(@Nullable Object answer, String at) throws Misfit {
      if (answer instanceof String) {
        return answer;
      }
      throw new Misfit(at, this, answer);
    }

    @Override
    public String wanted() {
      return "a text";
    }
  }

  /** A whole number, both ends included; kept as a long. */
  record WholeNumber(long least, long most) implements AnswerForm {

    @Override
    public Object accept(@Nullable Object answer, String at) throws Misfit {
      if (answer instanceof Number number) {
        try {
          long value = decimal(number).longValueExact();
          if (value >= least && value <= most) {
            return value;
          }
        } catch (ArithmeticException | NumberFormatException fraction) {
          throw new Misfit(at, this, answer);
        }
      }
      throw new Misfit(at, this, answer);
    }

    @Override
    public String wanted() {
      return "a whole number from " + least + " to " + most;
    }
  }

  /** Any number; kept as a decimal. */
  record Decimal() implements AnswerForm {

    @Override
    public Object accept(@Nullable Object answer, String at) throws Misfit {
      if (answer instanceof Number number) {
        try {
          return decimal(number);
        } catch (ArithmeticException | NumberFormatException infinite) {
          throw new Misfit(at, this, answer);
        }
      }
      throw new Misfit(at, this, answer);
    }

    @Override
    public String wanted() {
      return "a number";
    }
  }

  /** One of several texts. */
  record OneOf(List<String> options) implements AnswerForm {

    public OneOf {
      options = distinct(options);
    }

    @Override
    public Object accept(@Nullable Object answer, String at) throws Misfit {
      if (answer instanceof String option && options.contains(option)) {
        return option;
      }
      throw new Misfit(at, this, answer);
    }

    @Override
    public String wanted() {
      return "one of " + options;
    }
  }

  /** Some of several texts, in their order, or none. */
  record SomeOf(List<String> options) implements AnswerForm {

    public SomeOf {
      options = distinct(options);
    }

    @Override
    public Object accept(@Nullable Object answer, String at) throws Misfit {
      if (answer instanceof List<?> chosen && chosen.stream().allMatch(this::isOption)) {
        return options.stream().filter(chosen::contains).toList();
      }
      throw new Misfit(at, this, answer);
    }

    /** Not by {@code options.contains} alone, which throws for null. */
    private boolean isOption(@Nullable Object choice) {
      return choice instanceof String option && options.contains(option);
    }

    @Override
    public String wanted() {
      return "a list of some of " + options;
    }
  }

  /** Any number of things of one form. */
  record ListOf(AnswerForm element) implements AnswerForm {

    @Override
    public Object accept(@Nullable Object answer, String at) throws Misfit {
      if (!(answer instanceof List<?> list)) {
        throw new Misfit(at, this, answer);
      }
      List<@Nullable Object> accepted = new ArrayList<>(list.size());
      for (Object each : list) {
        accepted.add(element.accept(each, at + "[" + accepted.size() + "]"));
      }
      return Collections.unmodifiableList(accepted);
    }

    @Override
    public String wanted() {
      return "a list with elements that are each " + element.wanted();
    }
  }

  /** Several things by name. Those that may be left out are of a form that allows for nothing. */
  record Fields(Map<String, AnswerForm> byName) implements AnswerForm {

    public Fields {
      byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
    }

    @Override
    public Object accept(@Nullable Object answer, String at) throws Misfit {
      if (!(answer instanceof Map<?, ?> map)) {
        throw new Misfit(at, this, answer);
      }
      for (Object name : map.keySet()) {
        if (!byName.containsKey(name)) {
          throw new Misfit(at, unknown(String.valueOf(name)));
        }
      }
      Map<String, @Nullable Object> accepted = new LinkedHashMap<>();
      for (Map.Entry<String, AnswerForm> field : byName.entrySet()) {
        String name = field.getKey();
        accepted.put(name, field.getValue().accept(map.get(name), at + "." + name));
      }
      return Collections.unmodifiableMap(accepted);
    }

    private String unknown(String name) {
      return "has no field '" + name + "'"
          + DidYouMean.among(byName.keySet(), name)
              .map(meant -> "; did you mean '" + meant + "'?")
              .orElse("; its fields are " + byName.keySet());
    }

    @Override
    public String wanted() {
      return "an object with " + byName.keySet();
    }
  }

  /** Something of another form, or nothing at all: null. */
  record OrNothing(AnswerForm form) implements AnswerForm {

    @Override
    public @Nullable Object accept(@Nullable Object answer, String at) throws Misfit {
      return answer == null ? null : form.accept(answer, at);
    }

    @Override
    public String wanted() {
      return form.wanted() + ", or null";
    }
  }

  /** Any plain data, be it null. */
  record Anything() implements AnswerForm {

    @Override
    public @Nullable Object accept(@Nullable Object answer, String at) throws Misfit {
      return answer;
    }

    @Override
    public String wanted() {
      return "anything";
    }
  }

  /** @throws ArithmeticException if the digits or the scale of {@code number} are out of bounds */
  private static BigDecimal decimal(Number number) {
    if (!NumberBounds.contain(number)) {
      throw new ArithmeticException("out of bounds");
    }
    return number instanceof BigDecimal decimal ? decimal : new BigDecimal(number.toString());
  }

  private static List<String> distinct(List<String> options) {
    Set<String> distinct = new LinkedHashSet<>(options);
    if (options.isEmpty() || distinct.size() < options.size()) {
      throw new IllegalArgumentException(
          "A choice requires at least one option, each of them once, and has " + options + ".");
    }
    return List.copyOf(options);
  }

  /** An answer is not of a form; told without its value, which may be private. */
  final class Misfit extends Exception {

    private static final long serialVersionUID = 1L;

    private final String at;

    private Misfit(String at, String what) {
      super(what, null, false, false);
      this.at = at;
    }

    private Misfit(String at, AnswerForm form, @Nullable Object answer) {
      this(
          at,
          (answer == null ? "is missing" : "is " + kind(answer)) + "; " + form.wanted()
              + " is required");
    }

    private static String kind(Object answer) {
      if (answer instanceof String) {
        return "a text";
      }
      if (answer instanceof Boolean) {
        return "a boolean";
      }
      if (answer instanceof Number) {
        return "a number";
      }
      if (answer instanceof List<?>) {
        return "a list";
      }
      return answer instanceof Map<?, ?>
          ? "an object"
          : "a " + answer.getClass().getSimpleName();
    }

    /** Returns what is wrong, and where in the answer. */
    String what() {
      return place() + " " + getMessage() + (String.valueOf(getMessage()).endsWith("?") ? "" : ".");
    }

    private String place() {
      if (at.isEmpty()) {
        return "The answer";
      }
      return at.startsWith(".")
          ? "Field '" + at.substring(1) + "' of the answer"
          : "Element " + at + " of the answer";
    }
  }
}
