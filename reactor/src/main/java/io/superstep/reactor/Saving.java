package io.superstep.reactor;

import io.superstep.checkpoint.Commit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.BaseSubscriber;
import reactor.util.context.Context;

/** Waits until something has been written down, and lets the loop go on then. */
final class Saving extends BaseSubscriber<Void> {

  private final SuperstepLoop loop;
  private final Runnable then;
  private final @Nullable Throwable because;
  private volatile @Nullable Throwable failure;

  Saving(SuperstepLoop loop, Runnable then, @Nullable Throwable because) {
    this.loop = loop;
    this.then = then;
    this.because = because;
  }

  /** Something was written down beside the run. */
  record Done(Commit commit) {}

  /** Something could not be written down that nobody waits for inside the drain. */
  record Refused(Throwable error) {}

  @Override
  protected void hookOnComplete() {
    loop.signal(this);
  }

  @Override
  protected void hookOnError(Throwable error) {
    failure = CarriedError.unwrap(error);
    loop.signal(this);
  }

  /** Goes on; only from inside the drain. */
  void proceed() {
    Throwable error = failure;
    if (error == null) {
      then.run();
    } else {
      loop.failSaving(error, because);
    }
  }

  @Override
  public Context currentContext() {
    return loop.context();
  }
}
