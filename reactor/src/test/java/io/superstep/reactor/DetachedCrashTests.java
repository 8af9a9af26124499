package io.superstep.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.TaskNote;
import io.superstep.event.EventLog;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.CheckpointSaved;
import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.event.GraphEvent.RunInterrupted;
import io.superstep.event.GraphEvent.StepCommitted;
import io.superstep.reactor.CrashMatrixTests.Calls;
import io.superstep.reactor.CrashMatrixTests.Sample;
import io.superstep.state.Changes;
import io.superstep.state.Schemas;
import io.superstep.state.State;
import io.superstep.state.Update;
import io.superstep.testkit.EncodingEventLog;
import io.superstep.testkit.FaultyStore;
import io.superstep.testkit.FaultyStore.Fault;
import io.superstep.testkit.MovingClock;
import io.superstep.testkit.StoreAround;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Lets a detached run die at every single call of its store and of its log, has it recovered by a
 * fresh runner, and looks at what a follower gets to see.
 */
class DetachedCrashTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  static List<Sample> samples() {
    return CrashMatrixTests.everything();
  }

  /** What a follower hears of a step. */
  private record Told(int step, Changes changes, State state) {}

  /** A store and a log that outlive their runners. */
  private static final class World {

    private final MovingClock clock = new MovingClock(Instant.EPOCH);
    private final InMemoryCheckpointStore store =
        InMemoryCheckpointStore.builder().clock(clock).build();
    private final EventLog log = new EncodingEventLog(InMemoryEventLog.builder().build());

    GraphRunner runner(Sample sample, CheckpointStore over, EventLog kept) {
      return GraphRunner.builder(sample.made(new Calls()))
          .checkpoints(over)
          .events(kept)
          .clock(clock)
          .build();
    }

    /** Goes on with whatever is left, until all is done. */
    void finish(Sample sample) {
      clock.pass(Hold.LEASE.plusSeconds(1));
      GraphRunner runner = runner(sample, store, log);
      GraphThread thread = runner.thread("t");
      if (thread.state().block(PATIENCE) == null) {
        thread.start(Update.NOTHING).block(PATIENCE);
      } else {
        runner.recover().blockLast(PATIENCE);
      }
      toTheEnd(thread);
    }

    /** Answers what is asked, until all is done. */
    void toTheEnd(GraphThread thread) {
      followed(thread).blockLast(PATIENCE);
    }

    private Flux<GraphEvent> followed(GraphThread thread) {
      return thread
          .attach(0)
          .filter(event -> event.path().isEmpty())
          .concatMap(event -> event instanceof RunInterrupted waiting
              ? goneOn(thread, waiting).thenReturn(event)
              : Mono.just(event))
          .takeUntil(RunCompleted.class::isInstance);
    }

    private Mono<Long> goneOn(GraphThread thread, RunInterrupted waiting) {
      Resume answers = Resume.answers(
          waiting.questions().stream().collect(Collectors.toMap(TaskNote.Asked::id, any -> true)));
      // Not cancelled with whoever waits for it: then Reactor would drop what it fails with.
      return Mono.fromFuture(
          () -> LivingThreadTests.untilNotBusy(thread.start(answers))
              .onErrorComplete()
              .toFuture(),
          true);
    }

    State state(Sample sample) {
      return runner(sample, store, log)
          .thread("t")
          .state()
          .block(PATIENCE)
          .position()
          .state();
    }

    /** What was told of steps that were committed. */
    List<Told> steps() {
      return Flux.from(log.read("t", 0, Schemas.NONE))
          .filter(fact -> fact.path().isEmpty())
          .ofType(StepCommitted.class)
          .map(fact -> new Told(fact.step(), fact.changes(), fact.state()))
          .collectList()
          .block(PATIENCE);
    }

    /**
     * Every number once, every checkpoint announced once, in order, of the steps the same as in an
     * undisturbed run, and deltas that lead to the stored state.
     */
    void assertToldInFull(Sample sample, World calm, String where) {
      List<GraphEvent> facts =
          Flux.from(log.read("t", 0, Schemas.NONE)).collectList().block(PATIENCE);
      assertThat(steps()).as("as if nothing had happened: %s", where).isEqualTo(calm.steps());
      assertThat(facts)
          .as(where)
          .extracting(GraphEvent::sequence)
          .isEqualTo(LongStream.rangeClosed(1, facts.size()).boxed().toList());
      List<Checkpoint> stored = new ArrayList<>(
          runner(sample, store, log).thread("t").history().collectList().block(PATIENCE));
      Collections.reverse(stored);
      List<Checkpoint> steps = stored.stream()
          .filter(checkpoint -> checkpoint.cause().kind() == Cause.Kind.STEP)
          .toList();
      assertThat(facts.stream()
              .filter(fact -> fact instanceof CheckpointSaved)
              .map(fact -> ((CheckpointSaved) fact).checkpoint()))
          .as("checkpoints told: %s", where)
          .containsExactlyElementsOf(stored.stream().map(Checkpoint::id).toList());
      assertThat(facts.stream()
              .filter(fact -> fact instanceof StepCommitted && fact.path().isEmpty())
              .map(GraphEvent::step))
          .as("steps told: %s", where)
          .containsExactlyElementsOf(steps.stream().map(Checkpoint::step).toList());
      State state = state(sample);
      FactFold fold = new FactFold(state.schema().start());
      facts.forEach(fold::add);
      assertThat(fold.values()).as("folded: %s", where).isEqualTo(FactFold.stored(state));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("samples")
  @DisplayName(
      "X.19 X.23 dead at any call of the log, a thread is recovered, and followers miss nothing")
  void deadAtTheLog(Sample sample) {
    World calm = new World();
    FaultyLog counting = new FaultyLog(calm.log);
    GraphThread undisturbed = calm.runner(sample, calm.store, counting).thread("t");
    undisturbed.start(Update.NOTHING).block(PATIENCE);
    calm.toTheEnd(undisturbed);
    State expected = calm.state(sample);
    int deaths = 0;
    for (int at = 0; at < counting.calls(); at++) {
      World world = new World();
      FaultyLog dying = new FaultyLog(world.log);
      dying.dieAfter(at);
      CheckpointStore unreachable = new StoreAround(world.store) {
        @Override
        protected <T> Publisher<T> around(Publisher<T> call) {
          return Flux.defer(() -> dying.isStruck() ? Flux.never() : call);
        }
      };
      GraphThread doomed = world.runner(sample, unreachable, dying).thread("t");
      doomed.start(Update.NOTHING).onErrorComplete().subscribe();
      over(world, doomed, dying.struck()).block(PATIENCE);
      deaths += dying.isStruck() ? 1 : 0;

      world.finish(sample);

      assertThat(world.state(sample)).as("log died after call " + at).isEqualTo(expected);
      world.assertToldInFull(sample, calm, "log died after call " + at);
    }
    assertThat(deaths).isGreaterThan(counting.calls() / 2);
  }

  /**
   * Emits when the process dies, or when the run completes: it may need fewer calls than before.
   */
  private static Mono<?> over(World world, GraphThread doomed, Mono<Void> struck) {
    return Flux.merge(
            struck.thenReturn(true), Flux.defer(() -> world.followed(doomed).takeLast(1)))
        .next();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("samples")
  @DisplayName(
      "X.15 X.23 dead at any call of the store, a thread is recovered, and followers miss nothing")
  void deadAtTheStore(Sample sample) {
    World calm = new World();
    FaultyStore counting = new FaultyStore(calm.store, Fault.LATE, Integer.MAX_VALUE);
    GraphThread undisturbed = calm.runner(sample, counting, calm.log).thread("t");
    undisturbed.start(Update.NOTHING).block(PATIENCE);
    calm.toTheEnd(undisturbed);
    State expected = calm.state(sample);
    int deaths = 0;
    for (Fault fault : List.of(Fault.DIE_BEFORE, Fault.DIE_AFTER)) {
      for (int at = 1; at < counting.calls(); at++) {
        World world = new World();
        FaultyStore dying = new FaultyStore(world.store, fault, at);
        GraphThread doomed = world.runner(sample, dying, world.log).thread("t");
        doomed.start(Update.NOTHING).onErrorComplete().subscribe();
        over(world, doomed, dying.struck()).block(PATIENCE);
        deaths += dying.isStruck() ? 1 : 0;

        world.finish(sample);

        assertThat(world.state(sample)).as(fault + " at call " + at).isEqualTo(expected);
        world.assertToldInFull(sample, calm, fault + " at call " + at);
      }
    }
    assertThat(deaths).isGreaterThan(counting.calls());
  }
}
