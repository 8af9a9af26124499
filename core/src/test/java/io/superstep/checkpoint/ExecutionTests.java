package io.superstep.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ExecutionTests {

  private static final Task TOP = new Task("t/1/0/x/3-7", 2, 0, "speak", null);
  private static final Task NESTED = new Task(TOP.id(), 1, 0, "say", null);
  private static final Task DEEP = new Task(NESTED.id(), 4, 1, "word", null);

  @Test
  @DisplayName("E15 an execution is greater with a later lease, and then with a later attempt")
  void order() {
    assertThat(List.of(
            Execution.FIRST,
            new Execution(0, 2),
            new Execution(6, 1),
            new Execution(6, 5),
            new Execution(7, 1),
            new Execution(7, 2),
            new Execution(7, List.of(1, 2), 1),
            new Execution(7, List.of(2, 1), 1),
            new Execution(7, List.of(2, 1), 2),
            new Execution(8, 1)))
        .isSorted();
    assertThat(new Execution(7, List.of(1, 1), 2)).isEqualByComparingTo(new Execution(7, 2));
    assertThat(new Execution(7, List.of(1, 1), 2)).isEqualTo(new Execution(7, 2));
  }

  @Test
  @DisplayName("E15 the tasks of a nested graph begin again with each attempt of the task around")
  void nested() {
    Execution first = new Execution(7, 1);

    assertThat(first.nested(0)).isSameAs(first);
    assertThat(first.at(2).nested(0)).isEqualTo(new Execution(7, List.of(2), 1));
    assertThat(first.at(2).nested(1)).isEqualTo(new Execution(7, List.of(1, 2), 1));
    assertThat(first.at(2).nested(0).at(3).nested(1)).isEqualTo(new Execution(7, List.of(2, 3), 1));
  }

  @Test
  @DisplayName("E15 the first execution names its messages after the task, wherever it is nested")
  void plainIds() {
    for (Task task : List.of(TOP, NESTED, DEEP)) {
      assertThat(new Execution(7, 1).messageId(task, 2)).isEqualTo(task.id() + "-2");
      assertThat(Execution.FIRST.messageId(task, 0)).isEqualTo(task.id() + "-0");
    }
  }

  @Test
  @DisplayName("E15 no other execution gives a message the same id")
  void specificIds() {
    for (Task task : List.of(TOP, NESTED, DEEP)) {
      List<Execution> executions = List.of(
          new Execution(7, 1),
          new Execution(7, 2),
          new Execution(7, 12),
          new Execution(17, 1),
          new Execution(71, 2),
          new Execution(8, 1),
          new Execution(7, List.of(2), 1),
          new Execution(7, List.of(2), 2));
      assertThat(executions)
          .extracting(execution -> execution.messageId(task, 0))
          .doesNotHaveDuplicates();
    }
    assertThat(new Execution(8, List.of(2, 1), 3).messageId(DEEP, 0))
        .isEqualTo(DEEP.id() + "/8-2.1.3-0");
  }

  @Test
  @DisplayName("E15 a line of steps with another name is not taken for that of a lease")
  void otherOrigins() {
    for (String origin :
        List.of("run-7", "", "/", "///", "a///", "t/7", "t/-7", "t/7-", "t/1-77")) {
      Task task = new Task(origin, 1, 0, "speak", null);
      Task inside = new Task(task.id(), 1, 0, "say", null);
      assertThat(new Execution(7, 1).messageId(task, 0)).isEqualTo(task.id() + "/7-1-0");
      assertThat(new Execution(7, 1).messageId(inside, 0)).isEqualTo(inside.id() + "/7-1-0");
    }
  }

  @Test
  @DisplayName("Promise 8: an execution has a fence and an attempt")
  void refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Execution(-1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Execution(0, 0));
  }
}
