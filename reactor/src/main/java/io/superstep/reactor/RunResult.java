package io.superstep.reactor;

import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.TaskNote.Asked;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.event.GraphEvent.RunInterrupted;
import io.superstep.event.GraphEvent.Terminal;
import io.superstep.state.State;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * How a run ended that did not fail.
 *
 * @param position where it stands, and would go on
 * @param questions that wait for an answer
 */
public record RunResult(Status status, Position position, List<Asked> questions) {

  public RunResult {
    questions = List.copyOf(questions);
  }

  /** Why a run ended. */
  public enum Status {
    /** Nothing is due any more. */
    COMPLETED,
    /** It waits for somebody. */
    INTERRUPTED,
    /** It was asked to stop. */
    STOPPED
  }

  /**
   * How the run ended whose events these are: {@code RunResult.of(thread.resume())}. Nothing
   * happens before subscription; a run that fails ends with its error.
   */
  public static Mono<RunResult> of(Flux<GraphEvent> events) {
    return MonoBoundary.returning(events.last().map(last -> {
      Terminal end = (Terminal) last;
      Status status = end instanceof RunCompleted
          ? Status.COMPLETED
          : end instanceof RunInterrupted ? Status.INTERRUPTED : Status.STOPPED;
      List<Asked> questions =
          end instanceof RunInterrupted waiting ? waiting.questions() : List.of();
      return new RunResult(status, end.position(), questions);
    }));
  }

  public State state() {
    return position.state();
  }

  public boolean isCompleted() {
    return status == Status.COMPLETED;
  }

  /** What a caller gets to see of the state, by name. */
  public Map<String, @Nullable Object> output() {
    return state().schema().output(state());
  }
}
