package io.superstep.state;

import io.superstep.value.ValueType;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A channel that holds a list and to which single items can be written, see {@link Update#append}.
 *
 * @param <E> what the list holds
 */
public final class ListChannel<E> extends Channel<List<E>> {

  private ListChannel(ChannelSpec<List<E>> spec) {
    super(spec);
  }

  static <E> ListChannel<E> appending(String name, ValueType<E> element) {
    return folding(
        name,
        ValueType.listOf(element),
        Reducer.declaring((current, update) -> Effect.append(update)));
  }

  static <E> ListChannel<E> folding(
      String name, ValueType<List<E>> type, Reducer<List<E>> reducer) {
    return new ListChannel<>(
        ChannelSpec.value(name, type).reducedBy(reducer).startingAt(List.of()));
  }

  @Override
  public ListChannel<E> startingAt(List<E> start) {
    return new ListChannel<>(spec().startingAt(start));
  }

  @Override
  public ListChannel<E> startingWith(Supplier<? extends List<E>> start) {
    return new ListChannel<>(spec().startingWith(start));
  }

  @Override
  public ListChannel<E> validated(String message, Predicate<? super List<E>> test) {
    return refusing(value -> test.test(value) ? null : message);
  }

  @Override
  public ListChannel<E> refusing(Function<? super List<E>, @Nullable String> complaint) {
    return new ListChannel<>(spec().refusing(complaint));
  }

  @Override
  public ListChannel<E> ephemeral() {
    return new ListChannel<>(spec().living(Lifetime.NEXT_STEP));
  }

  @Override
  public ListChannel<E> runtimeOnly() {
    return new ListChannel<>(spec().living(Lifetime.RUNTIME));
  }

  @Override
  public ListChannel<E> argument() {
    return new ListChannel<>(spec().living(Lifetime.ARGUMENT));
  }

  @Override
  public ListChannel<E> upTo(long bytes) {
    return new ListChannel<>(spec().upTo(bytes));
  }
}
