package io.superstep.samples.debate;

import io.superstep.event.GraphEvent;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.reactor.InMemoryCheckpointStore;
import io.superstep.state.Update;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Sample 1: a debate that is read while it goes on, and waits for a person at its end. */
public final class DebateSample {

  static final List<String> SCRIPT = List.of(
      "%s Yes! Most good things began as something that nobody dared.",
      "So did most bad ones. Who pays when it goes wrong?",
      "Whoever does it. So they will start small, and learn.",
      "What is small has a way of growing while nobody looks.",
      "Then let us look, and say today what would make us stop.",
      "In writing, and with a date? I could live with that.",
      "%s Yes, say both: in small steps, at one's own risk, and with a date to look again.");

  private DebateSample() {}

  public static void main(String... none) {
    play("Should AI be regulated?", Duration.ofMillis(60), AtTheTerminal.now(), System.out)
        .block();
  }

  /**
   * Runs a debate about {@code topic}, with {@code pause} before each word, and writes it down. It
   * waits for {@code person} to say whether it is published.
   */
  static Mono<Void> play(String topic, Duration pause, AtTheTerminal person, PrintStream out) {
    GraphThread thread = GraphRunner.builder(Debate.graph(new ScriptedModel(SCRIPT, pause)))
        .checkpoints(new InMemoryCheckpointStore())
        .build()
        .thread("debate");
    Transcript transcript = new Transcript(out);
    return written(thread.stream(Update.of(Debate.TOPIC, topic)), transcript)
        .then(Mono.fromCallable(person::answer).subscribeOn(Schedulers.boundedElastic()))
        .flatMap(answer -> written(thread.resume(answer), transcript));
  }

  private static Mono<Void> written(Flux<GraphEvent> events, Transcript transcript) {
    return events
        .timed()
        // A terminal may block, so it is written to where that is allowed, one event at a time.
        .publishOn(Schedulers.boundedElastic(), 1)
        .doOnNext(transcript::write)
        .then();
  }
}
