package io.superstep.graph;

import io.superstep.state.State;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A way out of a node that is chosen when its step is committed, among declared targets. */
public final class Route {

  private final Set<String> targets;
  private final Kind kind;
  private final Function<State, Choice> router;

  private Route(Targets targets, Kind kind, Function<State, Choice> router) {
    this.targets = Collections.unmodifiableSet(new LinkedHashSet<>(targets.names()));
    this.kind = kind;
    this.router = router;
  }

  static Route one(Targets targets, Router router) {
    return new Route(
        targets,
        Kind.ONE,
        state -> new Choice(Collections.singletonList(router.choose(state)), List.of()));
  }

  static Route several(Targets targets, MultiRouter router) {
    return new Route(targets, Kind.SEVERAL, state -> Choice.of(router.choose(state)));
  }

  static Route sends(Targets targets, SendRouter router) {
    return new Route(targets, Kind.SENDS, state -> Choice.ofSends(router.choose(state)));
  }

  /** What the route may choose from, in the order in which it was declared. */
  public Set<String> targets() {
    return targets;
  }

  public Kind kind() {
    return kind;
  }

  /** What the router chooses; nothing about it has been checked yet. */
  public Choice choose(State state) {
    return router.apply(state);
  }

  /** How many ways a route takes at once. */
  public enum Kind {
    /** Exactly one. */
    ONE,
    /** As many as it names. */
    SEVERAL,
    /** One task for each send. */
    SENDS
  }

  /**
   * What a router said; null entries stand for the null it returned.
   *
   * @param sends empty unless the route sends
   */
  public record Choice(List<@Nullable String> names, List<@Nullable Send> sends) {

    private static Choice of(@Nullable Collection<? extends @Nullable String> names) {
      return new Choice(copy(names), List.of());
    }

    private static Choice ofSends(@Nullable Collection<? extends @Nullable Send> sends) {
      return new Choice(List.of(), copy(sends));
    }

    private static <T> List<@Nullable T> copy(@Nullable Collection<? extends @Nullable T> said) {
      return said == null
          ? Collections.singletonList(null)
          : Collections.unmodifiableList(new ArrayList<>(said));
    }
  }
}
