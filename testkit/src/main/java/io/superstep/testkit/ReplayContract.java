package io.superstep.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Task;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.CheckpointSaved;
import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.event.GraphEvent.RunInterrupted;
import io.superstep.event.GraphEvent.RunResumed;
import io.superstep.event.GraphEvent.RunStarted;
import io.superstep.event.GraphEvent.StepCommitted;
import io.superstep.event.GraphEvent.StepStarted;
import io.superstep.event.GraphEvent.TaskChunk;
import io.superstep.event.GraphEvent.TaskCompleted;
import io.superstep.event.GraphEvent.TaskRetried;
import io.superstep.event.GraphEvent.TaskStarted;
import io.superstep.event.GraphEvent.TaskUpdated;
import io.superstep.event.GraphEvent.Terminal;
import io.superstep.graph.Graph;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.State;
import io.superstep.state.StateSchema;
import io.superstep.state.Update;
import io.superstep.step.Superstep;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/**
 * A table of what comes of graphs: from a position, the events that are told and the position that
 * is reached, whoever built the graph and whatever runs it.
 *
 * <p>Tests extend it, build the graphs that the table names with the means of their language, and
 * run them. All of them are called {@code replay} and have the channels of {@link #schema}.
 */
public abstract class ReplayContract {

  /** A list that grows. */
  public static final ListChannel<String> LOG = Channel.list("log", String.class);

  /** A sum. */
  public static final Channel<Integer> COUNT = Channel.sum("count", Integer.class);

  /** What a send brings along. */
  public static final Channel<Integer> TASK =
      Channel.value("task", Integer.class).startingAt(0).argument();

  /** A graph of the table: how it is built, and all that it tells. */
  public enum Row {
    /**
     * {@code START -> a -> b -> END}; nodes append their name to the log, here and in all other
     * rows, unless they are said to do something else.
     */
    CHAIN("""
        step 1 a
        task a
        update a
        end a
        commit log=[a]
        step 2 b
        task b
        update b
        end b
        commit log=[a, b]
        completed log=[a, b] count=0
        """),
    /** {@code START -> a -> (b, c, d)}, all of which join in {@code e -> END}. */
    FAN_OUT("""
        step 1 a
        task a
        update a
        end a
        commit log=[a]
        step 2 b c d
        task b
        update b
        end b
        task c
        update c
        end c
        task d
        update d
        end d
        commit log=[a, b, c, d]
        step 3 e
        task e
        update e
        end e
        commit log=[a, b, c, d, e]
        completed log=[a, b, c, d, e] count=0
        """),
    /**
     * {@code START -> tick}, which adds 1 to the count and routes to itself while it is below 3.
     */
    LOOP("""
        step 1 tick
        task tick
        update tick
        end tick
        commit count=1
        step 2 tick
        task tick
        update tick
        end tick
        commit count=2
        step 3 tick
        task tick
        update tick
        end tick
        commit count=3
        completed log=[] count=3
        """),
    /**
     * {@code START -> plan}, which fans out two sends to {@code work} with the tasks 1 and 2;
     * {@code work} adds its task to the count; {@code work -> gather -> END}.
     */
    SENDS("""
        step 1 plan
        task plan
        update plan
        end plan
        commit log=[plan]
        step 2 work work
        task work
        update work
        end work
        task work
        update work
        end work
        commit count=3
        step 3 gather
        task gather
        update gather
        end gather
        commit log=[plan, gather]
        completed log=[plan, gather] count=3
        """),
    /** {@code START -> a -> b -> END}; {@code a} says to go to {@code c -> END} in place of b. */
    COMMAND("""
        step 1 a
        task a
        update a
        end a
        commit log=[a]
        step 2 c
        task c
        update c
        end c
        commit log=[a, c]
        completed log=[a, c] count=0
        """),
    /** {@code START -> say -> END}; {@code say} streams the chunks "x" and "y" and then "xy". */
    STREAM("""
        step 1 say
        task say
        chunk say 0 x
        chunk say 1 y
        update say
        end say
        commit log=[xy]
        completed log=[xy] count=0
        """),
    /** {@code START -> (a, z)}, {@code a -> b -> END}, {@code z -> END}; {@code z} is deferred. */
    DEFERRED("""
        step 1 a
        task a
        update a
        end a
        commit log=[a]
        step 2 b
        task b
        update b
        end b
        commit log=[a, b]
        step 3 z
        task z
        update z
        end z
        commit log=[a, b, z]
        completed log=[a, b, z] count=0
        """),
    /** {@code START -> flaky -> END}; its first attempt fails, and it may try twice. */
    RETRY("""
        step 1 flaky
        task flaky
        retry flaky 1
        update flaky
        end flaky
        commit log=[flaky]
        completed log=[flaky] count=0
        """),
    /** {@code START -> bad -> END}; {@code bad} fails, and its handler appends "handled". */
    HANDLER("""
        step 1 bad
        task bad
        update bad
        end bad handled
        commit log=[handled]
        completed log=[handled] count=0
        """),
    /** {@code START -> inner -> c -> END}, where {@code inner} is the graph of {@link #CHAIN}. */
    SUBGRAPH("""
        step 1 inner
        task inner
        inner/ started
        inner/ step 1 a
        inner/ task a
        inner/ update a
        inner/ end a
        inner/ commit log=[a]
        inner/ step 2 b
        inner/ task b
        inner/ update b
        inner/ end b
        inner/ commit log=[a, b]
        inner/ completed log=[a, b] count=0
        end inner
        commit log=[a, b]
        step 2 c
        task c
        update c
        end c
        commit log=[a, b, c]
        completed log=[a, b, c] count=0
        """),
    /** {@link #CHAIN}, interrupted after {@code a}: what is told is told by two runs. */
    PAUSE("""
        step 1 a
        task a
        update a
        end a
        commit log=[a]
        interrupted log=[a] count=0
        step 2 b
        task b
        update b
        end b
        commit log=[a, b]
        completed log=[a, b] count=0
        """);

    private final String told;

    Row(String told) {
      this.told = told.strip();
    }

    private List<String> told() {
      return List.of(told.split("\n", -1));
    }

    private boolean isPause() {
      return this == PAUSE;
    }
  }

  /** The channels of all graphs of the table. */
  public static StateSchema schema() {
    return StateSchema.of(LOG, COUNT, TASK);
  }

  /** The graph of a row, whose nodes keep nothing from one run to the next. */
  protected abstract Graph graph(Row row);

  /** Runs {@code graph} from {@code position} to its end. */
  protected abstract Publisher<GraphEvent> run(Graph graph, Position position);

  /**
   * All positions at which a run of {@code graph} stood between two steps, as a store keeps them:
   * from the one before the first step to the last. A run that was interrupted is resumed.
   */
  protected abstract List<Position> positions(Graph graph);

  private static Position opened(Graph graph) {
    return Superstep.open(graph, "replay/1-1", graph.schema().start(), Update.NOTHING)
        .position();
  }

  private List<String> told(Graph graph, Position position) {
    return Flux.from(run(graph, position))
        .filter(event -> !isAside(event))
        .map(ReplayContract::line)
        .collectList()
        .blockOptional()
        .orElseThrow();
  }

  /** Whether a run begins or goes on, and what a store has to say, is not part of the table. */
  private static boolean isAside(GraphEvent event) {
    return event instanceof CheckpointSaved
        || (event.path().isEmpty() && (event instanceof RunStarted || event instanceof RunResumed));
  }

  /** Until the run ends for the first time. */
  private static List<String> firstRun(List<String> told) {
    for (int line = 0; line < told.size(); line++) {
      if (told.get(line).startsWith("interrupted")) {
        return told.subList(0, line + 1);
      }
    }
    return told;
  }

  /** What is told from the step behind {@code position} on. */
  private static List<String> from(List<String> told, Position position) {
    int begin = told.size() - 1;
    for (int line = told.size() - 1; line >= 0; line--) {
      if (told.get(line).startsWith("step " + (position.step() + 1) + " ")) {
        begin = line;
      }
    }
    return told.subList(begin, told.size());
  }

  private static Stream<DynamicTest> eachRow(Consumer<Row> test) {
    return Arrays.stream(Row.values())
        .map(row -> DynamicTest.dynamicTest(row.name(), () -> test.accept(row)));
  }

  @TestFactory
  @DisplayName("E13 a graph tells what the table says, and comes to what it says")
  Stream<DynamicTest> table() {
    return eachRow(this::assertTellsTheTable);
  }

  private void assertTellsTheTable(Row row) {
    Graph graph = graph(row);

    assertEquals(
        String.join("\n", firstRun(row.told())), String.join("\n", told(graph, opened(graph))));
  }

  @TestFactory
  @DisplayName("E13 E22 from every position on, the rest is told again, and nothing else")
  Stream<DynamicTest> rest() {
    return eachRow(this::assertTellsTheRest);
  }

  private void assertTellsTheRest(Row row) {
    Graph graph = graph(row);
    List<Position> positions = positions(graph);

    long steps = row.told().stream().filter(line -> line.startsWith("step ")).count();
    assertEquals(steps + 1, positions.size());
    for (Position position : positions) {
      Position resumed = row.isPause() ? position.resumed() : position;
      List<String> rest = from(row.told(), position);
      assertEquals(
          String.join("\n", position.step() == 0 ? firstRun(rest) : rest),
          String.join("\n", told(graph, resumed)),
          "from step " + position.step());
    }
  }

  private static String line(GraphEvent event) {
    String path = event.path().isEmpty() ? "" : event.path() + " ";
    return path + words(event);
  }

  private static String words(GraphEvent event) {
    if (event instanceof StepStarted started) {
      return "step " + event.step() + " "
          + started.tasks().stream().map(Task::node).collect(Collectors.joining(" "));
    }
    if (event instanceof TaskStarted started) {
      return "task " + started.task().node();
    }
    if (event instanceof TaskChunk chunk) {
      return "chunk " + chunk.task().node() + " " + chunk.index() + " " + chunk.content();
    }
    if (event instanceof TaskUpdated updated) {
      return "update " + updated.task().node();
    }
    if (event instanceof TaskRetried retried) {
      return "retry " + retried.task().node() + " " + retried.attempt();
    }
    if (event instanceof TaskCompleted completed) {
      return "end " + completed.task().node() + (completed.handled() == null ? "" : " handled");
    }
    if (event instanceof StepCommitted committed) {
      List<String> changed = new ArrayList<>();
      for (String channel : committed.changes().effects().keySet()) {
        changed.add(channel + "=" + Objects.requireNonNull(committed.state().get(channel)));
      }
      return "commit " + String.join(" ", changed);
    }
    if (event instanceof Terminal end) {
      String how = end instanceof RunCompleted
          ? "completed"
          : end instanceof RunInterrupted ? "interrupted" : "stopped";
      return how + " " + values(end.state());
    }
    return event instanceof RunStarted ? "started" : event.getClass().getSimpleName();
  }

  private static String values(State state) {
    return Arrays.asList(LOG, COUNT).stream()
        .map(channel -> channel.name() + "=" + state.get(channel.name()))
        .collect(Collectors.joining(" "));
  }
}
