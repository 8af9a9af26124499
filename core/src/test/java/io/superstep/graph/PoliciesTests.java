package io.superstep.graph;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Told.NOTHING;
import static io.superstep.graph.Told.assertLegal;
import static io.superstep.graph.Told.assertOnly;
import static io.superstep.graph.Told.assertProblems;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PoliciesTests {

  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(10);
  private static final Predicate<Throwable> WORTH_IT = RuntimeException.class::isInstance;

  @Nested
  class APolicyIsRefused {

    @Test
    void withoutAnAttempt() {
      refused(NodePolicy.retry(0), "Use attempts(n) with n of at least 1.");
    }

    @Test
    void ifItSaysHowToRetryAndDoesNot() {
      String fix = "Use attempts(n) with n > 1, or remove backoff and retryOn.";

      refused(NodePolicy.NONE.backoff(SHORT, LONG), fix);
      refused(NodePolicy.NONE.retryOn(WORTH_IT), fix);
      refused(NodePolicy.retry(1).backoff(SHORT, LONG), fix);
    }

    @Test
    void ifItsWaitsAreInTheWrongOrderOrMissing() {
      String fix = "Use backoff(first, longest) with 0 <= first <= longest.";

      refused(NodePolicy.retry(2).backoff(LONG, SHORT), fix);
      refused(NodePolicy.retry(2).backoff(SHORT.negated(), LONG), fix);
      refused(NodePolicy.retry(2).backoff(null, LONG), fix);
      refused(NodePolicy.retry(2).backoff(SHORT, null), fix);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
    void ifItsJitterIsNoPartOfTheWait(double jitter) {
      refused(
          NodePolicy.retry(2).backoff(new Backoff(SHORT, LONG, jitter)),
          "Use a jitter from 0 to 1.");
    }

    @Test
    void ifATimeIsNotPositive() {
      String fix = "Use a duration above zero.";

      refused(NodePolicy.NONE.timeout(Duration.ZERO), fix);
      refused(NodePolicy.NONE.timeout(SHORT.negated()), fix);
      refused(NodePolicy.NONE.idleTimeout(Duration.ZERO), fix);
      refused(NodePolicy.NONE.cache(CachePolicy.by(state -> 1).ttl(Duration.ZERO)), fix);
    }

    @Test
    void ifItsIdleTimeoutCouldNeverEndAnAttempt() {
      String fix = "Use an idle timeout that is shorter than the timeout, or remove it.";

      refused(NodePolicy.NONE.timeout(SHORT).idleTimeout(LONG), fix);
      refused(NodePolicy.NONE.timeout(SHORT).idleTimeout(SHORT), fix);
    }

    @Test
    void ifNoTaskCouldRun() {
      refused(NodePolicy.NONE.concurrency(0), "Use concurrency(n) with n of at least 1.");
    }

    @Test
    void ifItsCacheHoldsNothingOrHasNoKey() {
      refused(
          NodePolicy.NONE.cache(CachePolicy.by(state -> 1).maxEntries(0)),
          "Use maxEntries(n) with n of at least 1.");
      refused(NodePolicy.NONE.cache(CachePolicy.by(null)), "Use CachePolicy.by(key).");
    }

    @Test
    void ifItWouldKeepTheAnswerOfAGraph() {
      Graph inner = streaming().build();

      assertOnly(
          Graph.builder("outer")
              .subgraph("inner", inner)
              .policy("inner", NodePolicy.NONE.cache(CachePolicy.by(state -> 1)))
              .sequence(Graph.START, "inner", Graph.END),
          "SG-113",
          "policy(\"inner\", ...)",
          "Set the cache in the policies of the nodes of the subgraph.");
    }

    @Test
    void withAllThatIsWrongWithIt() {
      assertProblems(
          streaming().policy("a", NodePolicy.retry(0).timeout(Duration.ZERO).concurrency(-1)),
          tuple("SG-113", "policy(\"a\", ...)", "Use attempts(n) with n of at least 1."),
          tuple("SG-113", "policy(\"a\", ...)", "Use a duration above zero."),
          tuple("SG-113", "policy(\"a\", ...)", "Use concurrency(n) with n of at least 1."));
    }

    private void refused(NodePolicy policy, String fix) {
      assertOnly(streaming().policy("a", policy), "SG-113", "policy(\"a\", ...)", fix);
      assertOnly(streaming().defaults(policy), "SG-113", "defaults(...)", fix);
    }
  }

  @Nested
  class APolicyIsFine {

    @Test
    void atTheEdgeOfWhatIsAllowed() {
      assertLegal(streaming().policy("a", NodePolicy.NONE));
      assertLegal(streaming().policy("a", NodePolicy.retry(1).concurrency(1)));
      assertLegal(streaming()
          .policy("a", NodePolicy.retry(2).backoff(new Backoff(Duration.ZERO, Duration.ZERO, 1))));
      assertLegal(
          streaming().policy("a", NodePolicy.retry(2).backoff(SHORT, SHORT).retryOn(WORTH_IT)));
      assertLegal(streaming().policy("a", NodePolicy.NONE.idleTimeout(SHORT).timeout(LONG)));
      assertLegal(streaming()
          .policy(
              "a", NodePolicy.NONE.cache(CachePolicy.by(state -> 1).ttl(SHORT).maxEntries(1))));
    }
  }

  @Nested
  class Defaults {

    @Test
    void areTakenForWhatIsNotSaid() {
      CachePolicy cache = CachePolicy.by(state -> 1);
      NodePolicy defaults = NodePolicy.retry(3)
          .backoff(SHORT, LONG)
          .retryOn(WORTH_IT)
          .timeout(LONG)
          .idleTimeout(SHORT)
          .concurrency(2)
          .cache(cache);

      Graph graph = streaming()
          .compute("b", NOTHING)
          .sequence(START, "b", END)
          .defaults(defaults)
          .policy("b", NodePolicy.retry(5).concurrency(7))
          .build();

      assertThat(graph.node("a").policy()).isEqualTo(defaults);
      assertThat(graph.node("b").policy())
          .isEqualTo(new NodePolicy(
              5, new Backoff(SHORT, LONG, 0), WORTH_IT, LONG, SHORT, 7, cache, null));
    }

    @Test
    void giveWayInEverything() {
      CachePolicy cache = CachePolicy.by(state -> 1);
      NodePolicy said =
          new NodePolicy(2, new Backoff(SHORT, LONG, 0.5), WORTH_IT, LONG, SHORT, 1, cache, false);
      NodePolicy defaults = new NodePolicy(
          9,
          new Backoff(LONG, LONG, 0),
          error -> false,
          LONG.plus(LONG),
          LONG,
          9,
          CachePolicy.by(state -> 2),
          true);

      assertThat(
              streaming().defaults(defaults).policy("a", said).build().node("a").policy())
          .isEqualTo(said);
    }

    @Test
    void areNothingIfNothingIsSaid() {
      assertThat(streaming().build().node("a").policy()).isEqualTo(NodePolicy.NONE);
    }

    @Test
    void mayCompleteAPolicy() {
      assertLegal(streaming()
          .defaults(NodePolicy.retry(3))
          .policy("a", NodePolicy.NONE.backoff(SHORT, LONG)));
      assertLegal(streaming()
          .defaults(NodePolicy.NONE.backoff(SHORT, LONG))
          .policy("a", NodePolicy.retry(3)));
    }

    @Test
    void mayBeMeantForTheNodesThatRetry() {
      NodePolicy defaults = NodePolicy.retry(1).backoff(SHORT, LONG);

      assertLegal(streaming().defaults(defaults).policy("a", NodePolicy.retry(2)));
      assertOnly(
          streaming().defaults(defaults).policy("a", NodePolicy.NONE.concurrency(2)),
          "SG-113",
          "defaults(...)",
          "Use attempts(n) with n > 1, or remove backoff and retryOn.");
    }

    @Test
    void mayBeTurnedOffForANode() {
      assertLegal(streaming()
          .defaults(NodePolicy.retry(3).backoff(SHORT, LONG))
          .policy("a", NodePolicy.retry(1)));
      assertLegal(streaming()
          .defaults(NodePolicy.NONE.idleTimeout(LONG))
          .policy("a", NodePolicy.NONE.timeout(SHORT)));
    }

    @Test
    void mayMakeWhatANodeSaysPointless() {
      assertOnly(
          streaming()
              .defaults(NodePolicy.NONE.timeout(SHORT))
              .policy("a", NodePolicy.NONE.idleTimeout(LONG)),
          "SG-113",
          "policy(\"a\", ...)",
          "Use an idle timeout that is shorter than the timeout, or remove it.");
    }

    @Test
    void areToldOnceHoweverManyNodesThereAre() {
      assertOnly(
          streaming().defaults(NodePolicy.retry(0)).policy("a", NodePolicy.NONE.concurrency(2)),
          "SG-113",
          "defaults(...)",
          "Use attempts(n) with n of at least 1.");
    }
  }

  @Nested
  class APlainFunction {

    private static final String FIX =
        "Remove the timeout, or declare the node with node(...) or blocking(...).";

    @Test
    void hasNoTimeout() {
      assertOnly(
          computing().policy("a", NodePolicy.NONE.timeout(SHORT)),
          "SG-113",
          "policy(\"a\", ...)",
          FIX);
      assertOnly(
          computing().policy("a", NodePolicy.NONE.idleTimeout(SHORT)),
          "SG-113",
          "policy(\"a\", ...)",
          FIX);
    }

    @Test
    void mayBeRetriedAndCachedAndSharesTheDefaultsOfTheOthers() {
      assertLegal(computing()
          .defaults(NodePolicy.NONE.timeout(SHORT))
          .policy("a", NodePolicy.retry(2).cache(CachePolicy.by(state -> 1)).concurrency(1)));
    }

    @Test
    void mayHaveATimeoutWhereItMayBlock() {
      assertLegal(Graph.builder("graph")
          .blocking("a", NOTHING)
          .sequence(START, "a", END)
          .policy("a", NodePolicy.NONE.timeout(SHORT)));
    }

    private GraphBuilder computing() {
      return Told.graph("a").sequence(START, "a", END);
    }
  }

  @Test
  @DisplayName("E16 a handler is part of its node")
  void aHandlerIsPartOfItsNode() {
    ErrorHandler handler = (state, failure) -> subscriber -> {};

    Graph graph = streaming()
        .compute("b", NOTHING)
        .sequence(START, "b", END)
        .handler("a", handler)
        .build();

    assertThat(graph.node("a").handler()).containsSame(handler);
    assertThat(graph.node("b").handler()).isEmpty();
  }

  private static GraphBuilder streaming() {
    return Graph.builder("graph").node("a", state -> subscriber -> {}).sequence(START, "a", END);
  }
}
