package io.superstep.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OutboxTests {

  private static final Namespace ADA = Namespace.of("users", "ada");
  private static final Instant NOW = Instant.ofEpochSecond(1_000);
  private static final Writer WRITER = new Writer("t", 1, 1);

  @Test
  @DisplayName("E24 of two writers of a thread the one with the higher fence is later, then the one"
      + " with the higher sequence")
  void order() {
    Writer marker = new Writer("t", 5, 3);

    assertThat(marker.isAfter(null)).isTrue();
    assertThat(marker.isAfter(marker)).isFalse();
    assertThat(new Writer("t", 6, 3).isAfter(marker)).isTrue();
    assertThat(new Writer("t", 4, 3).isAfter(marker)).isFalse();
    assertThat(new Writer("t", 1, 4).isAfter(marker)).as("begun anew").isTrue();
    assertThat(new Writer("t", 9, 2).isAfter(marker)).as("before that").isFalse();
    assertThatIllegalArgumentException().isThrownBy(() -> new Writer("t", 0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Writer("t", 1, 0));
  }

  @Test
  @DisplayName("E24 an outbox comes to what its last write to each address says, at its own time")
  void items() {
    List<MemoryWrite> writes = new ArrayList<>(List.of(
        MemoryWrite.put(ADA, "a", Map.of("n", 1)),
        MemoryWrite.put(ADA, "b", Map.of("n", 2)),
        MemoryWrite.put(ADA, "a", Map.of("n", 3)).lasting(Duration.ofSeconds(10)),
        MemoryWrite.remove(ADA, "b")));
    Outbox outbox = new Outbox(WRITER, NOW, writes);
    writes.clear();

    assertThat(outbox.thread()).isEqualTo("t");
    assertThat(outbox.items())
        .containsExactly(
            entry(
                new Address(ADA, "a"),
                new MemoryItem(ADA, "a", Map.of("n", 3), NOW, NOW.plusSeconds(10), WRITER)),
            entry(new Address(ADA, "b"), null));
  }

  @Test
  @DisplayName("E12 one value that is too large makes the whole outbox so")
  void tooLarge() {
    Outbox outbox = new Outbox(
        WRITER,
        NOW,
        List.of(
            MemoryWrite.remove(ADA, "a"), MemoryWrite.put(ADA, "b", Map.of("n", "x".repeat(100)))));

    outbox.requireSize(1_000);
    assertThatThrownBy(() -> outbox.requireSize(100))
        .isInstanceOf(InvalidMemoryException.class)
        .hasMessageContaining("'b'");
  }
}
