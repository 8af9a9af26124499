package io.superstep.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.Task;
import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A failed node")
class NodeFailedTests {

  private final Throwable boom = new IllegalStateException("The model is down.");

  private static final class Known extends SuperstepException {
    private static final long serialVersionUID = 1L;

    Known(Problem... problems) {
      super("Known", List.of(problems), null);
    }
  }

  private static Task task(String node) {
    return new Task("t-1", 3, 0, node, null);
  }

  private static Outcome.Failed failed(String node, Throwable error) {
    return new Outcome.Failed(task(node), 1, error);
  }

  private static Problem only(NodeFailedException failed) {
    assertThat(failed.problems()).hasSize(1);
    return failed.problems().get(0);
  }

  @Test
  @DisplayName("SG-141 shows the class and the message of the node's own error")
  void ownMessage() {
    NodeFailedException failed = new NodeFailedException(new Outcome.Failed(task("a"), 3, boom));

    assertThat(failed).hasMessage("""
            SG-141  Node 'a' failed with java.lang.IllegalStateException: The model is down.
                    at  task t-1/3/0/a, after 3 attempts
                    fix Correct the node. For transient errors, declare .policy("a", NodePolicy.retry(n)) \
            or .handler("a", ...). On a thread, resume() runs the node again and keeps the finished \
            tasks of the step.
                    see errors.md#sg-141""");
    assertThat(failed).hasCause(boom);
  }

  @Test
  @DisplayName("SG-141 hides the message on demand")
  void hiddenMessage() {
    NodeFailedException failed = new NodeFailedException(failed("a", boom), false);

    assertThat(only(failed).what())
        .isEqualTo("Node 'a' failed with java.lang.IllegalStateException.");
  }

  @Test
  @DisplayName("SG-141 keeps a message of several lines on one")
  void lines() {
    Throwable error = new IllegalArgumentException(" first\n  second ");

    assertThat(only(new NodeFailedException(failed("a", error))).what())
        .isEqualTo("Node 'a' failed with java.lang.IllegalArgumentException: first second.");
  }

  @Test
  @DisplayName("SG-141 names the handler that failed, and the error that it handled")
  void handler() {
    Throwable handled = new IOException("No route to host");
    NodeFailedException failed =
        new NodeFailedException(new Outcome.Failed(task("a"), 1, boom, handled));

    assertThat(only(failed).what())
        .isEqualTo("The error handler of node 'a' failed with java.lang.IllegalStateException: The"
            + " model is down. It handled java.io.IOException: No route to host.");
    assertThat(only(failed).fix()).startsWith("Correct the handler.");
  }

  @Test
  @DisplayName("SG-141 a handler that signals the error of its node again has not failed itself")
  void passedOn() {
    NodeFailedException failed =
        new NodeFailedException(new Outcome.Failed(task("a"), 1, boom, boom));

    assertThat(only(failed).what()).startsWith("Node 'a' failed with");
  }

  @Test
  @DisplayName("SG-141 names the path of a node in a subgraph")
  void path() {
    NodeFailedException inner = new NodeFailedException(new Outcome.Failed(task("bad"), 2, boom));
    NodeFailedException middle = new NodeFailedException(failed("sub", inner));
    NodeFailedException outer = new NodeFailedException(failed("top", middle));

    assertThat(only(outer).what())
        .isEqualTo("Node 'top/sub/bad' failed with java.lang.IllegalStateException: The model is"
            + " down.");
    assertThat(only(outer).where()).isEqualTo("task t-1/3/0/bad, after 2 attempts");
    assertThat(only(outer).fix()).contains(".policy(\"bad\"");
    assertThat(outer.path()).isEqualTo("top/sub/bad");
    assertThat(outer.node()).isEqualTo("top");
    assertThat(outer.attempts()).isEqualTo(1);
    assertThat(outer).hasCause(middle);
  }

  @Test
  @DisplayName("a problem of this library comes first, with its own code, at the place of the node")
  void ownProblem() {
    Known known = new Known(new Problem("SG-211", "Unknown.", "channel 'rond'", "Declare it."));
    NodeFailedException inner = new NodeFailedException(failed("bad", known));

    assertThat(new NodeFailedException(failed("sub", inner)).problems())
        .containsExactly(new Problem(
            "SG-211",
            "Unknown.",
            "channel 'rond', node 'sub/bad', task t-1/3/0/bad",
            "Declare it."));
    assertThat(inner.code()).isEqualTo("SG-211");
    assertThat(inner).hasCause(known).hasMessageStartingWith("SG-211  Unknown.");
  }

  @Test
  @DisplayName("a place that is the node itself is not repeated")
  void samePlace() {
    Known known = new Known(new Problem("SG-151", "Null.", "node 'bad'", "Return."));

    assertThat(only(new NodeFailedException(failed("bad", known))).where())
        .isEqualTo("node 'bad', task t-1/3/0/bad");
  }

  @Test
  @DisplayName("several problems have a headline")
  void several() {
    Problem problem = new Problem("SG-211", "Unknown.", "channel 'rond'", "Declare it.");
    NodeFailedException failed = new NodeFailedException(failed("a", new Known(problem, problem)));

    assertThat(failed.problems()).hasSize(2);
    assertThat(failed).hasMessageStartingWith("Node 'a' failed: 2 problems.\n\nSG-211");
  }

  @Test
  @DisplayName("a problem of this library in a handler names the handler")
  void ownProblemOfHandler() {
    Known known = new Known(new Problem("SG-151", "Null.", "node 'a'", "Return."));

    assertThat(only(new NodeFailedException(new Outcome.Failed(task("a"), 1, known, boom)))
            .where())
        .isEqualTo("error handler of node 'a', task t-1/3/0/a");
  }

  @Test
  @DisplayName("SG-145 a blocking call names blocking(...)")
  void blockingCall() {
    Throwable blocked = new IllegalStateException(
        "block()/blockFirst()/blockLast() are blocking, which is not supported in thread parallel-1");
    NodeFailedException failed = new NodeFailedException(failed("a", blocked));

    assertThat(failed.code()).isEqualTo("SG-145");
    assertThat(only(failed).what())
        .isEqualTo(
            "Node 'a' makes a blocking call, such as block(), on the JVM thread 'parallel-1', which must"
                + " not block.");
    assertThat(only(failed).fix()).startsWith("Declare the node with blocking(\"a\", ...)");
    assertThat(only(new NodeFailedException(new Outcome.Failed(task("a"), 1, blocked, boom)))
            .fix())
        .contains("subscribeOn");
  }

  @Test
  @DisplayName("can be serialized")
  void serialized() throws Exception {
    NodeFailedException failed = new NodeFailedException(
        failed("sub", new NodeFailedException(new Outcome.Failed(task("a"), 1, boom))));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(failed);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      NodeFailedException read = (NodeFailedException) in.readObject();
      assertThat(read).hasMessage(failed.getMessage());
      assertThat(read.path()).isEqualTo("sub/a");
    }
  }
}
