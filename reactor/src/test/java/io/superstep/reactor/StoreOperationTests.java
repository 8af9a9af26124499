package io.superstep.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Lease;
import io.superstep.event.EventLog;
import io.superstep.state.Schemas;
import io.superstep.state.Update;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.util.context.Context;

/** Calls of stores are reported to the observer, each with its end. */
class StoreOperationTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Lease LEASE = new Lease("t", "run", 1, Instant.EPOCH);

  private final List<String> told = new ArrayList<>();
  private final List<StoreOperation> operations = new ArrayList<>();

  /** Records operations and their ends. */
  private final class Recording implements Watch {

    @Override
    public Watch begin(Stage stage) {
      return this;
    }

    @Override
    public StoreOperation.Completion begin(StoreOperation operation) {
      operations.add(operation);
      String name = operation.store() + "." + operation.name() + "(" + operation.thread() + ")";
      return (ending, error) ->
          told.add(name + " " + ending + (error == null ? "" : " " + error.getMessage()));
    }

    @Override
    public void end(Ending ending, @Nullable Throwable error) {}
  }

  private ObservedCalls calls() {
    return new ObservedCalls(new Recording(), "checkpoints");
  }

  @Test
  @DisplayName("the operations of a run are reported, those of the event log too")
  void ofARun() {
    GraphRunner runner = GraphRunner.builder(Graphs.counting(2))
        .checkpoints(new InMemoryCheckpointStore())
        .events(new InMemoryEventLog())
        .observedBy(new Recording())
        .build();

    runner.thread("t").run(Update.NOTHING).block(PATIENCE);

    assertThat(told)
        .filteredOn(line -> line.startsWith("checkpoints"))
        .containsExactly(
            "checkpoints.acquire(t) COMPLETED",
            "checkpoints.load(t) COMPLETED",
            "checkpoints.commit(t) COMPLETED",
            "checkpoints.commit(t) COMPLETED",
            "checkpoints.commit(t) COMPLETED",
            "checkpoints.release(t) COMPLETED");
    assertThat(told)
        .filteredOn(line -> line.startsWith("events"))
        .contains("events.open(t) COMPLETED", "events.append(t) COMPLETED");
    assertThat(told).hasSameSizeAs(operations);
  }

  @Test
  @DisplayName("without an observer the stores are called directly")
  void withoutAnObserver() {
    CheckpointStore store = new InMemoryCheckpointStore();
    EventLog log = new InMemoryEventLog();

    assertThat(ObservedCheckpointStore.of(store, null)).isSameAs(store);
    assertThat(ObservedEventLog.of(log, null)).isSameAs(log);
    assertThat(ObservedCheckpointStore.of(null, new Recording())).isNull();
  }

  @Test
  @DisplayName("each method of the stores is reported under its name, except for followers")
  void eachMethod() {
    assertThat(
            reported(CheckpointStore.class, store -> new ObservedCheckpointStore(store, calls())))
        .isEqualTo(names(CheckpointStore.class));
    assertThat(operations)
        .allMatch(each ->
            each.name().equals("threads") ? each.thread() == null : "t".equals(each.thread()));
    operations.clear();
    Set<String> expected = names(EventLog.class);
    expected.remove("follow");
    assertThat(reported(EventLog.class, log -> new ObservedEventLog(log, calls())))
        .isEqualTo(expected);
  }

  private static Set<String> names(Class<?> type) {
    return publishing(type).stream().map(Method::getName).collect(Collectors.toSet());
  }

  private static List<Method> publishing(Class<?> type) {
    return Arrays.stream(type.getMethods())
        .filter(method -> method.getReturnType() == Publisher.class)
        .toList();
  }

  /** Calls all methods of an observed store, and returns the names of the operations. */
  private <T> Set<String> reported(Class<T> type, Function<T, T> observed) {
    T silent = type.cast(Proxy.newProxyInstance(
        type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> Mono.never()));
    for (Method method : publishing(type)) {
      Object[] arguments = Arrays.stream(method.getParameterTypes())
          .map(StoreOperationTests::argument)
          .toArray();
      try {
        Flux.from((Publisher<?>) method.invoke(observed.apply(silent), arguments))
            .subscribe()
            .dispose();
      } catch (ReflectiveOperationException broken) {
        throw new LinkageError(method.toString(), broken);
      }
    }
    return operations.stream().map(StoreOperation::name).collect(Collectors.toSet());
  }

  private static @Nullable Object argument(Class<?> type) {
    if (type == String.class) {
      return "t";
    }
    if (type == boolean.class) {
      return false;
    }
    if (type == long.class) {
      return 0L;
    }
    return type == Lease.class ? LEASE : type == Schemas.class ? Schemas.NONE : null;
  }

  @Test
  @DisplayName("an operation ends once: completed, failed or cancelled")
  void endings() {
    Mono<String> failing = Mono.error(new IllegalStateException("broken"));

    calls().mono("mono", "a", Mono.just(1).hide()).block(PATIENCE);
    StepVerifier.create(calls().mono("mono", "b", failing.hide()))
        .expectErrorMessage("broken")
        .verify(PATIENCE);
    calls().mono("mono", "c", Mono.never()).subscribe().dispose();
    StepVerifier.create(calls().flux("flux", "d", Flux.range(0, 3)))
        .expectNext(0, 1, 2)
        .verifyComplete();
    calls().flux("flux", "e", Flux.range(0, 3)).take(1).blockLast(PATIENCE);
    StepVerifier.create(calls().flux("flux", "f", failing))
        .expectErrorMessage("broken")
        .verify(PATIENCE);

    assertThat(told)
        .containsExactly(
            "checkpoints.mono(a) COMPLETED",
            "checkpoints.mono(b) FAILED broken",
            "checkpoints.mono(c) CANCELLED",
            "checkpoints.flux(d) COMPLETED",
            "checkpoints.flux(e) CANCELLED",
            "checkpoints.flux(f) FAILED broken");
  }

  @Test
  @DisplayName("an operation that is cancelled after its end has ended once")
  void cancelledLate() {
    calls().flux("flux", "t", Flux.just(1)).subscribe(new CancelsLate());

    assertThat(told).containsExactly("checkpoints.flux(t) COMPLETED");
  }

  private static final class CancelsLate implements CoreSubscriber<Integer> {

    private @Nullable Subscription subscription;

    @Override
    public void onSubscribe(Subscription given) {
      subscription = given;
      given.request(1);
    }

    @Override
    public void onNext(Integer value) {}

    @Override
    public void onError(Throwable error) {}

    @Override
    public void onComplete() {
      Objects.requireNonNull(subscription).cancel();
    }
  }

  @Test
  @DisplayName("a publisher that throws an error of the JVM has failed, and signals it")
  void fatal() {
    Publisher<String> throwing = subscriber -> {
      throw new StackOverflowError("deep");
    };

    StepVerifier.create(calls().mono("mono", "t", throwing))
        .expectErrorSatisfies(
            error -> assertThat(CarriedError.unwrap(error)).isInstanceOf(StackOverflowError.class))
        .verify(PATIENCE);

    assertThat(told).containsExactly("checkpoints.mono(t) FAILED deep");
  }

  @Test
  @DisplayName("a synchronous call stays one that needs no subscription")
  void synchronous() throws Exception {
    Mono<Integer> call = calls().mono("mono", "a", Mono.fromCallable(() -> 1));
    Mono<Integer> failing = calls().mono("mono", "b", Mono.fromCallable(() -> {
      throw new IllegalStateException("broken");
    }));

    assertThat(((Callable<?>) call).call()).isEqualTo(1);
    assertThatThrownBy(((Callable<?>) failing)::call).hasMessage("broken");
    assertThat(call.block(PATIENCE)).isEqualTo(1);

    assertThat(told)
        .containsExactly(
            "checkpoints.mono(a) COMPLETED",
            "checkpoints.mono(b) FAILED broken",
            "checkpoints.mono(a) COMPLETED");
    assertThat(calls().mono("mono", "c", Mono.just(1).hide())).isNotInstanceOf(Callable.class);
  }

  @Test
  @DisplayName("the context of the subscriber is seen")
  void context() {
    calls()
        .mono("mono", "t", Mono.never())
        .contextWrite(Context.of("key", "value"))
        .subscribe()
        .dispose();

    assertThat(operations)
        .singleElement()
        .satisfies(
            operation -> assertThat(operation.context().<String>get("key")).isEqualTo("value"));
  }

  @Test
  @DisplayName("what an observer throws is dropped, and the call goes on")
  void throwing() {
    List<Throwable> dropped = new ArrayList<>();
    Hooks.resetOnErrorDropped();
    Hooks.onErrorDropped(dropped::add);
    RunObserver atTheBeginning = new Throwing(true);
    RunObserver atTheEnd = new Throwing(false);

    for (RunObserver observer : List.of(atTheBeginning, atTheEnd)) {
      assertThat(new ObservedCalls(observer, "checkpoints")
              .mono("mono", "t", Mono.just(1))
              .block(PATIENCE))
          .isEqualTo(1);
    }

    assertThat(dropped).extracting(Throwable::getMessage).containsExactly("true", "false");
  }

  private record Throwing(boolean isAtOnce) implements Watch {

    @Override
    public Watch begin(Stage stage) {
      return this;
    }

    @Override
    public StoreOperation.Completion begin(StoreOperation operation) {
      fail(true);
      return (ending, error) -> fail(false);
    }

    private void fail(boolean atOnce) {
      if (atOnce == isAtOnce) {
        throw new IllegalStateException(String.valueOf(isAtOnce));
      }
    }

    @Override
    public void end(Ending ending, @Nullable Throwable error) {}
  }
}
