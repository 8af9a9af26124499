package io.superstep.reactor;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** The calls of one store, each reported to an observer when it begins and when it ends. */
record ObservedCalls(RunObserver observer, String store) {

  /** A call with at most one result. It is synchronous if {@code call} is. */
  <T> Mono<T> mono(String name, @Nullable String thread, Publisher<T> call) {
    return call instanceof Callable<?>
        ? new SynchronousMono<>(this, name, thread, call)
        : new ObservedMono<>(this, name, thread, call);
  }

  /** A call with any number of results. */
  <T> Flux<T> flux(String name, @Nullable String thread, Publisher<T> call) {
    return new Flux<>() {
      @Override
      public void subscribe(CoreSubscriber<? super T> subscriber) {
        Operation operation = begin(name, thread, subscriber.currentContext());
        StoreCall.flux(() -> call)
            .doOnComplete(() -> operation.end(Ending.COMPLETED, null))
            .doOnError(error -> operation.end(Ending.FAILED, error))
            .doOnCancel(() -> operation.end(Ending.CANCELLED, null))
            .subscribe(subscriber);
      }
    };
  }

  private Operation begin(String name, @Nullable String thread, Context context) {
    StoreOperation.Completion completion = null;
    try {
      completion = Objects.requireNonNull(
          observer.begin(new StoreOperation(store, name, thread, context)), "completion");
    } catch (Throwable failure) {
      Operators.onErrorDropped(failure, context);
    }
    return new Operation(completion, context);
  }

  /** One operation that is under way. Its first end counts; what the observer throws is dropped. */
  private static final class Operation {

    private final StoreOperation.@Nullable Completion completion;
    private final Context context;
    private final AtomicBoolean isEnded = new AtomicBoolean();

    Operation(StoreOperation.@Nullable Completion completion, Context context) {
      this.completion = completion;
      this.context = context;
    }

    void end(Ending ending, @Nullable Throwable error) {
      if (completion != null && isEnded.compareAndSet(false, true)) {
        try {
          completion.end(ending, error == null ? null : CarriedError.unwrap(error));
        } catch (Throwable failure) {
          Operators.onErrorDropped(failure, context);
        }
      }
    }
  }

  private static class ObservedMono<T> extends Mono<T> {

    final ObservedCalls calls;
    final String name;
    final @Nullable String thread;
    final Publisher<T> call;

    ObservedMono(ObservedCalls calls, String name, @Nullable String thread, Publisher<T> call) {
      this.calls = calls;
      this.name = name;
      this.thread = thread;
      this.call = call;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> subscriber) {
      Operation operation = calls.begin(name, thread, subscriber.currentContext());
      StoreCall.mono(() -> call)
          .doOnSuccess(any -> operation.end(Ending.COMPLETED, null))
          .doOnError(error -> operation.end(Ending.FAILED, error))
          .doOnCancel(() -> operation.end(Ending.CANCELLED, null))
          .subscribe(subscriber);
    }
  }

  /** A call that the engine may execute without a subscription. */
  private static final class SynchronousMono<T> extends ObservedMono<T> implements Callable<T> {

    SynchronousMono(ObservedCalls calls, String name, @Nullable String thread, Publisher<T> call) {
      super(calls, name, thread, call);
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // a Callable of Reactor returns null for no result
    public T call() throws Exception {
      Operation operation = calls.begin(name, thread, Context.empty());
      try {
        T result = ((Callable<T>) call).call();
        operation.end(Ending.COMPLETED, null);
        return result;
      } catch (Throwable failure) {
        operation.end(Ending.FAILED, failure);
        throw failure;
      }
    }
  }
}
