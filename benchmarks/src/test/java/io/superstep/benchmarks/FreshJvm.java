package io.superstep.benchmarks;

import io.superstep.benchmarks.ChildJvm.Told;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The plain programs, which measure heap or run once, each in a JVM where nothing else has run. */
enum FreshJvm {
  LONG_CHAIN,
  LONG_CHAIN_BARE,
  CONVERSATION,
  CONVERSATION_BARE,
  CONVERSATION_LANGGRAPH4J,
  CONVERSATION_ALIBABA,
  PARKED,
  PARKED_WITHOUT_STORE,
  PARKED_BARE;

  /** The figure of a program that has one. */
  static final String KEPT = "kept";

  /** The figures of the program, run here. */
  Map<String, Figures> here() {
    return switch (this) {
      case LONG_CHAIN -> heap(LongChainHeap.ofRun());
      case LONG_CHAIN_BARE -> heap(LongChainHeap.ofBare());
      case CONVERSATION -> heap(KeptConversation.inStore());
      case CONVERSATION_BARE -> heap(KeptConversation.ofBare());
      case CONVERSATION_LANGGRAPH4J ->
        KeptConversation.ofPeer(steps -> LangGraph4j.conversation(steps, Words.NEW));
      case CONVERSATION_ALIBABA ->
        KeptConversation.ofPeer(steps -> SpringAiAlibaba.conversation(steps, Words.NEW));
      case PARKED -> heap(ParkedRuns.onThreads());
      case PARKED_WITHOUT_STORE -> heap(ParkedRuns.withoutStore());
      case PARKED_BARE -> heap(ParkedRuns.ofBare());
    };
  }

  private static Map<String, Figures> heap(long bytes) {
    return Map.of(KEPT, Figures.ofHeap((double) bytes));
  }

  /** The figures of the program, run in a JVM of its own. */
  Map<String, Figures> run() {
    try (ChildJvm jvm =
        ChildJvm.start(FreshJvm.class, List.of("-Xmx3g", "-Xss64m"), List.of(name()))) {
      return jvm.all().stream().collect(Collectors.toMap(Told::name, Told::figures));
    }
  }

  /**
   * Runs one program and tells its figures.
   *
   * @param arguments its name
   */
  public static void main(String[] arguments) {
    valueOf(arguments[0])
        .here()
        .forEach((name, figures) -> ChildJvm.tell(System.out, name, figures));
    System.exit(0); // peers leave threads behind
  }
}
