package io.superstep.testkit;

import io.superstep.checkpoint.Checkpoint.Credit;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Said;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote;
import io.superstep.json.JsonCodec;
import io.superstep.state.Changes;
import io.superstep.state.Channel;
import io.superstep.state.State;
import io.superstep.state.StateSchema;
import io.superstep.state.Update;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JacksonModule;

/** Sends what holds values of a schema to JSON and back, as a store on disk would. */
final class RoundTrip {

  private final JsonCodec codec;

  /** Of what is stored only, so that reading asks for no start of what lives as long as a run. */
  private final JsonCodec states;

  RoundTrip(StateSchema schema, List<JacksonModule> modules) {
    this.codec = codec(schema, modules);
    this.states = codec(
        StateSchema.of(schema.channels().stream()
            .filter(channel -> channel.lifetime().isStored())
            .toArray(Channel<?>[]::new)),
        modules);
  }

  private static JsonCodec codec(StateSchema schema, List<JacksonModule> modules) {
    JsonCodec.Builder codec = JsonCodec.builder(schema);
    modules.forEach(codec::module);
    return codec.build();
  }

  /** @param notes those of the commit, which may be of other schemas */
  Commit of(Commit commit, List<TaskNote> notes) {
    State state = of(commit.position().state());
    return new Commit(
        commit.id(),
        commit.seen(),
        commit.parent(),
        commit.cause(),
        commit.time(),
        commit.fingerprint(),
        of(commit.changes()),
        of(commit.position().with(state)),
        commit.credits().stream()
            .map(credit -> new Credit(of(credit.task()), credit.attempt(), credit.answers()))
            .toList(),
        notes,
        commit.notesSeen(),
        commit.taken(),
        commit.memories());
  }

  /**
   * @param inside of the graph that the task is, if it has taken a step
   * @param around of the graph around that of the task, if there is one
   */
  TaskNote of(TaskNote note, @Nullable RoundTrip inside, @Nullable RoundTrip around) {
    Task task = of(note.task());
    if (note instanceof TaskNote.Ended ended) {
      return new TaskNote.Ended(task, ended.attempt(), of(ended.said(), around));
    }
    if (note instanceof TaskNote.Advanced step && inside != null) {
      return new TaskNote.Advanced(
          task,
          step.attempt(),
          inside.of(step.changes()),
          inside.whole(step.position()),
          of(step.said(), around));
    }
    return note.about(task);
  }

  private Position whole(Position position) {
    return of(position.with(of(position.state())));
  }

  /** What the schema does not know travels along: who kept it knows its form. */
  private State of(State state) {
    StateSchema schema = state.schema();
    State alone = state.strangers().isEmpty() ? state : stored(schema, state, Map.of());
    return stored(schema, states.decode(states.encode(alone)), state.strangers());
  }

  private static State stored(StateSchema schema, State state, Map<String, Object> strangers) {
    Map<String, Object> values = new HashMap<>();
    Map<String, Integer> versions = new HashMap<>();
    for (Channel<?> channel : state.schema().channels()) {
      Object value = state.get(channel.name());
      if (value != null && channel.lifetime().isStored()) {
        values.put(channel.name(), value);
      }
      versions.put(channel.name(), state.version(channel));
    }
    return schema.restoreStored(values, versions, strangers);
  }

  private Position of(Position position) {
    return new Position(
        position.origin(),
        position.step(),
        position.state(),
        dues(position.due()),
        position.deferred(),
        position.arrivals(),
        position.visits(),
        position.pause(),
        position.budget());
  }

  private Changes of(Changes changes) {
    return codec.decodeChanges(codec.encode(changes));
  }

  /** What is sent to the graph around is of its schema. */
  private Said of(Said said, @Nullable RoundTrip around) {
    RoundTrip receiver = said.toParent() ? around : this;
    List<Due> sends = receiver == null ? said.sends() : receiver.dues(said.sends());
    return new Said(of(said.update()), said.goTo(), sends, said.toParent(), said.memories());
  }

  private Task of(Task task) {
    return new Task(
        task.origin(), task.step(), task.index(), task.node(), arguments(task.arguments()));
  }

  private List<Due> dues(List<Due> dues) {
    return dues.stream()
        .map(due -> new Due(due.node(), arguments(due.arguments())))
        .toList();
  }

  private @Nullable Update arguments(@Nullable Update arguments) {
    return arguments == null ? null : of(arguments);
  }

  private Update of(Update update) {
    return codec.decodeUpdate(codec.encode(update));
  }
}
