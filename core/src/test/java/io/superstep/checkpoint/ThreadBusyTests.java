package io.superstep.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ThreadBusyTests {

  private static final Instant END = Instant.parse("2025-12-11T10:00:30Z");

  @Test
  @DisplayName("SG-403 names the owner and the end of the lease, and what to do")
  void text() {
    ThreadBusyException busy =
        new ThreadBusyException(new Lease("t", "web-7:4711/9f0c-12", 3, END));

    assertThat(busy).hasMessage("""
            SG-403  Another run is under way on the thread, and a thread has one run at a time.
                    at  thread 't', lease of 'web-7:4711/9f0c-12' until 2025-12-11T10:00:30Z
                    fix Wait until the run ends, stop it with thread.stop() in the process of its \
            owner, or enqueue the input with thread.queue(...), which runs it afterwards. If that \
            process was killed, the thread can be resumed after 2025-12-11T10:00:30Z.
                    see errors.md#sg-403""");
    assertThat(busy.owner()).isEqualTo("web-7:4711/9f0c-12");
    assertThat(busy.until()).isEqualTo(END);
  }

  @Test
  @DisplayName("the longest thread id does not displace the owner of the lease")
  void longIds() {
    String owner = "w".repeat(100) + "/9f0c6a52-0f7e-4a2e-8a1b-0c9be1f7d1aa-123456";

    assertThat(new ThreadBusyException(new Lease("t".repeat(1_000), owner, 3, END)))
        .hasMessageContaining("lease of '" + owner + "' until 2025-12-11T10:00:30Z");
  }
}
