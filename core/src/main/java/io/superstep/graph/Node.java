package io.superstep.graph;

import io.superstep.state.Channel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A function of a graph, with all that was said about how it is run. */
public final class Node {

  private final String name;
  private final int ordinal;
  private final NodeBody body;
  private final NodePolicy policy;
  private final @Nullable ErrorHandler handler;
  private final Set<String> mayGoTo;
  private final @Nullable Set<String> writes;
  private final @Nullable VisitLimit limit;
  private final boolean deferred;
  private final boolean pausedBefore;
  private final boolean pausedAfter;

  Node(int ordinal, NodeDraft draft, NodeBody body, NodePolicy defaults) {
    this.name = draft.name();
    this.ordinal = ordinal;
    this.body = body;
    this.policy = draft.policy().map(said -> said.or(defaults)).orElse(defaults);
    this.handler = draft.handler().orElse(null);
    this.mayGoTo = draft
        .mayGoTo()
        .map(targets -> Collections.unmodifiableSet(new LinkedHashSet<>(targets.names())))
        .orElse(Set.of());
    this.writes = draft.writes().map(Node::names).orElse(null);
    this.limit = draft.limit().orElse(null);
    this.deferred = draft.isDeferred();
    this.pausedBefore = draft.isPausedBefore();
    this.pausedAfter = draft.isPausedAfter();
  }

  private static Set<String> names(List<Channel<?>> channels) {
    Set<String> names = new LinkedHashSet<>();
    channels.forEach(channel -> names.add(channel.name()));
    return Collections.unmodifiableSet(names);
  }

  public String name() {
    return name;
  }

  /** Its place in the order of declaration, which is the order in which updates are folded. */
  public int ordinal() {
    return ordinal;
  }

  public NodeBody body() {
    return body;
  }

  /** How it is run; the defaults of the graph are in it. */
  public NodePolicy policy() {
    return policy;
  }

  /**
   * Whether it does something to the world outside that must not be done twice. Of a graph inside,
   * the nodes say so.
   */
  public boolean actsOutside() {
    return Boolean.TRUE.equals(policy.actsOutside()) && !(body instanceof NodeBody.Nested);
  }

  public Optional<ErrorHandler> handler() {
    return Optional.ofNullable(handler);
  }

  /** Where its commands may lead, the end included. */
  public Set<String> mayGoTo() {
    return mayGoTo;
  }

  /** The channels it writes, and it writes no others; empty if nothing was said about it. */
  public Optional<Set<String>> writes() {
    return Optional.ofNullable(writes);
  }

  public Optional<VisitLimit> limit() {
    return Optional.ofNullable(limit);
  }

  /** Whether it waits until nothing else is due. */
  public boolean isDeferred() {
    return deferred;
  }

  /** Whether a run stops before it. */
  public boolean isPausedBefore() {
    return pausedBefore;
  }

  /** Whether a run stops after it. */
  public boolean isPausedAfter() {
    return pausedAfter;
  }

  /** When it runs, if not simply when it is due; in words. */
  List<String> marks() {
    List<String> marks = new ArrayList<>(0);
    if (deferred) {
      marks.add("deferred");
    }
    if (pausedBefore) {
      marks.add("interrupt before");
    }
    if (pausedAfter) {
      marks.add("interrupt after");
    }
    return marks;
  }

  @Override
  public String toString() {
    return name;
  }
}
