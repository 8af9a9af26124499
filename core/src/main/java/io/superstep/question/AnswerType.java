package io.superstep.question;

import io.superstep.question.AnswerForm.Fields;
import io.superstep.question.AnswerForm.ListOf;
import io.superstep.question.AnswerForm.OneOf;
import io.superstep.question.AnswerForm.OrNothing;
import io.superstep.question.AnswerForm.Text;
import io.superstep.question.AnswerForm.WholeNumber;
import io.superstep.question.AnswerForm.YesNo;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A Java type that answers can be read as: truth values, numbers, texts, enums, lists, records. */
final class AnswerType {

  private AnswerType() {}

  /** What an answer looks like that can be read as {@code type}. */
  static AnswerForm form(Type type) {
    if (type instanceof ParameterizedType generic && generic.getRawType() == List.class) {
      return new ListOf(form(generic.getActualTypeArguments()[0]));
    }
    if (type instanceof WildcardType wildcard) {
      return form(wildcard.getUpperBounds()[0]); // what Kotlin makes of a List of an enum
    }
    if (!(type instanceof Class<?> raw)) {
      throw unreadable(type);
    }
    if (raw == boolean.class || raw == Boolean.class) {
      return new YesNo();
    }
    if (raw == String.class) {
      return new Text();
    }
    if (raw == int.class || raw == Integer.class) {
      return new WholeNumber(Integer.MIN_VALUE, Integer.MAX_VALUE);
    }
    if (raw == long.class || raw == Long.class) {
      return new WholeNumber(Long.MIN_VALUE, Long.MAX_VALUE);
    }
    if (raw == double.class || raw == Double.class || raw == BigDecimal.class) {
      return new AnswerForm.Decimal();
    }
    if (raw.isEnum()) {
      return new OneOf(Arrays.stream(raw.getEnumConstants())
          .map(constant -> ((Enum<?>) constant).name())
          .toList());
    }
    if (raw.isRecord()) {
      return fields(raw);
    }
    throw unreadable(type);
  }

  private static Fields fields(Class<?> type) {
    Map<String, AnswerForm> fields = new LinkedHashMap<>();
    for (RecordComponent component : type.getRecordComponents()) {
      AnswerForm form = form(component.getGenericType());
      fields.put(component.getName(), mayBeNull(component) ? new OrNothing(form) : form);
    }
    return new Fields(fields);
  }

  private static boolean mayBeNull(RecordComponent component) {
    AnnotatedType type = component.getAnnotatedType();
    return type.isAnnotationPresent(Nullable.class);
  }

  private static IllegalArgumentException unreadable(Type type) {
    return new IllegalArgumentException("Type " + type.getTypeName()
        + " cannot be the type of an answer: use a record, an enum, a text, a number, a boolean or"
        + " a List of these.");
  }

  /** {@code answer}, which has the form of {@code type}, as a value of it. */
  static @Nullable Object read(@Nullable Object answer, Type type) {
    if (answer == null || type == Object.class) {
      return answer;
    }
    if (type instanceof ParameterizedType generic) {
      List<@Nullable Object> list = new ArrayList<>();
      ((List<?>) answer).forEach(each -> list.add(read(each, generic.getActualTypeArguments()[0])));
      return Collections.unmodifiableList(list);
    }
    if (type instanceof WildcardType wildcard) {
      return read(answer, wildcard.getUpperBounds()[0]);
    }
    Class<?> raw = (Class<?>) type;
    if (raw == int.class || raw == Integer.class) {
      return ((Number) answer).intValue();
    }
    if (raw == double.class || raw == Double.class) {
      return ((Number) answer).doubleValue();
    }
    if (raw.isEnum()) {
      return constant(raw, (String) answer);
    }
    return raw.isRecord() ? record(raw, (Map<?, ?>) answer) : answer;
  }

  private static Object constant(Class<?> type, String name) {
    return Arrays.stream(type.getEnumConstants())
        .filter(constant -> ((Enum<?>) constant).name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Object record(Class<?> type, Map<?, ?> answer) {
    RecordComponent[] components = type.getRecordComponents();
    @Nullable Object[] values = new @Nullable Object[components.length];
    Class<?>[] types = new Class<?>[components.length];
    for (int index = 0; index < components.length; index++) {
      RecordComponent component = components[index];
      types[index] = component.getType();
      values[index] = read(answer.get(component.getName()), component.getGenericType());
    }
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (InvocationTargetException refused) {
      throw new IllegalArgumentException(
          "The constructor of " + type.getSimpleName() + " refused the answer.",
          Objects.requireNonNullElse(refused.getCause(), refused));
    } catch (ReflectiveOperationException unreachable) {
      throw new IllegalArgumentException(
          "The constructor of " + type.getSimpleName() + " is not accessible.", unreachable);
    }
  }
}
