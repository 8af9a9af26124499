package io.superstep.reactor;

import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.SavedThread;
import io.superstep.question.Answer;
import io.superstep.state.Channel;
import io.superstep.state.Effect;
import io.superstep.state.State;
import io.superstep.state.Update;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the state of a graph says of an approval, and how it is written. */
record ApprovalChannels(
    String node,
    Channel<? extends @Nullable Boolean> awaiting,
    Channel<@Nullable Boolean> approved,
    Channel<? extends @Nullable String> feedback,
    @Nullable Channel<? extends @Nullable Integer> revisions,
    @Nullable Channel<? extends @Nullable String> error,
    @Nullable Channel<?> plan,
    @Nullable Channel<?> report,
    Set<String> editable) {

  static final String REJECTED = "Rejected by user";

  Update awaited() {
    return Update.of(awaiting.name(), true).and(Update.of(approved, null));
  }

  Update decided(boolean yes, String text) {
    return Update.of(awaiting.name(), false)
        .and(Update.of(approved, yes))
        .and(Update.of(feedback.name(), text));
  }

  /** Sets each field to its value, whatever the reducer of its channel does. */
  Update edited(Map<String, ? extends @Nullable Object> fields, String text) {
    List<Update> edits = fields.entrySet().stream()
        .map(field -> Update.overwrite(field.getKey(), field.getValue()))
        .toList();
    return Update.all(edits).and(Update.of(feedback.name(), text));
  }

  /** Whether the node to be approved runs next. */
  boolean isNext(SavedThread saved) {
    return saved.position().nodes().contains(node);
  }

  boolean isAwaiting(State state) {
    return Boolean.TRUE.equals(state.get(awaiting));
  }

  boolean isApproved(State state) {
    return Boolean.TRUE.equals(state.get(approved));
  }

  boolean isDecided(State state) {
    return state.get(approved) != null;
  }

  /** What was decided when {@code checkpoint} was written, if something was, and by whom. */
  Optional<Answer> decision(Checkpoint checkpoint) {
    if (checkpoint.changes().effects().get(approved.name()) instanceof Effect.Replace<?> written
        && written.value() != null) {
      String by = checkpoint.cause().author();
      return Optional.ofNullable(by)
          .map(author -> new Answer(
              node,
              node,
              written.value(),
              author,
              checkpoint.time(),
              checkpoint.id().toString()));
    }
    return Optional.empty();
  }

  Verdict verdict(SavedThread saved, int maxRevisions) {
    State state = saved.position().state();
    if (isAwaiting(state) || (isNext(saved) && !isDecided(state))) {
      return Verdict.no("Awaiting approval");
    }
    if (isDecided(state) && !isApproved(state)) {
      return Verdict.no(Objects.requireNonNullElse(state.get(feedback), REJECTED));
    }
    if (revisions != null && revisionCount(state) >= maxRevisions) {
      return Verdict.no("Maximum revisions (" + maxRevisions + ") reached");
    }
    String failure = failure(state);
    return failure == null ? Verdict.YES : Verdict.no("Error in state: " + failure);
  }

  ApprovalView view(SavedThread saved) {
    State state = saved.position().state();
    Checkpoint at = saved.checkpoint();
    return new ApprovalView(
        at.thread(),
        at.id(),
        isNext(saved) ? node : saved.position().nodes().stream().findFirst().orElse(null),
        at.time(),
        isAwaiting(state),
        revisionCount(state),
        has(state, plan),
        has(state, report),
        failure(state),
        state.schema().output(state));
  }

  private int revisionCount(State state) {
    Integer count = revisions == null ? null : state.get(revisions);
    return count == null ? 0 : count;
  }

  private @Nullable String failure(State state) {
    String text = error == null ? null : state.get(error);
    return text == null || text.isEmpty() ? null : text;
  }

  /** Whether the channel holds something, and not just an empty place for it. */
  private static boolean has(State state, @Nullable Channel<?> channel) {
    Object value = channel == null ? null : state.get(channel);
    if (value instanceof Collection<?> several) {
      return !several.isEmpty();
    }
    if (value instanceof Map<?, ?> map) {
      return !map.isEmpty();
    }
    return value instanceof String text ? !text.isEmpty() : value != null;
  }
}
