package io.superstep.state;

import io.superstep.state.Channel.Lifetime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The order in which the contributions of one step are folded: plan order, except that the
 * overwrite of a channel with a reducer precedes what other tasks write to that channel.
 */
final class FoldOrder {

  private final StateSchema schema;
  private final List<Contribution> contributions;

  /** The task that overwrites a channel, by ordinal. */
  private final Map<Integer, Contribution> overwriters = new HashMap<>();

  private FoldOrder(StateSchema schema, List<Contribution> contributions) {
    this.schema = schema;
    this.contributions = contributions;
  }

  /**
   * Returns {@code contributions} in fold order; the same list if no overwrite moves.
   *
   * @throws InvalidUpdateException if two contributions overwrite one channel
   */
  static List<Contribution> of(StateSchema schema, List<Contribution> contributions) {
    if (contributions.size() < 2) {
      return contributions; // the order within one task counts
    }
    FoldOrder order = null;
    for (int index = 0; index < contributions.size(); index++) {
      Contribution contribution = contributions.get(index);
      List<Write> writes = contribution.update().writes();
      for (int write = 0; write < writes.size(); write++) {
        if (writes.get(write).overwrite()) {
          order = order == null ? new FoldOrder(schema, contributions) : order;
          order.overwrite(contribution, writes.get(write));
        }
      }
    }
    return order == null || order.overwriters.isEmpty() ? contributions : order.inOrder();
  }

  private void overwrite(Contribution by, Write write) {
    int ordinal = schema.ordinal(write, by.writer());
    Channel<?> channel = schema.channel(ordinal);
    if (channel.spec().reducer() == null || channel.lifetime() == Lifetime.ARGUMENT) {
      return; // a plain write, or an invalid one
    }
    Contribution other = overwriters.putIfAbsent(ordinal, by);
    if (other != null && other != by) {
      throw InvalidUpdateException.of(
          "SG-212",
          "Two tasks overwrote channel '" + channel.name() + "' in one step: '" + other.writer()
              + "' and '" + by.writer() + "'.",
          channel.name(),
          by.writer(),
          "Let one task overwrite the channel, or write through its reducer.");
    }
  }

  private List<Contribution> inOrder() {
    List<Contribution> first = new ArrayList<>();
    List<Contribution> rest = new ArrayList<>(contributions.size());
    for (Contribution contribution : contributions) {
      if (overwriters.values().stream().anyMatch(by -> by == contribution)) {
        split(contribution, first, rest);
      } else {
        rest.add(contribution);
      }
    }
    first.addAll(rest);
    return first;
  }

  /** Separates the overwrites of a task, with its own writes before them, from the other writes. */
  private void split(Contribution from, List<Contribution> first, List<Contribution> rest) {
    List<Write> writes = from.update().writes();
    Map<Integer, Integer> lastOverwrite = new HashMap<>();
    for (int index = 0; index < writes.size(); index++) {
      Write write = writes.get(index);
      int ordinal = schema.ordinal(write, from.writer());
      if (write.overwrite() && overwriters.get(ordinal) == from) {
        lastOverwrite.put(ordinal, index);
      }
    }
    List<Write> early = new ArrayList<>();
    List<Write> late = new ArrayList<>();
    for (int index = 0; index < writes.size(); index++) {
      Write write = writes.get(index);
      Integer last = lastOverwrite.get(schema.ordinal(write, from.writer()));
      (last != null && index <= last ? early : late).add(write);
    }
    first.add(new Contribution(from.writer(), new Update(early)));
    if (!late.isEmpty()) {
      rest.add(new Contribution(from.writer(), new Update(late)));
    }
  }
}
