package io.superstep.reactor;

import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.StepCommitted;
import io.superstep.event.GraphEvent.TaskChunk;
import io.superstep.event.GraphEvent.TaskUpdated;
import io.superstep.message.Message;
import io.superstep.state.State;
import io.superstep.state.Update;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** The usual ways to look at a stream of events. */
public final class Views {

  private Views() {}

  /** The state after each step of the outermost graph. */
  public static Flux<State> values(Flux<GraphEvent> events) {
    return events
        .ofType(StepCommitted.class)
        .filter(committed -> committed.path().isEmpty())
        .map(StepCommitted::state);
  }

  /** What a caller may see of the state after each step of the outermost graph, by name. */
  public static Flux<Map<String, @Nullable Object>> outputs(Flux<GraphEvent> events) {
    return values(events).map(state -> state.schema().output(state));
  }

  /** The updates of all nodes, as they are emitted. */
  public static Flux<Update> updates(Flux<GraphEvent> events) {
    return events.ofType(TaskUpdated.class).map(TaskUpdated::update);
  }

  /**
   * The messages that steps of the outermost graph wrote, each when it is committed and again when
   * it has changed. The view remembers what it has shown.
   */
  public static Flux<Message> messages(Flux<GraphEvent> events) {
    return Flux.defer(() -> {
      Map<String, Message> shown = new HashMap<>();
      return events
          .ofType(StepCommitted.class)
          .filter(committed -> committed.path().isEmpty())
          .concatMapIterable(committed -> committed.changes().brought(Message.class))
          .filter(
              message -> message.id() == null || !message.equals(shown.put(message.id(), message)));
    });
  }

  /** The contents of all chunks, as they are emitted. */
  public static Flux<Object> chunks(Flux<GraphEvent> events) {
    return events.ofType(TaskChunk.class).map(TaskChunk::content);
  }
}
