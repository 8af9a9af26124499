package io.superstep.reactor;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.BaseSubscriber;
import reactor.util.context.Context;

/** Waits until something has been written down, and lets the loop go on then. */
final class Saving extends BaseSubscriber<Void> {

  private final SuperstepLoop loop;
  private final Runnable then;
  private volatile @Nullable Throwable failure;

  Saving(SuperstepLoop loop, Runnable then) {
    this.loop = loop;
    this.then = then;
  }

  @Override
  protected void hookOnComplete() {
    loop.signal(this);
  }

  @Override
  protected void hookOnError(Throwable error) {
    failure = error;
    loop.signal(this);
  }

  /** Goes on; only from inside the drain. */
  void proceed() {
    Throwable error = failure;
    if (error == null) {
      then.run();
    } else {
      loop.fail(error);
    }
  }

  @Override
  public Context currentContext() {
    return loop.subscriber().currentContext();
  }
}
