package io.superstep.question;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was answered to several questions at once, by key. Immutable. */
public final class Answers {

  private final Map<String, @Nullable Object> byKey;

  public Answers(Map<String, ? extends @Nullable Object> byKey) {
    this.byKey = Collections.unmodifiableMap(new LinkedHashMap<>(byKey));
  }

  /**
   * The answer to the question asked under {@code key}, which was one for a {@code type}; null if
   * that was the answer.
   *
   * @throws IllegalArgumentException if there was no such question, or it was another
   */
  public <T> @Nullable T get(String key, Class<T> type) {
    Object answer = byKey.get(key);
    if (!byKey.containsKey(key) || (answer != null && !type.isInstance(answer))) {
      throw new IllegalArgumentException("No question '" + key + "' with an answer of type "
          + type.getSimpleName() + " was asked; the questions are " + byKey.keySet() + ".");
    }
    return type.cast(answer);
  }

  /** All of them. */
  public Map<String, @Nullable Object> asMap() {
    return byKey;
  }

  @Override
  public String toString() {
    return byKey.keySet().toString();
  }
}
