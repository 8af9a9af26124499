package io.superstep.reactor;

import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.HistoryFilter;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.TaskNote.Answered;
import io.superstep.checkpoint.TaskNote.Asked;
import io.superstep.checkpoint.TaskNotes;
import io.superstep.checkpoint.UnknownThreadException;
import io.superstep.error.SuperstepException;
import io.superstep.question.AlreadyAnsweredException;
import io.superstep.question.Answer;
import io.superstep.question.Prompt;
import io.superstep.question.UnknownQuestionException;
import io.superstep.state.Schemas;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** Where the questions of one thread are answered, by people and by deadlines. */
final class AnswerDesk {

  /** How often an answer is given again because the thread was changed meanwhile. */
  private static final int TRIES = 10;

  /** How far back it is looked for who has answered a question that is gone. */
  private static final int LOOK_BACK = 100;

  private final String thread;
  private final CheckpointStore store;
  private final Schemas schemas;
  private final InstantSource clock;
  private final Supplier<String> receipts;

  /** @param receipts makes names that nobody else has */
  AnswerDesk(
      String thread,
      CheckpointStore store,
      Schemas schemas,
      InstantSource clock,
      Supplier<String> receipts) {
    this.thread = thread;
    this.store = store;
    this.schemas = schemas;
    this.clock = clock;
    this.receipts = receipts;
  }

  /**
   * What came of answering.
   *
   * @param saved the thread with all answers that were taken
   * @param refused why others were not
   */
  record Settled(SavedThread saved, List<SuperstepException> refused) {}

  /** Answers one question, wherever the thread stands. */
  Mono<Answer> answer(String question, @Nullable Object value, String by) {
    return Mono.defer(() -> {
      String receipt = receipts.get();
      return StoreCall.mono(() -> store.load(thread, schemas))
          .switchIfEmpty(Mono.error(() -> new UnknownThreadException(thread)))
          .flatMap(this::settleDue)
          .flatMap(saved -> answered(saved, question, value, by, receipt))
          .map(Answered::answer)
          .retryWhen(Retry.max(TRIES)
              .filter(CheckpointConflictException.class::isInstance)
              .onRetryExhaustedThrow((spec, last) -> last.failure()));
    });
  }

  /**
   * Answers several questions, each on its own: one that is refused does not keep the others from
   * being answered. If all are refused, so is the whole.
   */
  Mono<Settled> answer(
      SavedThread saved, Map<String, ? extends @Nullable Object> answers, String by) {
    return settleDue(saved).flatMap(settled -> {
      List<Answered> given = new ArrayList<>();
      List<SuperstepException> refused = new ArrayList<>();
      return Flux.fromIterable(answers.entrySet())
          .concatMap(each -> answered(settled, each.getKey(), each.getValue(), by, receipts.get())
              .doOnNext(given::add)
              .onErrorResume(AnswerDesk::isAboutOne, refusal -> {
                refused.add((SuperstepException) refusal);
                return Mono.empty();
              }))
          .then(Mono.defer(() -> {
            if (given.isEmpty() && !refused.isEmpty()) {
              SuperstepException first = refused.remove(0);
              refused.forEach(first::addSuppressed);
              return Mono.error(first);
            }
            return Mono.just(new Settled(settled.with(given), refused));
          }));
    });
  }

  private static boolean isAboutOne(Throwable refusal) {
    return refusal instanceof SuperstepException
        && !(refusal instanceof CheckpointConflictException);
  }

  /** Answers what nobody has answered in time. */
  Mono<SavedThread> settleDue(SavedThread saved) {
    Instant now = clock.instant();
    List<Asked> due =
        saved.questions().stream().filter(asked -> asked.isDue(now)).toList();
    if (due.isEmpty()) {
      return Mono.just(saved);
    }
    return Flux.fromIterable(due)
        .concatMap(asked -> given(saved, asked, otherwise(asked), Answer.DEADLINE, receipts.get())
            .onErrorResume(AlreadyAnsweredException.class, answered -> Mono.empty()))
        .then(StoreCall.mono(() -> store.load(thread, schemas)))
        .defaultIfEmpty(saved);
  }

  /** What comes of all deadlines of the thread that have passed. */
  Flux<Settlement> settlements() {
    return StoreCall.mono(() -> store.load(thread, schemas))
        .flatMapMany(saved -> {
          Instant now = clock.instant();
          return Flux.fromIterable(new TaskNotes(saved.notes()).questions())
              .filter(asked -> asked.isDue(now))
              .concatMap(asked -> settlement(saved, asked));
        })
        .retryWhen(Retry.max(TRIES).filter(CheckpointConflictException.class::isInstance));
  }

  private Mono<Settlement> settlement(SavedThread saved, Asked asked) {
    return given(saved, asked, otherwise(asked), Answer.DEADLINE, receipts.get())
        .map(answered -> Settlement.of(thread, answered.answer(), true))
        .onErrorResume(
            AlreadyAnsweredException.class,
            before -> before.answer().isByDeadline()
                ? Mono.empty()
                : Mono.just(Settlement.of(thread, before.answer(), false)))
        .onErrorResume(UnknownQuestionException.class, gone -> Mono.empty());
  }

  private static @Nullable Object otherwise(Asked asked) {
    return Objects.requireNonNull(asked.prompt().deadline()).otherwise();
  }

  private Mono<Answered> answered(
      SavedThread saved, String question, @Nullable Object value, String by, String receipt) {
    return found(saved, question).flatMap(asked -> {
      Prompt prompt = asked.prompt();
      return given(saved, asked, prompt.accept(asked.id(), value), by, receipt);
    });
  }

  private Mono<Answered> given(
      SavedThread saved, Asked asked, @Nullable Object value, String by, String receipt) {
    Answered answered = new Answered(
        asked.task(),
        asked.attempt(),
        new Answer(asked.id(), asked.key(), value, by, clock.instant(), receipt));
    return StoreCall.mono(() -> store.answer(thread, saved.checkpoint().id(), answered, schemas))
        .thenReturn(answered);
  }

  /** The question called so, by its id, or by its key if no other that is open has that. */
  private Mono<Asked> found(SavedThread saved, String question) {
    List<Asked> all = new TaskNotes(saved.notes()).questions();
    List<Asked> named = named(all, question);
    List<Asked> open = named(saved.questions(), question);
    if (open.size() > 1) {
      return Mono.error(UnknownQuestionException.ambiguous(
          thread, question, open.stream().map(Asked::id).toList()));
    }
    if (!named.isEmpty()) {
      return Mono.just(open.isEmpty() ? named.get(0) : open.get(0));
    }
    return gone(question)
        .switchIfEmpty(
            Mono.error(() -> UnknownQuestionException.of(thread, question, names(saved))));
  }

  /** Fails if the question is gone because it was answered. */
  private Mono<Asked> gone(String question) {
    return StoreCall.flux(() -> store.history(thread, HistoryFilter.ALL.limit(LOOK_BACK), schemas))
        .map(Checkpoint::credits)
        .concatMapIterable(credits -> credits)
        .concatMapIterable(Checkpoint.Credit::answers)
        .filter(answer -> answer.question().equals(question))
        .next()
        .flatMap(answer -> Mono.error(new AlreadyAnsweredException(thread, answer)));
  }

  private static List<Asked> named(List<Asked> questions, String name) {
    return questions.stream()
        .filter(asked -> asked.id().equals(name) || asked.key().equals(name))
        .toList();
  }

  private static Collection<String> names(SavedThread saved) {
    Collection<String> names = new TreeSet<>();
    saved.questions().forEach(asked -> names.add(asked.key()));
    return names;
  }
}
