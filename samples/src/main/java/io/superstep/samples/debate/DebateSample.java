package io.superstep.samples.debate;

import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.ThreadBusyException;
import io.superstep.event.GraphEvent;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.state.Update;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

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

  public static void main(String... arguments) {
    play(
            "Should AI be regulated?",
            Duration.ofMillis(60),
            Keeping.of(arguments),
            AtTheTerminal.now(),
            System.out)
        .block();
  }

  /**
   * Runs a debate about {@code topic}, with {@code pause} before each word, and writes it down; one
   * that was left in the middle goes on. It waits for {@code person} to say whether it is
   * published.
   */
  static Mono<Void> play(
      String topic, Duration pause, Keeping kept, AtTheTerminal person, PrintStream out) {
    GraphThread thread = GraphRunner.builder(Debate.graph(new ScriptedModel(SCRIPT, pause)))
        .checkpoints(kept.store())
        .build()
        .thread("debate");
    Transcript transcript = new Transcript(out, kept.words());
    Mono<Void> toTheEnd = Mono.fromCallable(person::answer)
        .subscribeOn(Schedulers.boundedElastic())
        .flatMap(answer -> written(thread.resume(answer), transcript));
    Mono<Void> fromTheBeginning = Mono.defer(() ->
        written(thread.stream(Update.of(Debate.TOPIC, topic)), transcript).then(toTheEnd));
    return thread
        .state()
        .map(saved -> wentOn(thread, saved, transcript, toTheEnd))
        .defaultIfEmpty(fromTheBeginning)
        .flatMap(rest -> rest);
  }

  private static Mono<Void> wentOn(
      GraphThread thread, SavedThread saved, Transcript transcript, Mono<Void> toTheEnd) {
    if (saved.position().isFinished()) {
      return Mono.fromRunnable(() -> transcript.isOver(saved.position().state()));
    }
    transcript.goesOn(saved.checkpoint().step());
    return saved.questions().isEmpty()
        ? written(takenOver(thread.resume(), transcript), transcript).then(toTheEnd)
        : toTheEnd;
  }

  /** Whoever was killed holds its thread until its lease has run out. */
  private static Flux<GraphEvent> takenOver(Flux<GraphEvent> events, Transcript transcript) {
    return events.retryWhen(Retry.fixedDelay(60, Duration.ofSeconds(1))
        .filter(ThreadBusyException.class::isInstance)
        .doBeforeRetry(retry -> {
          if (retry.totalRetries() == 0) {
            transcript.isBusy();
          }
        }));
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
