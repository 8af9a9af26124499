package io.superstep.state;

import io.superstep.error.DidYouMean;
import io.superstep.error.Problem;
import io.superstep.state.Channel.Lifetime;
import io.superstep.value.ValueType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The channels a graph may use, what of them a caller may write and gets to see, and what must hold
 * of all together.
 *
 * <p>Without an input view a caller may write every channel, without an output view a caller sees
 * every channel. With both, a channel in neither is private to the nodes. Immutable.
 */
public final class StateSchema {

  private final List<Channel<?>> channels;
  private final Channel<?>[] byOrdinal;
  private final Map<String, Integer> ordinals;
  private final List<Integer> ephemeral;
  private final List<Integer> arguments;
  private final boolean hasRuntimeChannels;
  private final @Nullable Set<String> input;
  private final @Nullable Set<String> output;
  private final List<Check> checks;

  private StateSchema(
      List<Channel<?>> channels,
      @Nullable Set<String> input,
      @Nullable Set<String> output,
      List<Check> checks) {
    this.channels = List.copyOf(channels);
    this.byOrdinal = this.channels.toArray(Channel<?>[]::new);
    this.ordinals = new HashMap<>();
    this.ephemeral = new ArrayList<>(0);
    this.arguments = new ArrayList<>(0);
    for (Channel<?> channel : channels) {
      if (channel.lifetime() == Lifetime.NEXT_STEP) {
        ephemeral.add(ordinals.size());
      } else if (channel.lifetime() == Lifetime.ARGUMENT) {
        arguments.add(ordinals.size());
      }
      ordinals.put(channel.name(), ordinals.size());
    }
    this.hasRuntimeChannels =
        channels.stream().anyMatch(channel -> channel.lifetime() == Lifetime.RUNTIME);
    this.input = input;
    this.output = output;
    this.checks = List.copyOf(checks);
  }

  /** The schema of {@code channels}, without views. */
  public static StateSchema of(Channel<?>... channels) {
    return builder().channels(channels).build();
  }

  /**
   * The schema that a plain map describes: each key a channel, each value a map with the optional
   * entries {@code type} (a class), {@code reducer} (a {@link Reducer} or the name of one in
   * {@link Reducers}) and {@code default}; a value that is not a map stands for no options.
   */
  public static StateSchema of(Map<String, ?> description) {
    return MapSchema.read(description);
  }

  /** The schema of a record: each component a channel, {@link Reduced} says how it is folded. */
  public static StateSchema of(Class<? extends Record> record) {
    return RecordShape.of(record).schema();
  }

  public static Builder builder() {
    return new Builder();
  }

  /** All channels, in the order in which they were declared. */
  public List<Channel<?>> channels() {
    return channels;
  }

  /** Whether there is a channel called {@code name}. */
  public boolean has(String name) {
    return ordinals.containsKey(name);
  }

  /** The channel called {@code name}. */
  public Channel<?> channel(String name) {
    return channels.get(ordinal(name));
  }

  /** The typed key of the channel called {@code name}. */
  @SuppressWarnings("unchecked")
  public <T> Channel<@Nullable T> channel(String name, Class<T> type) {
    Channel<?> channel = channel(name);
    if (!channel.type().raw().equals(ValueType.of(type).raw())) {
      throw otherType(name, channel, type.getSimpleName());
    }
    return (Channel<@Nullable T>) channel;
  }

  /** What a run starts with: the start value of each channel, asked for now. */
  public State start() {
    return restore(Map.of(), Map.of(), Map.of());
  }

  /**
   * The state that was stored: the channels in {@code stored} hold what was stored, however large,
   * and all others their start value. A stored null gives way to a start value that was declared
   * since.
   *
   * @param versions what {@link State#version} was, where it was not 0
   * @param strangers stored channels that this schema does not know, to be kept as they are
   * @throws InvalidUpdateException if a stored value is not of its channel's type
   */
  public State restore(
      Map<String, ?> stored, Map<String, Integer> versions, Map<String, Object> strangers) {
    return restored(stored, versions, strangers, true);
  }

  /**
   * The state that was stored, as {@link #restore} has it but without what lives only as long as a
   * run, as {@link State#stored} leaves it: no start value of that is asked for.
   */
  public State restoreStored(
      Map<String, ?> stored, Map<String, Integer> versions, Map<String, Object> strangers) {
    return restored(stored, versions, strangers, false);
  }

  private State restored(
      Map<String, ?> stored,
      Map<String, Integer> versions,
      Map<String, Object> strangers,
      boolean running) {
    @Nullable Object[] values = new @Nullable Object[channels.size()];
    int[] counts = new int[values.length];
    for (int ordinal = 0; ordinal < values.length; ordinal++) {
      Channel<?> channel = channels.get(ordinal);
      Object value = stored.get(channel.name());
      if (value != null) {
        values[ordinal] = channel.admit(value, Long.MAX_VALUE);
      } else if (running || channel.lifetime() != Lifetime.RUNTIME) {
        values[ordinal] = channel.spec().initial();
      }
      counts[ordinal] = versions.getOrDefault(channel.name(), 0);
    }
    return new State(
        this,
        Slots.of(values, counts),
        strangers.isEmpty()
            ? Map.of()
            : Collections.unmodifiableMap(new LinkedHashMap<>(strangers)),
        ephemeral.isEmpty() ? List.of() : starts(stored, values));
  }

  /** What the channels that live for one step go back to. */
  private List<@Nullable Object> starts(Map<String, ?> stored, @Nullable Object[] values) {
    List<@Nullable Object> starts = new ArrayList<>(ephemeral.size());
    for (int ordinal : ephemeral) {
      Channel<?> channel = channels.get(ordinal);
      boolean stands = stored.get(channel.name()) == null;
      starts.add(stands ? values[ordinal] : channel.spec().initial());
    }
    return Collections.unmodifiableList(starts);
  }

  /**
   * {@code other}, which an older schema may have made and a store has kept, as a state of this
   * one: what lives only as long as a run starts anew. Channels that this schema does not know are
   * kept for one that does.
   *
   * @throws InvalidUpdateException if a channel has another type by now
   */
  public State adopt(State other) {
    if (other.schema() == this) {
      return hasRuntimeChannels
          ? other.with(withRuntime(other.slots(), channel -> channel.spec().initial()))
          : other;
    }
    Map<String, Object> kept = new LinkedHashMap<>(other.strangers());
    for (Channel<?> channel : other.schema().channels) {
      if (channel.lifetime().isStored()) {
        kept.put(
            channel.name(),
            new KeptChannel(channel.name(), other.get(channel), other.version(channel)));
      }
    }
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    Map<String, Integer> versions = new LinkedHashMap<>();
    for (Channel<?> channel : channels) {
      if (kept.remove(channel.name()) instanceof KeptChannel known
          && channel.lifetime().isStored()) {
        values.put(channel.name(), known.value());
        versions.put(channel.name(), known.version());
      }
    }
    return restore(values, versions, kept);
  }

  /** {@code slots} without what lives only as long as a run or a task, to be kept. */
  Slots stripped(Slots slots) {
    return withoutArguments(hasRuntimeChannels ? withRuntime(slots, channel -> null) : slots);
  }

  private Slots withoutArguments(Slots slots) {
    Slots kept = slots;
    for (int index = 0; index < arguments.size(); index++) {
      int ordinal = arguments.get(index);
      if (slots.version(ordinal) > 0) {
        Slots.Editor editor = kept.edit();
        editor.reset(ordinal, byOrdinal[ordinal].spec().initial());
        kept = editor.done();
      }
    }
    return kept;
  }

  /** {@code slots} with other values in the channels that live only as long as a run. */
  private Slots withRuntime(Slots slots, Function<Channel<?>, @Nullable Object> value) {
    Slots.Editor editor = slots.edit();
    for (int ordinal = 0; ordinal < byOrdinal.length; ordinal++) {
      if (byOrdinal[ordinal].lifetime() == Lifetime.RUNTIME) {
        editor.reset(ordinal, value.apply(byOrdinal[ordinal]));
      }
    }
    return editor.done();
  }

  /**
   * {@code input} from a caller, if it writes only what callers may write.
   *
   * @throws InvalidUpdateException if it names an unknown or hidden channel or has a value of
   *     another type
   */
  public Update accept(Update update) {
    for (Write write : update.writes()) {
      if (input != null
          && ordinals.containsKey(write.channel())
          && !input.contains(write.channel())) {
        throw InvalidUpdateException.of(
            "SG-219",
            "Channel '" + write.channel() + "' is not part of the input view.",
            write.channel(),
            null,
            "Leave out the channel, or add it to input(...), which has " + input + ".");
      }
    }
    check(update, null);
    return update;
  }

  /**
   * Checks that {@code update} names known channels and has values of their types, before anything
   * is folded.
   *
   * @param writer who emitted it
   * @throws InvalidUpdateException if it does not
   */
  public void check(Update update, @Nullable String writer) {
    List<Write> writes = update.writes();
    for (int index = 0; index < writes.size(); index++) {
      Write write = writes.get(index);
      admitted(channels.get(ordinal(write, writer)), write, writer);
    }
  }

  /**
   * Returns the contributions of one step, which are in plan order, in the order in which
   * {@link State#fold(List)} folds them. Their updates one after the other, as one update, lead to
   * the same state.
   *
   * @throws InvalidUpdateException if two of them overwrite one channel that has a reducer
   */
  public List<Contribution> inFoldOrder(List<Contribution> contributions) {
    return FoldOrder.of(this, contributions);
  }

  /**
   * Checks that {@code arguments} can travel with a send.
   *
   * @param sender who sends them
   * @throws InvalidUpdateException if they cannot
   */
  public void checkArguments(Update arguments, @Nullable String sender) {
    for (Write write : arguments.writes()) {
      requireFit(argument(write, sender), write, sender);
    }
  }

  private static <T extends @Nullable Object> void requireFit(
      Channel<T> channel, Write write, @Nullable String sender) {
    requireFit(
        channel,
        admitted(channel, write, sender),
        sender,
        "Send a value that passes the check of the channel.");
  }

  /** Refuses {@code held} if the check of the channel has something to say about it. */
  static <T extends @Nullable Object> void requireFit(
      Channel<T> channel, @Nullable Object held, @Nullable String writer, String fix) {
    T value = channel.type().handOut(held);
    String said;
    try {
      said = value == null ? null : channel.spec().complaintAbout(value);
    } catch (Throwable failure) {
      throw InvalidUpdateException.ofCheck(channel.name(), writer, failure);
    }
    if (said != null) {
      throw InvalidUpdateException.of("SG-214", said, channel.name(), writer, fix);
    }
  }

  /** The argument channel that {@code write} names. */
  Channel<?> argument(Write write, @Nullable String sender) {
    Channel<?> channel = channels.get(ordinal(write, sender));
    if (channel.lifetime() != Lifetime.ARGUMENT) {
      throw InvalidUpdateException.of(
          "SG-218",
          "Channel '" + channel.name() + "' is not an argument channel, so a send cannot carry it.",
          channel.name(),
          sender,
          "Declare the channel with argument(), or write it with an update.");
    }
    return channel;
  }

  /** What a caller gets to see of {@code state}, by name. */
  public Map<String, @Nullable Object> output(State state) {
    Map<String, @Nullable Object> seen = new LinkedHashMap<>();
    outputs().forEach(channel -> seen.put(channel.name(), state.get(channel)));
    return Collections.unmodifiableMap(seen);
  }

  /** The channels that callers may write; only sends bring arguments. */
  public List<Channel<?>> inputs() {
    return channels.stream()
        .filter(channel -> channel.lifetime() != Lifetime.ARGUMENT)
        .filter(channel -> input == null || input.contains(channel.name()))
        .toList();
  }

  /** The channels that callers get to see. */
  public List<Channel<?>> outputs() {
    return channels.stream()
        .filter(channel -> output == null
            ? channel.lifetime() != Lifetime.ARGUMENT
            : output.contains(channel.name()))
        .toList();
  }

  /** Whether an output view names the channels that callers get to see; without one all are. */
  public boolean hasOutputView() {
    return output != null;
  }

  /** Whether only nodes write and read {@code channel}. */
  public boolean isPrivate(Channel<?> channel) {
    ordinal(channel);
    return input != null
        && output != null
        && !input.contains(channel.name())
        && !output.contains(channel.name());
  }

  Channel<?> channel(int ordinal) {
    return byOrdinal[ordinal];
  }

  boolean hasRuntimeChannels() {
    return hasRuntimeChannels;
  }

  List<Integer> ephemeral() {
    return ephemeral;
  }

  /** Where {@code key} was found last, if that is where it is in this schema; else -1. */
  private int guessed(Channel<?> key) {
    int guess = key.guess();
    return guess < byOrdinal.length && byOrdinal[guess] == key ? guess : -1;
  }

  int ordinal(String name) {
    Integer ordinal = ordinals.get(name);
    if (ordinal == null) {
      throw unknown(name, null);
    }
    return ordinal;
  }

  int ordinal(Channel<?> key) {
    int guessed = guessed(key);
    if (guessed >= 0) {
      return guessed;
    }
    int ordinal = ordinal(key.name());
    Channel<?> channel = channels.get(ordinal);
    if (!channel.equals(key)) {
      throw otherType(key.name(), channel, key.type().toString());
    }
    key.foundAt(ordinal);
    return ordinal;
  }

  int ordinal(Write write, @Nullable String writer) {
    int guessed = write.key() == null ? -1 : guessed(write.key());
    if (guessed >= 0) {
      return guessed;
    }
    Integer ordinal = ordinals.get(write.channel());
    if (ordinal == null) {
      throw unknown(write.channel(), writer);
    }
    return ordinal;
  }

  /**
   * The value of {@code write} as {@code channel} can hold it; one that came with this very key was
   * checked before.
   */
  // an equal key may have other limits
  static <T extends @Nullable Object> T admitted(
      Channel<T> channel, Write write, @Nullable String writer) {
    if (write.key() == channel) {
      return channel.spec().unchecked(write.value());
    }
    try {
      return channel.admit(write.value());
    } catch (InvalidUpdateException refused) {
      throw writer == null ? refused : refused.by(writer);
    }
  }

  /** Refuses {@code state} with all checks that it does not pass. */
  void requireChecked(State state) {
    List<Problem> problems = new ArrayList<>(0);
    for (Check check : checks) {
      check.complaint(state).ifPresent(problems::add);
    }
    if (!problems.isEmpty()) {
      throw new InvalidUpdateException(problems);
    }
  }

  private InvalidUpdateException unknown(String name, @Nullable String writer) {
    return InvalidUpdateException.of(
        "SG-211",
        "Channel '" + name + "' does not exist.",
        name,
        writer,
        use(name, ordinals.keySet()));
  }

  static String use(String name, Collection<String> known) {
    return DidYouMean.among(known, name)
        .map(meant -> "Did you mean '" + meant + "'?")
        .orElseGet(() -> known.isEmpty()
            ? "No channels are declared: declare it with channels(...)."
            : "Use one of " + known.stream().sorted().toList()
                + ", or declare it with channels(...).");
  }

  private static InvalidUpdateException otherType(String name, Channel<?> channel, String asked) {
    return InvalidUpdateException.of(
        "SG-201",
        "Channel '" + name + "' has type " + channel.type() + " and was read as " + asked + ".",
        name,
        null,
        "Use the Channel constant with which the channel was declared.");
  }

  /** Something that must hold of the state as a whole. */
  private record Check(String path, String message, Predicate<State> test) {

    Optional<Problem> complaint(State state) {
      try {
        return test.test(state) ? Optional.empty() : Optional.of(problem(message));
      } catch (Throwable failure) {
        return Optional.of(problem(
            "The check of the schema failed with " + failure.getClass().getSimpleName() + "."));
      }
    }

    private Problem problem(String what) {
      return new Problem(
          "SG-220", what, path, "Write values that together pass this check of the schema.");
    }
  }

  /** Collects channels, views and checks; {@link #build()} tells all problems at once. */
  public static final class Builder {

    private final List<Channel<?>> channels = new ArrayList<>();
    private final List<Check> checks = new ArrayList<>();
    private @Nullable Set<String> input;
    private @Nullable Set<String> output;
    private final List<Problem> problems = new ArrayList<>();

    private Builder() {}

    public Builder channels(Channel<?>... more) {
      channels.addAll(List.of(more));
      return this;
    }

    /** Lets callers write these channels only. */
    public Builder input(String... names) {
      requireUnset("input", input);
      input = new LinkedHashSet<>(List.of(names));
      return this;
    }

    /** Lets callers see these channels only. */
    public Builder output(String... names) {
      requireUnset("output", output);
      output = new LinkedHashSet<>(List.of(names));
      return this;
    }

    /**
     * Refuses a state that does not pass {@code test}, before it is committed.
     *
     * @param path what the check is about, for the reader of the error
     */
    public Builder check(String path, String message, Predicate<State> test) {
      checks.add(new Check(
          path.isBlank() ? "the whole state" : path,
          message.isBlank() ? "The state does not pass a check of its schema." : message,
          test));
      return this;
    }

    private void requireUnset(String view, @Nullable Set<String> known) {
      if (known != null) {
        problems.add(new Problem(
            "SG-232",
            "The " + view + " view was already set to " + known + ".",
            view + "(...)",
            "Name all channels of the view in one call."));
      }
    }

    public StateSchema build() {
      Set<String> names = new LinkedHashSet<>();
      for (Channel<?> channel : channels) {
        if (!names.add(channel.name())) {
          problems.add(new Problem(
              "SG-234",
              "Channel '" + channel.name() + "' is declared twice.",
              "channels(...)",
              "Declare the channel once, or rename one of the two."));
        }
      }
      checkView("input", input, names);
      checkView("output", output, names);
      if (!problems.isEmpty()) {
        throw new InvalidSchemaException(problems);
      }
      return new StateSchema(channels, input, output, checks);
    }

    private void checkView(String view, @Nullable Set<String> named, Set<String> known) {
      for (String name : named == null ? Set.<String>of() : named) {
        if (!known.contains(name)) {
          problems.add(new Problem(
              "SG-235",
              "The " + view + " view names channel '" + name + "', which does not exist.",
              view + "(\"" + name + "\")",
              use(name, known)));
        }
      }
    }
  }
}
