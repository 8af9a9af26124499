package io.superstep.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ListedStatusesTests {

  @Test
  @DisplayName("a sweep for work does not read the threads that are done")
  void sweep() {
    assertThat(ThreadStatus.readsDone(EnumSet.of(ThreadStatus.ORPHANED, ThreadStatus.UNREADABLE)))
        .isFalse();
    assertThat(ThreadStatus.readsDone(EnumSet.complementOf(EnumSet.of(ThreadStatus.DONE))))
        .isFalse();
  }

  @Test
  @DisplayName("a listing of done threads, or of unreadable ones alone, reads them")
  void listing() {
    assertThat(ThreadStatus.readsDone(EnumSet.of(ThreadStatus.UNREADABLE))).isTrue();
    assertThat(ThreadStatus.readsDone(EnumSet.allOf(ThreadStatus.class))).isTrue();
  }
}
