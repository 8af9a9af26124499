package io.superstep.question;

import io.superstep.question.AnswerForm.Misfit;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A question as it is kept and shown.
 *
 * @param text what is asked
 * @param form what an answer has to look like
 * @param shown what whoever answers should see, as plain data
 * @param deadline what is answered if nobody does in time; null if it may take for ever
 */
public record Prompt(
    String text,
    AnswerForm form,
    Map<String, @Nullable Object> shown,
    @Nullable Deadline deadline) {

  @SuppressWarnings("unchecked") // plain data of a map is one with texts as keys
  public Prompt {
    Objects.requireNonNull(text, "text");
    shown = (Map<String, @Nullable Object>) Objects.requireNonNull(PlainData.of(shown));
    if (deadline != null) {
      deadline = new Deadline(deadline.within, accepted(form, deadline.otherwise));
    }
  }

  /** The form of an answer and the size of the data, without texts and values. */
  @Override
  public String toString() {
    return "Prompt[" + form.getClass().getSimpleName() + ", shows " + shown.size()
        + (deadline == null ? "" : ", " + deadline) + "]";
  }

  /**
   * Returns whether {@code other} is the same question to a person: it has the same text, the same
   * form of an answer and equal values to show. The deadlines may differ.
   */
  public boolean isSameAs(Prompt other) {
    return text.equals(other.text)
        && form.equals(other.form)
        && PlainData.areEqual(shown, other.shown);
  }

  private static @Nullable Object accepted(AnswerForm form, @Nullable Object otherwise) {
    try {
      return form.accept(PlainData.of(otherwise), "");
    } catch (Misfit misfit) {
      throw new IllegalArgumentException(
          "The answer of a deadline does not fit the question. " + misfit.what(), misfit);
    }
  }

  /**
   * An answer that is given if nobody else does.
   *
   * @param within counted from when it was asked
   */
  public record Deadline(Duration within, @Nullable Object otherwise) {

    public Deadline {
      if (within.isZero() || within.isNegative()) {
        throw new IllegalArgumentException(
            "The duration of a deadline must be positive, and was " + within + ".");
      }
    }

    /** The time, without the answer. */
    @Override
    public String toString() {
      return "Deadline[" + within + "]";
    }
  }

  /**
   * {@code answer} as it is kept.
   *
   * @param question the id of what was asked, for the error
   * @throws InvalidAnswerException if it is not what was asked for
   */
  public @Nullable Object accept(String question, @Nullable Object answer) {
    try {
      return form.accept(PlainData.of(answer), "");
    } catch (Misfit misfit) {
      throw new InvalidAnswerException(question, misfit.what(), form);
    } catch (IllegalArgumentException strange) {
      throw new InvalidAnswerException(question, String.valueOf(strange.getMessage()), form);
    }
  }
}
