package io.superstep.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RetentionTests {

  private static final Duration DAY = Duration.ofDays(1);
  private static final Instant NOW = Instant.ofEpochSecond(1_000_000);
  private static final Instant OLD = NOW.minus(DAY).minusNanos(1);
  private static final Instant YOUNG = NOW.minus(DAY);

  @Test
  @DisplayName("S2.34 so many are kept however old, counted back from the head")
  void lastOnes() {
    Retention retention = Retention.last(2);

    assertThat(retention.keeps(0, Instant.MIN, NOW)).isTrue();
    assertThat(retention.keeps(1, Instant.MIN, NOW)).isTrue();
    assertThat(retention.keeps(2, NOW, NOW)).isFalse();
  }

  @Test
  @DisplayName("S2.34 those are kept that are not too old, however many, and the head")
  void youngOnes() {
    Retention retention = Retention.youngerThan(DAY);

    assertThat(retention.keeps(1_000, YOUNG, NOW)).isTrue();
    assertThat(retention.keeps(1, OLD, NOW)).isFalse();
    assertThat(retention.keeps(0, OLD, NOW)).isTrue();
    assertThat(retention.keeps(1, NOW.plus(DAY), NOW))
        .as("a clock was set back")
        .isTrue();
  }

  @Test
  @DisplayName("S2.34 what one of two rules keeps is kept, and without a rule everything is")
  void rulesAddUp() {
    for (Retention both : new Retention[] {
      Retention.last(2).orYoungerThan(DAY), Retention.youngerThan(DAY).orLast(2)
    }) {
      assertThat(both.keeps(1, OLD, NOW)).isTrue();
      assertThat(both.keeps(2, YOUNG, NOW)).isTrue();
      assertThat(both.keeps(2, OLD, NOW)).isFalse();
    }
    assertThat(Retention.ALL.keeps(1_000, OLD, NOW)).isTrue();
    assertThat(Retention.doneFor(DAY).keeps(1_000, OLD, NOW)).isTrue();
  }

  @Test
  @DisplayName("S2.34 a rule that is added keeps more, never less")
  void neverLess() {
    for (Retention all : new Retention[] {
      Retention.ALL.orLast(5),
      Retention.ALL.orYoungerThan(DAY),
      Retention.doneFor(DAY).orLast(5)
    }) {
      assertThat(all.keeps(1_000, OLD, NOW)).as("%s", all).isTrue();
    }
    assertThat(Retention.doneFor(DAY).orLast(5).forgets(ThreadStatus.DONE, OLD, NOW))
        .isTrue();
    assertThat(Retention.last(10).orLast(5)).isEqualTo(Retention.last(10));
    assertThat(Retention.last(5).orLast(10)).isEqualTo(Retention.last(10));
    assertThat(Retention.youngerThan(DAY).orYoungerThan(DAY.dividedBy(2)))
        .isEqualTo(Retention.youngerThan(DAY));
    assertThatIllegalArgumentException().isThrownBy(() -> Retention.ALL.orLast(0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Retention.ALL.orYoungerThan(Duration.ZERO));
  }

  @Test
  @DisplayName("S2.34 only a thread that is done and old goes as a whole")
  void wholeThreads() {
    Retention retention = Retention.last(1).andDoneFor(DAY);

    assertThat(retention.forgets(ThreadStatus.DONE, OLD, NOW)).isTrue();
    assertThat(retention.forgets(ThreadStatus.DONE, YOUNG, NOW)).isFalse();
    for (ThreadStatus status : EnumSet.complementOf(EnumSet.of(ThreadStatus.DONE))) {
      assertThat(retention.forgets(status, OLD, NOW)).as(status.name()).isFalse();
    }
    assertThat(Retention.last(1).forgets(ThreadStatus.DONE, OLD, NOW)).isFalse();
  }

  @Test
  @DisplayName("E12 a retention that keeps nothing is refused")
  void nothing() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Retention.last(0))
        .withMessageContaining("at least 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Retention.youngerThan(Duration.ZERO))
        .withMessageContaining("young");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Retention.doneFor(DAY.negated()))
        .withMessageContaining("done");
  }
}
