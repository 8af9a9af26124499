package io.superstep.state;

import java.util.List;

/**
 * The result of folding contributions into a state: the next state and how it came about.
 *
 * @param handedBack channels whose own, unchanged list, set or map was written back to them; that
 *     counts as no change, but whoever does it probably meant to return an update and not the whole
 *     state
 */
public record Transition(State state, Changes changes, List<HandedBack> handedBack) {

  public Transition {
    handedBack = List.copyOf(handedBack);
  }

  /** A channel that was given back what it held, and who did it. */
  public record HandedBack(String channel, String writer) {}
}
