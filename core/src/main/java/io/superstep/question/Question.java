package io.superstep.question;

import io.superstep.question.AnswerForm.Anything;
import io.superstep.question.AnswerForm.OneOf;
import io.superstep.question.AnswerForm.OrNothing;
import io.superstep.question.AnswerForm.SomeOf;
import io.superstep.question.Prompt.Deadline;
import io.superstep.value.TypeRef;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Something that a node asks a person, or whoever else is outside the graph, and what counts as an
 * answer. Immutable.
 *
 * <p>Without options nothing is shown but the text, null is no answer, and it may take for ever.
 *
 * @param <T> what the node gets
 */
public final class Question<T> {

  private final Prompt prompt;
  private final Function<Object, ? extends T> reader;
  private final Set<String> nodes;

  private Question(Prompt prompt, Function<Object, ? extends T> reader, Set<String> nodes) {
    this.prompt = prompt;
    this.reader = reader;
    this.nodes = nodes;
  }

  private static <T> Question<T> of(String text, AnswerForm form, Type type) {
    return of(text, form, readerOf(type));
  }

  @SuppressWarnings("unchecked") // the form is that of the type
  private static <T> Function<Object, T> readerOf(Type type) {
    return answer -> (T) Objects.requireNonNull(AnswerType.read(answer, type));
  }

  /** May it be so? */
  public static Question<Boolean> yesNo(String text) {
    return of(text, Boolean.class);
  }

  /** What does somebody have to say? An empty text is an answer. */
  public static Question<String> text(String text) {
    return of(text, String.class);
  }

  /** How many? */
  public static Question<Long> wholeNumber(String text) {
    return of(text, Long.class);
  }

  /** How much? */
  public static Question<BigDecimal> decimal(String text) {
    return of(text, BigDecimal.class);
  }

  /** Which one? */
  public static Question<String> oneOf(String text, String... options) {
    return of(text, new OneOf(List.of(options)), String.class);
  }

  /** Which of these, if any? */
  public static Question<List<String>> someOf(String text, String... options) {
    return of(text, new SomeOf(List.of(options)), new TypeRef<List<String>>() {}.type());
  }

  /**
   * Where to? The options are nodes, and are checked when it is asked: the node that asks must have
   * a route or an edge to each of them, or be allowed to go there.
   */
  public static Question<String> nextNode(String text, String... nodes) {
    OneOf form = new OneOf(List.of(nodes));
    return new Question<>(
        new Prompt(text, form, Map.of(), null), readerOf(String.class), Set.copyOf(form.options()));
  }

  /**
   * A question that is answered with a {@code type}: a record, whose components that may be null
   * are marked so, an enum, a text, a number, or a truth value.
   *
   * @throws IllegalArgumentException if no answer can be read as that
   */
  public static <T> Question<T> of(String text, Class<T> type) {
    return of(text, AnswerType.form(type), type);
  }

  /** As {@link #of(String, Class)}, for lists too. */
  public static <T> Question<T> of(String text, TypeRef<T> type) {
    return of(text, AnswerType.form(type.type()), type.type());
  }

  /**
   * A question whose answers have {@code form}, and are read by {@code reader}: for types that this
   * library does not know.
   *
   * @param reader makes of an answer, as it is kept and never null, what the node gets; one that it
   *     refuses with an {@link IllegalArgumentException} is no answer
   */
  public static <T> Question<T> of(
      String text, AnswerForm form, Function<Object, ? extends T> reader) {
    return new Question<>(new Prompt(text, form, Map.of(), null), reader, Set.of());
  }

  /** A question to which any plain data is an answer, null too. */
  public static Question<Object> open(String text) {
    return of(text, new Anything(), Object.class);
  }

  /** The same question, to which null is an answer too. The node gets nothing then. */
  public Question<T> orNothing() {
    return with(
        new Prompt(prompt.text(), new OrNothing(prompt.form()), prompt.shown(), prompt.deadline()));
  }

  /**
   * The same question, to which {@code otherwise} is the answer once {@code time} has passed since
   * it was asked. No clock runs: whoever opens the thread next finds that it is so.
   */
  public Question<T> within(Duration time, @Nullable T otherwise) {
    return with(
        new Prompt(prompt.text(), prompt.form(), prompt.shown(), new Deadline(time, otherwise)));
  }

  /** The same question with something to look at: plain data, and records and enums as such. */
  public Question<T> showing(Map<String, ? extends @Nullable Object> data) {
    @SuppressWarnings("unchecked") // it is copied
    Map<String, @Nullable Object> shown = (Map<String, @Nullable Object>) data;
    return with(new Prompt(prompt.text(), prompt.form(), shown, prompt.deadline()));
  }

  private Question<T> with(Prompt other) {
    return new Question<>(other, reader, nodes);
  }

  /** What is kept and shown of it. */
  public Prompt prompt() {
    return prompt;
  }

  /** The nodes that it offers, if it asks where to go. */
  public Set<String> nodes() {
    return nodes;
  }

  /**
   * {@code answer}, as it was kept, as the node gets it; null if it is null.
   *
   * @param id of this question, for the error
   * @throws InvalidAnswerException if it is not what is asked for now
   */
  public @Nullable T read(String id, @Nullable Object answer) {
    Object accepted = prompt.accept(id, answer);
    try {
      return accepted == null ? null : reader.apply(accepted);
    } catch (IllegalArgumentException refused) {
      throw InvalidAnswerException.refused(id, prompt.form(), refused);
    }
  }
}
