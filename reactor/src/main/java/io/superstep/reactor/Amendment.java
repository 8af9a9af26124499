package io.superstep.reactor;

import io.superstep.state.Update;
import org.jspecify.annotations.Nullable;

/**
 * A change to a thread from outside.
 *
 * @param author who makes it
 * @param reason why, or null
 * @param node as which node it is made, whose edges and routes then decide what is due; null if
 *     what is due stays due
 */
public record Amendment(
    Update change,
    String author,
    @Nullable String reason,
    @Nullable String node) {

  /** A change after which what was due stays due. */
  public static Amendment of(Update change, String author, @Nullable String reason) {
    return new Amendment(change, author, reason, null);
  }

  /** The same change, as if {@code other} had just said it. */
  public Amendment actingAs(String other) {
    return new Amendment(change, author, reason, other);
  }
}
