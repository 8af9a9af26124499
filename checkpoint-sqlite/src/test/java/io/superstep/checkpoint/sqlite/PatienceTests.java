package io.superstep.checkpoint.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What counts towards the bound of a call; time is in nanoseconds. */
class PatienceTests {

  private final AtomicLong now = new AtomicLong(-50);
  private final Patience patience = new Patience(Duration.ofNanos(100), now::get);

  private void pass(long time) {
    now.addAndGet(time);
  }

  @Test
  @DisplayName("all waits for others that a call has been there for count together")
  void together() {
    long mark = patience.waited();
    patience.begin();
    pass(30);
    patience.end(true);
    pass(1_000); // of our own work
    patience.begin();
    pass(50);

    assertThat(patience.left(mark)).isEqualTo(20);
    pass(50);
    assertThat(patience.left(mark)).isZero();
    patience.end(true);
    assertThat(patience.left(mark)).isZero();
  }

  @Test
  @DisplayName("a call that comes in the middle of a wait has all of its own bound")
  void inTheMiddle() {
    patience.begin();
    pass(90);
    long mark = patience.waited();

    assertThat(patience.left(mark)).isEqualTo(100);
    pass(40);
    patience.end(true);
    assertThat(patience.left(mark)).isEqualTo(60);
    assertThat(patience.left(patience.waited())).isEqualTo(100);
  }

  @Test
  @DisplayName("what turns out to have been work does not count")
  void work() {
    long before = patience.waited();
    patience.begin();
    pass(90);
    long amidst = patience.waited();
    patience.end(false);

    assertThat(patience.left(before)).isEqualTo(100);
    assertThat(patience.left(amidst)).isEqualTo(100);
  }
}
