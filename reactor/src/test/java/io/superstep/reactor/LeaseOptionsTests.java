package io.superstep.reactor;

import static io.superstep.reactor.Graphs.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.ThreadBusyException;
import io.superstep.error.InvalidNameException;
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

  @Nested
  class OwnerOfALease {

    private static final String UNIQUE = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9]+";

    private final List<String> owners = new ArrayList<>();

    private GraphRunner.Builder runner() {
      return GraphRunner.builder(waiting).timer(time).checkpoints(new StoreAround(store) {
        @Override
        public Publisher<Lease> acquire(String thread, String owner, Duration duration) {
          owners.add(owner);
          return super.acquire(thread, owner, duration);
        }
      });
    }

    @Test
    @DisplayName("the owner of a lease begins with the host name and the process id")
    void byDefault() {
      begin(runner().build());

      assertThat(owners)
          .singleElement()
          .asString()
          .startsWith(ProcessName.get() + "/")
          .matches(".+:" + ProcessHandle.current().pid() + "/" + UNIQUE);
    }

    @Test
    @DisplayName("the owner of a lease begins with the configured owner")
    void configured() {
      begin(runner().owner("eu/web 7").build());

      assertThat(owners).singleElement().asString().matches("eu/web 7/" + UNIQUE);
    }

    @Test
    @DisplayName("S2.9 no two runs have the same owner, whatever is configured")
    void unique() {
      for (int each = 0; each < 3; each++) {
        GraphRunner runner = runner().owner("web-7").build();
        runner.thread("a" + each).run(Update.NOTHING).subscribe().dispose();
        runner.thread("b" + each).run(Update.NOTHING).subscribe().dispose();
        runner.thread("a" + each).resume().subscribe().dispose();
      }

      assertThat(owners)
          .hasSize(9)
          .doesNotHaveDuplicates()
          .allMatch(owner -> owner.startsWith("web-7/"));
    }

    @Test
    @DisplayName(
        "S2.9 an input that is refused names the owner of the run and the end of its lease")
    void refusal() {
      begin(runner().owner("web-7").build());
      GraphThread other = runner().owner("web-8").build().thread("t");

      ThreadBusyException busy = catchThrowableOfType(
          ThreadBusyException.class, () -> other.run(Update.NOTHING).block(PATIENCE));

      assertThat(busy.owner()).isEqualTo(owners.get(0)).startsWith("web-7/");
      assertThat(busy.until()).isEqualTo(clock.instant().plus(Hold.LEASE));
      assertThat(busy)
          .hasMessageContaining("lease of 'web-7/")
          .hasMessageContaining("until 1970-01-01T00:00:30Z");
    }

    @Test
    @DisplayName("an owner that is blank or too long is refused, and a second one")
    void refused() {
      for (String wrong : List.of(" ", "w".repeat(101), "a\nb")) {
        assertThatExceptionOfType(InvalidNameException.class)
            .isThrownBy(() -> runner().owner(wrong))
            .withMessageContaining("SG-417");
      }
      GraphRunner.Builder builder = runner().owner("web-7");
      assertThatIllegalStateException()
          .isThrownBy(() -> builder.owner("web-8"))
          .withMessage("owner was already set to web-7.");
    }
  }
}
