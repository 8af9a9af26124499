package io.superstep.samples.debate;

import io.superstep.reactor.GraphRunner;
import io.superstep.state.Update;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Sample 1: a debate that is read while it goes on. */
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
    play("Should AI be regulated?", Duration.ofMillis(60), System.out).block();
  }

  /** Runs a debate about {@code topic}, with {@code pause} before each word, and writes it down. */
  static Mono<Void> play(String topic, Duration pause, PrintStream out) {
    GraphRunner runner = GraphRunner.of(Debate.graph(new ScriptedModel(SCRIPT, pause)));
    Transcript transcript = new Transcript(out);
    return runner.stream(Update.of(Debate.TOPIC, topic))
        .timed()
        // A terminal may block, so it is written to where that is allowed, one event at a time.
        .publishOn(Schedulers.boundedElastic(), 1)
        .doOnNext(transcript::write)
        .then();
  }
}
