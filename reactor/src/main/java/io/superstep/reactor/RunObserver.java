package io.superstep.reactor;

/**
 * Looks on while graphs run, from outside the loop: it is told of each run that begins, nested ones
 * too, and gives back who looks on until that has ended.
 *
 * <p>It is called on whatever JVM thread the run is on, and must not block. What it throws is
 * dropped as Reactor drops errors, see {@link reactor.core.publisher.Hooks#onErrorDropped}: the run
 * goes on, and if it happened in {@link #begin}, without being looked at.
 */
@FunctionalInterface
public interface RunObserver {

  /** Takes notice that {@code stage} begins. */
  Watch begin(Stage stage);

  /**
   * Called when an operation of the checkpoint store or the event log begins; on any JVM thread. By
   * default operations are not observed.
   */
  default StoreOperation.Completion begin(StoreOperation operation) {
    return (ending, error) -> {};
  }

  /** Receives an event that is not part of the event stream of a run; on any JVM thread. */
  default void onEvent(RunnerEvent event) {}
}
