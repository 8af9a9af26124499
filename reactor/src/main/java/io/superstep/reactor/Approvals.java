package io.superstep.reactor;

import static io.superstep.error.Option.once;

import io.superstep.checkpoint.Cause.Kind;
import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.HistoryFilter;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.ThreadBusyException;
import io.superstep.graph.Router;
import io.superstep.question.AlreadyAnsweredException;
import io.superstep.question.Answer;
import io.superstep.state.Channel;
import io.superstep.state.State;
import io.superstep.state.Update;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;
import reactor.util.retry.Retry.RetrySignal;

/**
 * Lets people approve what a graph is about to do. It pauses before a node; somebody says yes or
 * no, or changes the plan first; then the thread is resumed, and the node runs.
 *
 * <p>What was said stands in channels of the graph, where its nodes read it. Every request,
 * decision and edit is a checkpoint of its own, with its author. Of several who decide one wins;
 * whoever comes while somebody else is at the thread waits a little. Nothing happens before
 * subscription.
 *
 * <p>The node is one of the graph itself, not of a graph inside it. Without options nobody counts
 * revisions, there is no plan, report or error to be seen, and nothing may be edited. Immutable.
 */
public final class Approvals {

  /** Who asks for a decision. */
  private static final String AUTHOR = "approvals";

  /** How often somebody comes back who has found the thread busy. */
  private static final int TRIES = 20;

  private static final Duration FIRST_WAIT = Duration.ofMillis(10);

  /** How often that is doubled. */
  private static final int DOUBLED = 5;

  /** How many changes from outside are looked at to find who has decided. */
  private static final int LOOK_BACK = 100;

  private final ApprovalChannels channels;
  private final @Nullable CheckpointId seen;

  private Approvals(ApprovalChannels channels, @Nullable CheckpointId seen) {
    this.channels = channels;
    this.seen = seen;
  }

  /** Approvals of what {@code node} is about to do, before which the graph pauses. */
  public static Builder before(String node) {
    return new Builder(node);
  }

  /**
   * The same, for somebody who saw the thread at {@code checkpoint}, as {@link #view} showed it. If
   * it has been changed since, such as by an edit, a decision or an edit ends with a
   * {@link CheckpointConflictException}.
   */
  public Approvals seenAt(CheckpointId checkpoint) {
    return new Approvals(channels, checkpoint);
  }

  /**
   * What makes a decision awaited, and voids the one before. A node that plans writes it beside its
   * plan; then nobody has to {@link #request} a decision, and none about an older plan counts.
   */
  public Update awaited() {
    return channels.awaited();
  }

  /**
   * Chooses where to go from the node: to {@code approvedTo} if what it is about to do was
   * approved, and to {@code rejectedTo} in every other case, whoever resumed the thread.
   */
  public Router decision(String approvedTo, String rejectedTo) {
    return state -> channels.isApproved(state) ? approvedTo : rejectedTo;
  }

  /**
   * Asks for a decision. While one is awaited already nothing is written, and where the thread
   * stands is told.
   *
   * <p>Ends with a {@link NothingToApproveException} if the node is not the next to run, and with
   * an {@link AlreadyAnsweredException} if a decision was the last thing that happened: it can be
   * asked for anew when something has changed.
   */
  public Mono<Checkpoint> request(GraphThread thread) {
    return inTurn(thread, () -> thread.amend(saved -> requested(thread, saved)));
  }

  private Mono<Amendment> requested(GraphThread thread, SavedThread saved) {
    if (!channels.isNext(saved)) {
      return Mono.error(elsewhere(thread, saved));
    }
    if (channels.isAwaiting(saved.position().state())) {
      return Mono.empty();
    }
    Answer decided = channels.decision(saved.checkpoint()).orElse(null);
    return decided != null
        ? Mono.error(new AlreadyAnsweredException(thread.id(), decided))
        : Mono.just(
            Amendment.of(awaited(), AUTHOR, "awaiting approval before '" + channels.node() + "'"));
  }

  /**
   * Says yes.
   *
   * <p>Ends with an {@link AlreadyAnsweredException} if somebody else has decided, and with a
   * {@link NothingToApproveException} if no decision is awaited.
   *
   * @param by who approves
   * @param text what there is to say about it, or null
   */
  public Mono<Checkpoint> approve(GraphThread thread, String by, @Nullable String text) {
    return decided(thread, true, by, text == null ? "Approved by user" : text);
  }

  /**
   * Says no, and ends as {@link #approve} does.
   *
   * @param by who rejects
   * @param text what there is to say about it, or null
   */
  public Mono<Checkpoint> reject(GraphThread thread, String by, @Nullable String text) {
    return decided(thread, false, by, text == null ? ApprovalChannels.REJECTED : text);
  }

  private Mono<Checkpoint> decided(GraphThread thread, boolean yes, String by, String text) {
    return whileAwaited(thread, Amendment.of(channels.decided(yes, text), by, text));
  }

  /**
   * Sets channels that may be edited, by name, past their reducers; a decision is still awaited.
   *
   * <p>Ends with an {@link InvalidEditException} if a name is not one of these, with an
   * {@link io.superstep.state.InvalidUpdateException} if a value does not fit its channel, and else
   * as {@link #approve} does.
   *
   * @param by who edits
   */
  public Mono<Checkpoint> edit(
      GraphThread thread, Map<String, ? extends @Nullable Object> fields, String by) {
    Map<String, ? extends @Nullable Object> edited = new LinkedHashMap<>(fields);
    List<String> strange = edited.keySet().stream()
        .filter(name -> !channels.editable().contains(name))
        .toList();
    if (!strange.isEmpty()) {
      return Mono.error(() -> new InvalidEditException(thread.id(), strange, channels.editable()));
    }
    String text = "Plan updated by user";
    return whileAwaited(thread, Amendment.of(channels.edited(edited, text), by, text));
  }

  /** Makes a change if a decision is awaited, once nobody else is at the thread. */
  private Mono<Checkpoint> whileAwaited(GraphThread thread, Amendment change) {
    return inTurn(
        thread,
        () -> thread
            .amend(saved -> requireAwaited(thread, saved).thenReturn(change))
            // whoever comes too late need not wait for a run to be told so
            .onErrorResume(
                ThreadBusyException.class,
                busy -> thread
                    .state()
                    .flatMap(saved -> requireAwaited(thread, saved))
                    .then(Mono.error(busy))));
  }

  private Mono<Void> requireAwaited(GraphThread thread, SavedThread saved) {
    State state = saved.position().state();
    if (channels.isNext(saved) && channels.isAwaiting(state)) {
      CheckpointId head = saved.checkpoint().id();
      return seen == null || seen.equals(head)
          ? Mono.empty()
          : Mono.error(() -> CheckpointConflictException.movedHead(thread.id(), seen, head));
    }
    Mono<Answer> before = channels.isDecided(state) ? lastDecision(thread) : Mono.empty();
    return before
        .<RuntimeException>map(answer -> new AlreadyAnsweredException(thread.id(), answer))
        .switchIfEmpty(Mono.fromSupplier(() -> nothingToApprove(thread, saved)))
        .flatMap(Mono::error);
  }

  private Mono<Answer> lastDecision(GraphThread thread) {
    return thread
        .history(HistoryFilter.ALL.causedBy(Kind.UPDATE).limit(LOOK_BACK))
        .concatMap(checkpoint -> Mono.justOrEmpty(channels.decision(checkpoint)))
        .next();
  }

  private NothingToApproveException nothingToApprove(GraphThread thread, SavedThread saved) {
    return channels.isNext(saved)
        ? NothingToApproveException.notRequested(thread.id(), channels.node())
        : elsewhere(thread, saved);
  }

  private NothingToApproveException elsewhere(GraphThread thread, SavedThread saved) {
    return NothingToApproveException.elsewhere(
        thread.id(), channels.node(), saved.position().nodes());
  }

  /** Comes back a few times if somebody else is at the thread. */
  private static Mono<Checkpoint> inTurn(GraphThread thread, Supplier<Mono<Checkpoint>> work) {
    return MonoBoundary.returning(Mono.defer(work)
        .retryWhen(Retry.from(failures -> failures.concatMap(failed -> again(thread, failed)))));
  }

  private static Mono<Long> again(GraphThread thread, RetrySignal failed) {
    if (failed.totalRetries() < TRIES && failed.failure() instanceof ThreadBusyException) {
      long doubled = 1L << Math.min(failed.totalRetries(), DOUBLED);
      return Mono.delay(FIRST_WAIT.multipliedBy(doubled), thread.timer());
    }
    return Mono.error(failed.failure());
  }

  /**
   * Whether the thread may be resumed: not if it does not exist, while a decision is awaited, after
   * a rejection until there is another plan, when {@code maxRevisions} were made, or if the state
   * tells of an error; the first of these is the reason. It is good advice and no more: what a
   * rejected thread does when it is resumed all the same, its {@link #decision} says, and
   * {@code maxVisits} of the graph limits revisions whoever asks.
   */
  public Mono<Verdict> canResume(GraphThread thread, int maxRevisions) {
    return MonoBoundary.returning(thread
        .state()
        .map(saved -> channels.verdict(saved, maxRevisions))
        .defaultIfEmpty(Verdict.no("No checkpoint found")));
  }

  /** The thread as somebody sees it who has to decide; empty if there is no such thread. */
  public Mono<ApprovalView> view(GraphThread thread) {
    return MonoBoundary.returning(thread.state().map(channels::view));
  }

  /**
   * Collects what approvals are told; each option can be set once. The channels {@code awaiting},
   * {@code approved} and {@code feedback} are needed.
   */
  public static final class Builder {

    private final String node;
    private @Nullable Channel<? extends @Nullable Boolean> awaiting;
    private @Nullable Channel<@Nullable Boolean> approved;
    private @Nullable Channel<? extends @Nullable String> feedback;
    private @Nullable Channel<? extends @Nullable Integer> revisions;
    private @Nullable Channel<? extends @Nullable String> error;
    private @Nullable Channel<?> plan;
    private @Nullable Channel<?> report;
    private @Nullable Set<String> editable;

    private Builder(String node) {
      this.node = Objects.requireNonNull(node);
    }

    /** Holds whether a decision is awaited. */
    public Builder awaiting(Channel<? extends @Nullable Boolean> channel) {
      awaiting = once("awaiting", awaiting, channel);
      return this;
    }

    /** Holds what was decided: true, false, or null as long as nothing was. It has no start. */
    public Builder approved(Channel<@Nullable Boolean> channel) {
      if (channel.hasStart()) {
        throw new IllegalArgumentException("Channel '" + channel.name()
            + "' must be null until a decision is made: remove its start value.");
      }
      approved = once("approved", approved, channel);
      return this;
    }

    /** Holds what was said last about the plan. */
    public Builder feedback(Channel<? extends @Nullable String> channel) {
      feedback = once("feedback", feedback, channel);
      return this;
    }

    /** Holds how often the plan was revised, which the graph counts. */
    public Builder revisions(Channel<? extends @Nullable Integer> channel) {
      revisions = once("revisions", revisions, channel);
      return this;
    }

    /** Holds what went wrong, in the words of the graph; null or empty if nothing did. */
    public Builder error(Channel<? extends @Nullable String> channel) {
      error = once("error", error, channel);
      return this;
    }

    /** Holds what there is to approve. */
    public Builder plan(Channel<?> channel) {
      plan = once("plan", plan, channel);
      return this;
    }

    /** Holds what it all comes to. */
    public Builder report(Channel<?> channel) {
      report = once("report", report, channel);
      return this;
    }

    /** Lets people set these channels before they decide. */
    public Builder editable(Channel<?>... some) {
      Set<String> names = new LinkedHashSet<>();
      for (Channel<?> channel : some) {
        names.add(channel.name());
      }
      editable = once("editable", editable, Collections.unmodifiableSet(names));
      return this;
    }

    private static <T> T needed(String option, @Nullable T value) {
      if (value == null) {
        throw new IllegalStateException("Approvals require a channel: call " + option + "(...).");
      }
      return value;
    }

    /**
     * What was described.
     *
     * @throws IllegalStateException if a channel is missing, or an edit could decide
     */
    public Approvals build() {
      ApprovalChannels channels = new ApprovalChannels(
          node,
          needed("awaiting", awaiting),
          needed("approved", approved),
          needed("feedback", feedback),
          revisions,
          error,
          plan,
          report,
          editable == null ? Set.of() : editable);
      for (Channel<?> own :
          List.<Channel<?>>of(channels.awaiting(), channels.approved(), channels.feedback())) {
        if (channels.editable().contains(own.name())) {
          throw new IllegalStateException(
              "Channel '" + own.name() + "' has the decision and cannot be editable.");
        }
      }
      return new Approvals(channels, null);
    }
  }
}
