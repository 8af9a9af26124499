package io.superstep.reactor;

import static io.superstep.reactor.Graphs.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.ThreadBusyException;
import io.superstep.graph.Graph;
import io.superstep.state.Update;
import io.superstep.testkit.StoreAround;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** The options of a runner for its leases. */
class LeaseOptionsTests extends OnAThread {

  private static final Duration SIX_SECONDS = Duration.ofSeconds(6);
  private static final Duration MILLISECOND = Duration.ofMillis(1);

  private final Graph waiting = single("wait", state -> Mono.<Update>never());
  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final List<Duration> acquired = new ArrayList<>();
  private final List<Duration> renewed = new ArrayList<>();
  private boolean isSilent;

  private final CheckpointStore recording = new StoreAround(store) {
    @Override
    public Publisher<Lease> acquire(String thread, String owner, Duration duration) {
      acquired.add(duration);
      return super.acquire(thread, owner, duration);
    }

    @Override
    public Publisher<Lease> renew(Lease lease, Duration duration) {
      renewed.add(duration);
      return isSilent ? Mono.never() : super.renew(lease, duration);
    }
  };

  private GraphRunner.Builder runner() {
    return GraphRunner.builder(waiting).checkpoints(recording).clock(clock).timer(time);
  }

  private static void begin(GraphRunner runner) {
    runner.thread("t").run(Update.NOTHING).subscribe();
  }

  /** Lets time pass for the store and for the runners. */
  private void pass(Duration duration) {
    clock.pass(duration);
    time.advanceTimeBy(duration);
  }

  @Nested
  class DurationOfALease {

    @Test
    @DisplayName("E22 a lease lasts for the configured time, and is renewed after a third of it")
    void isRenewed() {
      begin(runner().leaseDuration(SIX_SECONDS).build());
      assertThat(acquired).containsExactly(SIX_SECONDS);

      pass(Duration.ofSeconds(2).minus(MILLISECOND));
      assertThat(renewed).isEmpty();
      pass(MILLISECOND);
      assertThat(renewed).containsExactly(SIX_SECONDS);
      pass(Duration.ofSeconds(2));
      assertThat(renewed).containsExactly(SIX_SECONDS, SIX_SECONDS);
    }

    @Test
    @DisplayName("E22 a renewal without an answer is repeated before the lease expires")
    void isRenewedAgain() {
      isSilent = true;
      begin(runner().leaseDuration(SIX_SECONDS).build());

      pass(Duration.ofSeconds(5));

      assertThat(renewed).containsExactly(SIX_SECONDS, SIX_SECONDS);
    }

    @Test
    @DisplayName("E22 the thread of a killed process can be taken over after the configured time")
    void expires() {
      begin(runner().leaseDuration(SIX_SECONDS).build());
      GraphThread other = runner().build().thread("t");

      clock.pass(SIX_SECONDS.minus(MILLISECOND)); // the timer does not advance: no renewal
      assertThatExceptionOfType(ThreadBusyException.class)
          .isThrownBy(() -> other.resume().blockFirst(PATIENCE));
      clock.pass(MILLISECOND);

      assertThat(other.resume().blockFirst(PATIENCE)).isNotNull();
    }

    @Test
    @DisplayName("a lease lasts for 30 seconds by default")
    void byDefault() {
      begin(runner().build());
      pass(Duration.ofSeconds(10));

      assertThat(acquired).containsExactly(Duration.ofSeconds(30));
      assertThat(renewed).containsExactly(Duration.ofSeconds(30));
    }

    @Test
    @DisplayName("a lease lasts from a second to a day")
    void bounds() {
      for (Duration wrong : List.of(
          Duration.ofSeconds(-6),
          Duration.ZERO,
          Duration.ofMillis(999),
          Duration.ofDays(1).plusNanos(1))) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> runner().leaseDuration(wrong))
            .withMessage("leaseDuration must be from PT1S to PT24H, and was " + wrong
                + ". Choose several times the longest pause of a process.");
      }
      begin(runner().leaseDuration(Duration.ofSeconds(1)).build());
      assertThat(acquired).containsExactly(Duration.ofSeconds(1));
      assertThat(runner().leaseDuration(Duration.ofDays(1)).build()).isNotNull();
    }

    @Test
    @DisplayName("the duration of leases is set once")
    void once() {
      GraphRunner.Builder builder = runner().leaseDuration(SIX_SECONDS);

      assertThatIllegalStateException()
          .isThrownBy(() -> builder.leaseDuration(SIX_SECONDS))
          .withMessage("leaseDuration was already set to PT6S.");
    }
  }
}
