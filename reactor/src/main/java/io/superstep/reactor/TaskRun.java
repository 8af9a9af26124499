package io.superstep.reactor;

import io.superstep.checkpoint.Execution;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.TaskNotes;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.QuestionAnswered;
import io.superstep.event.GraphEvent.QuestionAsked;
import io.superstep.event.GraphEvent.TaskChunk;
import io.superstep.event.GraphEvent.TaskCompleted;
import io.superstep.event.GraphEvent.TaskFailed;
import io.superstep.event.GraphEvent.TaskRetried;
import io.superstep.event.GraphEvent.TaskStarted;
import io.superstep.event.GraphEvent.TaskUpdated;
import io.superstep.graph.Chunk;
import io.superstep.graph.Command;
import io.superstep.graph.ContextualComputation;
import io.superstep.graph.ErrorHandler;
import io.superstep.graph.Node;
import io.superstep.graph.NodeBody;
import io.superstep.graph.NodeContext;
import io.superstep.graph.NodeFailure;
import io.superstep.graph.RunKey;
import io.superstep.memory.InvalidMemoryException;
import io.superstep.question.Answers;
import io.superstep.question.Prompt;
import io.superstep.question.Question;
import io.superstep.reactor.Watch.Scope;
import io.superstep.state.NodeOutput;
import io.superstep.state.State;
import io.superstep.state.Update;
import io.superstep.step.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CorePublisher;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One task on its way to an outcome: calls its node, keeps what it says, and hands over to the
 * handler when it fails.
 *
 * <p>All but the calls of {@link NodeContext} happens inside the drain of the loop. A node that
 * speaks for itself is heard through a {@link TaskEar}.
 */
final class TaskRun implements NodeContext {

  /**
   * What is asked for ahead where the subscriber takes whatever comes. Not everything: a node that
   * speaks synchronously would say all of it before the first word could be delivered.
   */
  private static final int UNBOUNDED_IN_HAND = 256;

  private final SuperstepLoop loop;
  private final Run run;
  private final StepTasks step;
  private final Node node;
  private final Task task;
  private final State state;
  private final int remainingSteps;
  private final TaskWatch watch;

  /** The answers that were recorded in earlier runs, valid for every attempt. */
  private final List<TaskNote.Answered> answers;

  /** The questions that were answered in earlier attempts of the enclosing graph. */
  private final List<TaskNotes.Past> past;

  private List<NodeOutput> said = List.of();
  private int chunks;

  /** The number of the next message, as far as the outputs have been counted. */
  private int messages;

  /** The number of outputs whose messages have been counted. */
  private int numbered;

  private KnownAnswers.@Nullable Question question;
  private boolean cached;
  private volatile boolean uncacheable;
  private @Nullable TaskEar ear;
  private @Nullable NestedRun nested;
  private @Nullable Throwable handled;

  /** Whether output and questions of the node are ignored. */
  private boolean isOver;

  /** Made when the node asks something for the first time. */
  private volatile @Nullable TaskQuestions questions;

  /**
   * Whether the node is being called; seen by that JVM thread and by those that the node starts.
   */
  private boolean isInCall;

  /** The history of the attempt that an earlier run began; none for the next attempt. */
  private volatile Memory memory;

  /** Written by the JVM thread that starts an attempt, before the attempt can signal. */
  private volatile Execution execution;

  /** The execution of the handler, which supersedes that of the node; null while there is none. */
  private volatile @Nullable Execution handling;

  /** Set while the task waits for its next attempt. */
  private volatile boolean isBackingOff;

  /** The number of signals received; read by the stall detector without synchronization. */
  private int signals;

  /** The number of signals at the last sample, and the samples since without another. */
  private int sampledSignals = -1;

  private int silentSamples;

  /** @param memory the recorded history of the task */
  TaskRun(
      SuperstepLoop loop,
      Run run,
      StepTasks step,
      Node node,
      Task task,
      Position position,
      Memory memory) {
    this.loop = loop;
    this.run = run;
    this.step = step;
    this.node = node;
    this.task = task;
    this.state = task.sees(position.state());
    this.remainingSteps = loop.budget().steps() - 1;
    this.watch = loop.watch().task(task);
    this.memory = memory;
    this.answers = memory.answers();
    this.past = memory.past();
    this.execution = loop.execution().at(firstAttempt(memory, node));
  }

  /** A task that is run once more may try at least once. */
  static int firstAttempt(Memory memory, Node node) {
    Integer most = node.policy().attempts();
    return Math.min(memory.firstAttempt(), most == null ? 1 : most);
  }

  void start() {
    loop.starts(node);
    if (loop.isHeard()) {
      loop.announce(new TaskStarted(loop.moment(), loop.next(), task, execution));
      tellAnswers();
      if (loop.isCancelled()) {
        return;
      }
    }
    Object output;
    try {
      output = firstWord();
    } catch (Throwable failure) {
      if (!hasAsked()) {
        failed(CarriedError.unwrap(failure));
      }
      return;
    }
    if (ear == null && hasAsked()) {
      return; // the question is on its way
    }
    if (output != null) {
      hear(output, execution(), time(output));
    }
    if (ear == null) {
      completed();
    }
  }

  private void tellAnswers() {
    for (TaskNote.Answered known : answers) {
      loop.announce(new QuestionAnswered(loop.moment(), loop.next(), task, known.answer()));
    }
  }

  /** All that is said on the spot, if anything is; else the node may be listened to from now on. */
  private @Nullable Object firstWord() throws Exception {
    Command known = known();
    if (known != null) {
      run.requireFollowable(known, node); // it may have been emitted under another parent
      return known;
    }
    if (Run.isPlain(node)) {
      watch.beginAttempt(attempt());
      return calledInside();
    }
    TaskEar hearing = listen(false);
    new Attempts(this, hearing, node.policy(), run.environment().timer())
        .asPublisher()
        .subscribe(hearing);
    return null;
  }

  /** What the node said before, if it need not be asked again. */
  private @Nullable Command known() {
    question = run.environment().answers().question(node, state, this);
    Command known = question == null ? null : question.known();
    cached = known != null;
    return known;
  }

  private @Nullable Object calledInside() throws Exception {
    Scope scope = watch.enter();
    isInCall = true;
    try {
      return called();
    } finally {
      isInCall = false;
      TaskWatch.leave(scope);
    }
  }

  /** Calls what can be called on the spot, and listens to what cannot. */
  private @Nullable Object called() throws Exception {
    if (node.body() instanceof NodeBody.Computed computed) {
      return checked(present(computed.function().compute(state, this)));
    }
    Publisher<?> publisher = publisher();
    if (publisher instanceof Callable<?> known) {
      Object output = known.call();
      return output == null ? null : checked(output);
    }
    isInCall = false; // from here on it can be cancelled
    listen(publisher);
    return null;
  }

  private NodeOutput present(@Nullable NodeOutput output) {
    if (output == null) {
      throw InvalidOutputException.noOutput(node.name());
    }
    return output;
  }

  /** One of several attempts, as something to subscribe to. */
  Publisher<?> attempted() throws Exception {
    isBackingOff = false;
    watch.beginAttempt(attempt());
    Scope scope = watch.enter();
    isInCall = true;
    try {
      return watch.lend(publisher());
    } finally {
      isInCall = false;
      TaskWatch.leave(scope);
    }
  }

  /** What the node does, as something to subscribe to; called once per attempt. */
  private Publisher<?> publisher() throws Exception {
    NodeBody body = node.body();
    if (body instanceof NodeBody.Reactive reactive) {
      return Emissions.present(reactive.action().run(state, this), node);
    }
    if (body instanceof NodeBody.Blocking blocking) {
      AtomicBoolean cancelled = new AtomicBoolean();
      return Mono.fromCallable(() -> block(blocking, cancelled))
          .subscribeOn(run.environment().blocking())
          .doOnCancel(() -> cancelled.set(true));
    }
    if (body instanceof NodeBody.Computed computed) {
      return Mono.fromCallable(() -> {
        try {
          return compute(computed.function());
        } catch (Throwable failure) {
          throw carried(failure);
        }
      });
    }
    nested = new NestedRun(run, ((NodeBody.Nested) body).subgraph(), task, execution, state);
    return nested.events(memory);
  }

  /** Calls a function where nobody has entered yet. */
  private NodeOutput compute(ContextualComputation function) throws Exception {
    Scope scope = watch.enter();
    try {
      return present(function.compute(state, this));
    } finally {
      TaskWatch.leave(scope);
    }
  }

  /** A function that is interrupted because nobody waits for it any more has failed nobody. */
  private @Nullable NodeOutput block(NodeBody.Blocking blocking, AtomicBoolean cancelled)
      throws Exception {
    try {
      return compute(blocking.function());
    } catch (Throwable failure) {
      if (cancelled.get()) {
        return null;
      }
      throw carried(failure);
    }
  }

  /** Returns an exception that a {@code Callable} may throw to its operator. */
  private static Exception carried(Throwable failure) {
    Throwable carried = CarriedError.wrap(failure);
    return carried instanceof Exception exception ? exception : Exceptions.propagate(carried);
  }

  /** A publisher of its own making is subscribed to through Reactor, which sees to the context. */
  private void listen(Publisher<?> publisher) {
    Publisher<?> seeing = watch.lend(publisher);
    TaskEar hearing = listen(publisher instanceof Mono);
    (seeing instanceof CorePublisher ? seeing : Flux.from(seeing)).subscribe(hearing);
  }

  private TaskEar listen(boolean isMono) {
    int prefetch = run.environment().options().prefetch();
    int inHand = loop.isUnbounded() ? Math.max(prefetch, UNBOUNDED_IN_HAND) : prefetch;
    ear = new TaskEar(this, loop, inHand, isMono);
    return ear;
  }

  void receive(TaskSignal signal) {
    signals++;
    if (signal instanceof TaskSignal.Asking asking) {
      if (!isOver && handled == null) {
        asked(asking.questions());
      }
    } else if (((TaskSignal.Heard) signal).ear() == ear) { // else it speaks after its time
      hear((TaskSignal.Heard) signal);
    }
  }

  /** Hears what the node says while it is asked from inside the drain. */
  void hearAtOnce(TaskEar hearing, Chunk chunk, @Nullable Instant time) {
    signals++;
    if (hearing == ear) {
      hear(chunk, execution(), time);
    }
  }

  private void hear(TaskSignal.Heard signal) {
    if (signal instanceof TaskSignal.Emitted emitted) {
      signal.ear().received();
      hear(emitted.output(), emitted.execution(), emitted.time());
      signal.ear().replenishWhenDelivered();
    } else if (signal instanceof TaskSignal.Retrying retrying) {
      forget();
      chunks = 0;
      uncacheable = false;
      if (loop.isHeard()) {
        loop.announce(new TaskRetried(
            loop.moment(), loop.next(), task, retrying.execution(), shown(retrying.error())));
      }
    } else {
      end((TaskSignal.Ended) signal);
    }
  }

  private void end(TaskSignal.Ended signal) {
    if (signal.lastWord() != null) {
      hear(signal.lastWord(), execution(), time(signal.lastWord()));
      if (loop.isCancelled()) {
        return; // the subscriber left when it was told
      }
    }
    if (signal.error() == null) {
      completed();
    } else {
      failed(signal.error());
    }
  }

  /** What the node emitted, if it may; from any JVM thread. */
  Object checked(Object output) {
    Object checked = Emissions.checked(output, node, run);
    if (checked instanceof Command command && !command.memories().isEmpty()) {
      Journal journal = run.journal();
      if (journal == null) {
        throw InvalidMemoryException.nowhere(node.name());
      }
      journal.requireMemorable(node.name(), command.memories());
    }
    return checked;
  }

  /** Returns the time of a chunk that becomes an event; null of any other output. */
  @Nullable
  Instant time(Object output) {
    return output instanceof Chunk && loop.isHeard() ? run.environment().now() : null;
  }

  /** @param time of the output, if that is a chunk which becomes an event */
  private void hear(Object output, Execution by, @Nullable Instant time) {
    if (output instanceof Update update) {
      said(update);
      updated(update, by);
    } else if (output instanceof Command command) {
      said(command);
      updated(command.update(), by);
    } else if (output instanceof Chunk chunk) {
      if (time != null) {
        loop.announce(new TaskChunk(
            loop.momentAt(time), loop.last(), task, by, chunks++, messages(), chunk.content()));
      }
    } else {
      GraphEvent inner = (GraphEvent) output;
      loop.announce(
          inner.numbered(inner instanceof GraphEvent.Provisional ? loop.last() : loop.next()));
    }
  }

  private void updated(Update update, Execution by) {
    if (!update.isEmpty() && loop.isHeard()) {
      loop.announce(new TaskUpdated(loop.moment(), loop.last(), task, by, update));
    }
  }

  /** The number of the next message that the node writes without an id. */
  private int messages() {
    for (; numbered < said.size(); numbered++) {
      NodeOutput output = said.get(numbered);
      messages +=
          (output instanceof Command command ? command.update() : (Update) output).messageNumbers();
    }
    return messages;
  }

  private void said(NodeOutput output) {
    if (said.isEmpty()) {
      said = List.of(output); // as of most nodes
    } else {
      said = said.size() == 1 ? new ArrayList<>(said) : said;
      said.add(output);
    }
  }

  /** Ends the task, which goes on when it is answered. */
  private void asked(List<TaskNote.Asked> open) {
    hush();
    over();
    watch.end(Ending.INTERRUPTED, null);
    Outcome.Interrupted outcome = new Outcome.Interrupted(task, open.get(0).key());
    List<TaskNote> notes = List.copyOf(open);
    loop.save(
        Objects.requireNonNull(run.journal()).record(notes),
        () -> {
          if (loop.isHeard()) {
            open.forEach(
                question -> loop.announce(new QuestionAsked(loop.moment(), loop.next(), question)));
          }
          step.interrupt(node, outcome, true);
        },
        null);
  }

  private void completed() {
    ear = null;
    if (nested != null && !nested.isFinished()) {
      paused(nested);
      return;
    }
    Outcome.Completed outcome;
    try {
      if (nested != null) {
        said((NodeOutput) checked(nested.result()));
      }
      outcome = Outcome.completed(task, said);
    } catch (Throwable refused) {
      failed(refused);
      return;
    }
    over();
    watch.end(Ending.COMPLETED, null);
    if (question != null && !cached && !uncacheable && handled == null) {
      step.answered(new KnownAnswers.Answer(question, outcome.said()));
    }
    Outcome.Completed complete = outcome.withMessageIds(execution());
    if (run.journal() == null) {
      settle(complete);
    } else {
      step.keep(this, complete);
    }
  }

  /** The graph inside waits for somebody, or was asked to stop: it goes on in another run. */
  private void paused(NestedRun inside) {
    watch.end(Ending.INTERRUPTED, null);
    Outcome.Interrupted outcome = new Outcome.Interrupted(task, inside.path());
    loop.save(
        Objects.requireNonNull(run.journal()).record(inside.unrecorded()),
        () -> step.interrupt(node, outcome, inside.isPaused()),
        null);
  }

  /** Tells of the end of the task, and lets its step go on. */
  void settle(Outcome.Completed outcome) {
    tellEnd();
    step.settle(node, outcome);
  }

  void tellEnd() {
    if (loop.isHeard()) {
      loop.announce(new TaskCompleted(
          loop.moment(),
          loop.next(),
          task,
          execution(),
          cached,
          handled == null ? null : shown(handled)));
    }
  }

  private void failed(Throwable error) {
    hush();
    if (error instanceof Refusal refusal) {
      watch.failAttempt(refusal.reason());
      watch.end(Ending.FAILED, refusal.reason());
      loop.failSaving(refusal.reason(), null);
      return;
    }
    watch.failAttempt(error);
    boolean mayHandle = handled == null
        && !isDoubtfulInside()
        && !(Attempts.original(error) instanceof OutOfMemoryError);
    ErrorHandler handler = mayHandle ? node.handler().orElse(null) : null;
    if (handler != null) {
      handle(handler, error);
      return;
    }
    if (handled != null && handled != error) {
      error.addSuppressed(handled);
    }
    over();
    watch.end(Ending.FAILED, error);
    if (run.journal() == null) {
      settle(error);
    } else {
      loop.save(run.journal().record(lastFailure(error)), () -> settle(error), error);
    }
  }

  /** Of an effect that took too long nobody knows whether it happened. */
  private List<TaskNote> lastFailure(Throwable error) {
    boolean isCutOff =
        error instanceof NodeTimeoutException || handled instanceof NodeTimeoutException;
    return node.actsOutside() && isCutOff ? List.of() : List.of(failure(error, true));
  }

  private void settle(Throwable error) {
    if (loop.isHeard()) {
      loop.announce(new TaskFailed(loop.moment(), loop.next(), task, execution(), shown(error)));
    }
    step.settle(node, new Outcome.Failed(task, attempt(), error, handled));
  }

  private TaskNote failure(Throwable error, boolean last) {
    String text = run.environment().hidesMessages() ? error.getClass().getName() : error.toString();
    return new TaskNote.Failed(task, attempt(), text, last);
  }

  private Throwable shown(Throwable error) {
    return run.environment().shown(error);
  }

  /** Drops the updates of an attempt that failed. */
  private void forget() {
    said = List.of();
    messages = 0;
    numbered = 0;
  }

  /**
   * Calls the handler in an execution of its own, so that no message id of the failed attempt is
   * used again.
   */
  private void handle(ErrorHandler handler, Throwable error) {
    handled = error;
    handling = execution.at(attempt() + 1);
    chunks = 0;
    nested = null;
    forget();
    try {
      listen(handler, new NodeFailure(node.name(), attempt(), error));
    } catch (Throwable failure) {
      failed(CarriedError.unwrap(failure));
    }
  }

  private void listen(ErrorHandler handler, NodeFailure failure) throws Exception {
    Scope scope = watch.enter();
    try {
      listen(Emissions.present(handler.handle(state, failure), node));
    } finally {
      TaskWatch.leave(scope);
    }
  }

  void cancel() {
    hush();
    over();
    watch.end(Ending.CANCELLED, null);
  }

  /** Marks the task as ended: output and questions of the node are ignored from now on. */
  private void over() {
    isOver = true;
    TaskQuestions known = questions;
    if (known != null) {
      known.end();
    }
  }

  private void hush() {
    TaskEar hearing = ear;
    ear = null;
    if (hearing != null) {
      hearing.cancel();
    }
  }

  /**
   * Records that an attempt failed; the next attempt starts when the returned publisher completes.
   * Safe for use by any JVM thread.
   */
  Mono<Void> retrying(TaskEar hearing, Throwable error) {
    Execution failed = execution;
    isBackingOff = true;
    watch.failAttempt(error);
    Mono<Void> noted = Mono.fromRunnable(() -> {
      loop.signal(new TaskSignal.Retrying(hearing, failed, error));
      memory = Memory.NONE;
      execution = failed.at(failed.attempt() + 1);
      TaskQuestions known = questions;
      if (known != null) {
        known.beginAnew();
      }
    });
    Journal journal = run.journal();
    return journal == null
        ? noted
        : written(() -> journal.record(List.of(failure(error, false))), error).then(noted);
  }

  /**
   * Records that another attempt starts, if the node is not idempotent. Safe for use by any JVM
   * thread.
   */
  Mono<Void> beginning(Throwable error) {
    Journal journal = run.journal();
    return journal == null || !node.actsOutside()
        ? Mono.empty()
        : written(() -> journal.intend(List.of(new TaskNote.Began(task, attempt()))), error);
  }

  /** Returns {@code write} such that an error of the store fails the run and not the node. */
  private Mono<Void> written(Supplier<Mono<Void>> write, Throwable because) {
    return StoreCall.mono(write).onErrorResume(signal -> {
      Throwable refused = CarriedError.unwrap(signal);
      if (refused != because) {
        refused.addSuppressed(because);
      }
      loop.signal(new Saving.Refused(refused));
      return Mono.never();
    });
  }

  /** Returns whether a non-idempotent task of the nested graph has an unknown outcome. */
  boolean isDoubtfulInside() {
    return nested != null && run.journal() != null && run.journal().isDoubtfulInside(task);
  }

  /** Returns whether the node has an open question. Safe for use by any JVM thread. */
  boolean hasAsked() {
    TaskQuestions known = questions;
    return known != null && known.haveOpen();
  }

  @Override
  public <T> Publisher<T> ask(String key, Question<T> asked) {
    return questions().ask(key, asked);
  }

  @Override
  public Publisher<Answers> askAll(Map<String, ? extends Question<?>> all) {
    return questions().askAll(all);
  }

  private TaskQuestions questions() {
    uncacheable = true;
    synchronized (task) {
      if (questions == null) {
        questions = new TaskQuestions(this, run.graph(), node, answers, past);
      }
      return questions;
    }
  }

  boolean isOnThread() {
    return run.journal() != null;
  }

  /**
   * Returns the record of a question. A question that replaces another one has an id of its own, so
   * that an answer to the replaced question is not applied to it. Safe for use by any JVM thread.
   */
  TaskNote.Asked asking(String key, Prompt prompt) {
    long before = past.stream().filter(each -> each.asked().key().equals(key)).count();
    String id = task.id() + "#" + key + (before == 0 ? "" : "#" + (before + 1));
    return new TaskNote.Asked(
        task, attempt(), id, key, prompt, run.environment().now());
  }

  /** Ends the task with open questions. Safe for use by any JVM thread. */
  void ask(List<TaskNote.Asked> open) {
    loop.signal(new TaskSignal.Asking(this, open));
  }

  /**
   * Whether a function of the node is being called, which has to return: it cannot be cancelled.
   */
  boolean isCalled() {
    NodeBody body = node.body();
    return isInCall || body instanceof NodeBody.Computed || body instanceof NodeBody.Blocking;
  }

  @Override
  public String node() {
    return node.name();
  }

  boolean actsOutside() {
    return node.actsOutside();
  }

  /** Reports the task if it has signalled nothing for long; called by the stall detector. */
  void sample(StallDetector detector) {
    int received = signals;
    if (received != sampledSignals || isBackingOff || node.body() instanceof NodeBody.Nested) {
      sampledSignals = received;
      silentSamples = 0;
      return;
    }
    Duration silence = detector.silence(++silentSamples);
    if (silence != null) {
      StalledTask.report(run, task, attempt(), silence);
      watch.stalled(silence);
    }
  }

  /** Its place in the plan. */
  int index() {
    return task.index();
  }

  @Override
  public String taskId() {
    return task.id();
  }

  @Override
  public int attempt() {
    return execution.attempt();
  }

  /** Returns the execution of the node, or of its handler once that is called. */
  Execution execution() {
    Execution ofHandler = handling;
    return ofHandler == null ? execution : ofHandler;
  }

  @Override
  public boolean isStopping() {
    return run.environment().isStopping();
  }

  @Override
  public Publisher<Void> stopping() {
    return run.environment().stopping();
  }

  @Override
  public void doNotCache() {
    uncacheable = true;
  }

  @Override
  public int remainingSteps() {
    return remainingSteps;
  }

  @Override
  public <T> Optional<T> find(RunKey<T> key) {
    return run.environment().options().value(key);
  }
}
