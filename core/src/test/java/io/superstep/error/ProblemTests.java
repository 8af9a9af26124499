package io.superstep.error;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemTests {

  private static final Problem NO_START = new Problem(
      "SG-101",
      "No node is connected to the start.",
      "the whole graph",
      "Add edge(START, \"<first node>\").");
  private static final Problem UNKNOWN = new Problem(
      "SG-102",
      "Node 'reviwer' does not exist.",
      "edge(\"triage\", \"reviwer\")",
      "Use one of [reviewer, triage].");

  @Test
  void readsAsFactPlaceAndFix() {
    assertThat(NO_START).hasToString("""
            SG-101  No node is connected to the start.
                    at  the whole graph
                    fix Add edge(START, "<first node>").
                    see errors.md#sg-101""");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "101", "SG-1", "SG-001", "sg-101", "SG-1011"})
  void refusesACodeThatNobodyCouldLookUp(String code) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Problem(code, "what", "where", "fix"))
        .withMessageContaining("SG-201");
  }

  @Test
  void refusesToLeaveOutThePlaceOrTheFix() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Problem("SG-101", "what", " ", "fix"))
        .withMessageContaining("where");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Problem("SG-101", "what", "where", ""))
        .withMessageContaining("fix");
  }

  @Nested
  class WhenThrown {

    @Test
    void carriesItsProblemsAsData() {
      SuperstepException error =
          new Refused("Graph 'support' cannot be built: 2 problems.", List.of(NO_START, UNKNOWN));

      assertThat(error.problems()).containsExactly(NO_START, UNKNOWN);
      assertThat(error.code()).isEqualTo("SG-101");
    }

    @Test
    void tellsAllProblemsUnderOneHeadline() {
      SuperstepException error =
          new Refused("Graph 'support' cannot be built: 2 problems.", List.of(NO_START, UNKNOWN));

      assertThat(error).hasMessage("""
              Graph 'support' cannot be built: 2 problems.

              SG-101  No node is connected to the start.
                      at  the whole graph
                      fix Add edge(START, "<first node>").
                      see errors.md#sg-101

              SG-102  Node 'reviwer' does not exist.
                      at  edge("triage", "reviwer")
                      fix Use one of [reviewer, triage].
                      see errors.md#sg-102""");
    }

    @Test
    void keepsTheCauseOfASingleProblem() {
      IllegalStateException cause = new IllegalStateException("boom");

      SuperstepException error = new Refused(UNKNOWN, cause);

      assertThat(error).hasCause(cause).hasMessage(UNKNOWN.toString());
      assertThat(error.problems()).containsExactly(UNKNOWN);
    }

    @Test
    void keepsItsProblemsWhereverItTravels() throws Exception {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      new ObjectOutputStream(bytes)
          .writeObject(new Refused("Two problems.", List.of(NO_START, UNKNOWN)));

      Object read =
          new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();

      assertThat(((SuperstepException) read).problems()).containsExactly(NO_START, UNKNOWN);
    }

    @Test
    void cannotBeThrownWithoutAProblem() {
      assertThatIllegalArgumentException().isThrownBy(() -> new Refused("nothing", List.of()));
    }
  }

  private static final class Refused extends SuperstepException {

    private static final long serialVersionUID = 1L;

    Refused(Problem problem, Throwable cause) {
      super(problem, cause);
    }

    Refused(String headline, List<Problem> problems) {
      super(headline, problems);
    }
  }
}
