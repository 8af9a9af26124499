package io.superstep.reactor;

import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * A call of the checkpoint store or the event log of a runner, from its subscription to its last
 * signal. The time of an operation that emits several elements includes the time for which its
 * subscriber requests none.
 *
 * @param store {@code checkpoints} or {@code events}
 * @param name the name of the method, such as {@code commit}
 * @param thread the thread of the operation; null for a listing of threads
 * @param context the Reactor Context of the subscriber; empty if a run calls a synchronous store
 */
public record StoreOperation(
    String store, String name, @Nullable String thread, ContextView context) {

  /** Receives the end of an operation. */
  @FunctionalInterface
  public interface Completion {

    /**
     * Ends the operation; called once.
     *
     * @param ending one of {@link Ending#COMPLETED}, {@link Ending#FAILED} and
     *     {@link Ending#CANCELLED}
     * @param error the error of a failed operation; else null
     */
    void end(Ending ending, @Nullable Throwable error);
  }
}
