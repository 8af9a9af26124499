package io.superstep.benchmarks;

import java.util.List;

/** What is compared, and how its figures are told. */
enum Workload {
  CHAIN(
      Chain.class,
      "steps",
      1_000,
      1_000,
      "chain: one node looping 1,000 steps by a route, no store; per step",
      "bare",
      "run",
      "stream",
      "langGraph4j",
      "springAiAlibaba"),
  LONG_CHAIN(
      Chain.class,
      "steps",
      1_000_000,
      1_000_000,
      "long chain: the same for 1,000,000 steps; per step",
      "bare",
      "run",
      "stream"),
  FAN_OUT(
      FanOut.class,
      "branches",
      64,
      1,
      "fan-out: start to 64 nodes that append to one list, and a join; per run",
      "bare",
      "bareMutable",
      "run",
      "langGraph4j",
      "springAiAlibaba"),
  CONVERSATION(
      Conversation.class,
      "steps",
      2_000,
      2_000,
      "conversation: 2,000 steps that add a message of 100 characters each; per step",
      "bare",
      "run",
      "thread"),
  LONG_CONVERSATION(
      Conversation.class,
      "steps",
      4_000,
      4_000,
      "long conversation: the same for 4,000 steps; per step",
      "bare",
      "run",
      "thread");

  /** The contender without an engine, to which all others are compared. */
  static final String BARE = "bare";

  private final Class<?> type;
  private final String parameter;
  private final int size;
  private final int operations;
  private final String description;
  private final String contenders;

  Workload(
      Class<?> type,
      String parameter,
      int size,
      int operations,
      String description,
      String... contenders) {
    this.type = type;
    this.parameter = parameter;
    this.size = size;
    this.operations = operations;
    this.description = description;
    this.contenders = String.join(" ", contenders);
  }

  Class<?> type() {
    return type;
  }

  String parameter() {
    return parameter;
  }

  int size() {
    return size;
  }

  /** How many of what is told one run does. */
  int operations() {
    return operations;
  }

  String description() {
    return description;
  }

  List<String> contenders() {
    return List.of(contenders.split(" "));
  }
}
