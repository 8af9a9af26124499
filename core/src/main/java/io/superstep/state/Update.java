package io.superstep.state;

import io.superstep.message.Message;
import io.superstep.value.FrozenList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A partial write to the state: an immutable list of writes, folded in their order.
 *
 * <p>A channel that an update does not name is left alone; that is something else than writing an
 * empty value to it. Values are checked and frozen here, where they are handed in by a typed key,
 * so a mistake shows in the line that made it. By name, types are checked when the update meets its
 * schema.
 */
public final class Update implements NodeOutput {

  /** The update that writes nothing. */
  public static final Update NOTHING = new Update(List.of());

  private final List<Write> writes;

  Update(List<Write> writes) {
    this.writes = writes;
  }

  /** Writes {@code value} to {@code channel}, through its reducer. */
  public static <T extends @Nullable Object> Update of(Channel<T> channel, T value) {
    return new Update(List.of(new Write(channel.name(), channel.admit(value), false, channel)));
  }

  /** Writes {@code value} to the channel called {@code channel}, through its reducer. */
  public static Update of(String channel, @Nullable Object value) {
    return new Update(List.of(Write.named(channel, value, false)));
  }

  /**
   * Writes each entry to the channel its key names, through the reducers, in the order of the map.
   */
  public static Update of(Map<String, ?> values) {
    List<Write> writes = new ArrayList<>();
    values.forEach(
        (channel, value) -> writes.add(Write.named(String.valueOf(channel), value, false)));
    return new Update(List.copyOf(writes));
  }

  /** Writes {@code items} to a list, through its reducer. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public static <E> Update append(ListChannel<E> channel, E... items) {
    return of(channel, Arrays.asList(items));
  }

  /**
   * Replaces what {@code channel} holds, past its reducer.
   *
   * <p>Within one task the order of writes counts. Across the tasks of a step an overwrite precedes
   * what the others write to a channel with a reducer, whatever the order of declaration. Two tasks
   * that overwrite such a channel in one step are refused (SG-212).
   */
  public static <T extends @Nullable Object> Update overwrite(Channel<T> channel, T value) {
    return new Update(List.of(new Write(channel.name(), channel.admit(value), true, channel)));
  }

  /**
   * Replaces what the channel called {@code channel} holds, past its reducer.
   *
   * <p>Within one task the order of writes counts. Across the tasks of a step an overwrite precedes
   * what the others write to a channel with a reducer, whatever the order of declaration. Two tasks
   * that overwrite such a channel in one step are refused (SG-212).
   */
  public static Update overwrite(String channel, @Nullable Object value) {
    return new Update(List.of(Write.named(channel, value, true)));
  }

  /** This update, then {@code value} to {@code channel}. */
  public <T extends @Nullable Object> Update and(Channel<T> channel, T value) {
    return and(of(channel, value));
  }

  /**
   * Returns the input of a run.
   *
   * @throws InvalidUpdateException if {@code input} is null
   */
  public static Update requireInput(@Nullable Update input) {
    if (input == null) {
      throw InvalidUpdateException.of(
          "SG-202",
          "The input is null.",
          null,
          null,
          "Pass Update.NOTHING to run without an input.");
    }
    return input;
  }

  /** What all of {@code updates} write, one after the other. */
  public static Update all(Collection<Update> updates) {
    return new Update(updates.stream().flatMap(update -> update.writes.stream()).toList());
  }

  /** This update, then {@code other}. */
  public Update and(Update other) {
    List<Write> both = new ArrayList<>(writes);
    both.addAll(other.writes);
    return new Update(List.copyOf(both));
  }

  /**
   * This update with an id for each message that has none: {@code prefix}, a dash, and the number
   * of the message in the update. The engine calls this once, on all that an execution of a task
   * wrote.
   */
  public Update withMessageIds(String prefix) {
    MessageNumbers numbers = new MessageNumbers(prefix);
    if (writes.size() == 1) { // as of most nodes that speak
      return new Update(List.of(numbers.filledIn(writes.get(0))));
    }
    List<Write> filled = new ArrayList<>(writes.size());
    writes.forEach(write -> filled.add(numbers.filledIn(write)));
    return new Update(List.copyOf(filled));
  }

  /**
   * The count of numbers that {@link #withMessageIds} takes for this update: the number of the
   * first message without an id in the next update of the task.
   */
  public int messageNumbers() {
    int numbers = 0;
    for (Write write : writes) {
      numbers += MessageNumbers.count(write);
    }
    return numbers;
  }

  /** Whether a message that this update writes has no id yet. */
  public boolean lacksMessageIds() {
    for (int index = 0; index < writes.size(); index++) {
      if (MessageNumbers.lacksId(writes.get(index))) {
        return true;
      }
    }
    return false;
  }

  /** This update without what it writes to other channels. */
  public Update only(Set<String> channels) {
    return new Update(
        writes.stream().filter(write -> channels.contains(write.channel())).toList());
  }

  /**
   * Refuses this update if it writes a channel that {@code writer} did not say it writes.
   *
   * @throws InvalidUpdateException if it does
   */
  public void requireOnly(Set<String> declared, String writer) {
    for (Write write : writes) {
      if (!declared.contains(write.channel())) {
        throw InvalidUpdateException.of(
            "SG-221",
            "Node '" + writer + "' wrote channel '" + write.channel()
                + "', but is declared to write only " + declared + ".",
            write.channel(),
            writer,
            "Add the channel to writes(\"" + writer + "\", ...), or remove the write.");
      }
    }
  }

  public List<Write> writes() {
    return writes;
  }

  public boolean isEmpty() {
    return writes.isEmpty();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Update update && writes.equals(update.writes);
  }

  @Override
  public int hashCode() {
    return writes.hashCode();
  }

  /** Which channels are written; never what is written. */
  @Override
  public String toString() {
    return "Update" + writes.stream().map(Write::channel).toList();
  }

  private static final class MessageNumbers {

    private final String prefix;
    private int next = 0;

    MessageNumbers(String prefix) {
      this.prefix = prefix;
    }

    Write filledIn(Write write) {
      if (!lacksId(write)) {
        return write;
      }
      return write.value() instanceof FrozenList<?> items
          ? write.with(allFilledIn(items))
          : write.with(filledIn(write.value()));
    }

    private <E extends @Nullable Object> FrozenList<E> allFilledIn(FrozenList<E> items) {
      return items.map(this::filledIn);
    }

    @SuppressWarnings("unchecked") // with an id a message is of the same kind
    private <E extends @Nullable Object> E filledIn(E item) {
      if (!(item instanceof Message message)) {
        return item;
      }
      int number = next++;
      return message.id() == null ? (E) message.withId(prefix + "-" + number) : item;
    }

    /** How many numbers {@code write} takes: none if all its messages have an id. */
    static int count(Write write) {
      if (!lacksId(write)) {
        return 0;
      }
      if (!(write.value() instanceof FrozenList<?> items)) {
        return 1;
      }
      int messages = 0;
      for (int position = 0; position < items.size(); position++) {
        messages += items.get(position) instanceof Message ? 1 : 0;
      }
      return messages;
    }

    private static boolean lacksId(Write write) {
      if (write.key() != null && !write.key().holdsMessages()) {
        return false;
      }
      if (write.value() instanceof FrozenList<?> items) {
        for (int position = 0; position < items.size(); position++) {
          if (lacksId(items.get(position))) {
            return true;
          }
        }
        return false;
      }
      return lacksId(write.value());
    }

    private static boolean lacksId(@Nullable Object item) {
      return item instanceof Message message && message.id() == null;
    }
  }
}
