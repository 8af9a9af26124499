package io.superstep.step;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Task;
import io.superstep.error.SuperstepException;
import io.superstep.graph.Command;
import io.superstep.graph.Graph;
import io.superstep.graph.Send;
import io.superstep.state.Contribution;
import io.superstep.state.InvalidUpdateException;
import io.superstep.state.State;
import io.superstep.state.Update;
import io.superstep.step.Outcome.Completed;
import io.superstep.step.Outcome.Failed;
import io.superstep.step.Outcome.Interrupted;
import io.superstep.step.ReferenceRun.Turn;
import io.superstep.step.ReferenceRun.View;
import io.superstep.step.Sketch.Edge;
import io.superstep.step.Sketch.Wait;
import io.superstep.step.StepResult.Committed;
import io.superstep.step.StepResult.Waiting;
import io.superstep.value.Seeds;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What the algorithm promises of every graph, on graphs that nobody thought of. */
class StepPropertiesTests {

  private static final int GRAPHS = 150;
  private static final int PLENTY = 1_000_000;
  private static final Update INPUT = Update.of(Sketch.COUNT, 3);

  /** Takes a random graph, step by step, to its end or to the end of its budget. */
  private static final class Run {

    private final Random random;
    private final Sketch sketch;
    private final Graph graph;
    private Position position;
    private Budget budget;

    Run(Random random, Sketch sketch, Budget budget) {
      this.random = random;
      this.sketch = sketch;
      this.graph = sketch.graph();
      this.position = open("run", graph.schema().start());
      this.budget = budget;
    }

    static Run of(Random random, Budget budget) {
      return new Run(random, RandomGraphs.next(random), budget);
    }

    static Run of(Random random) {
      return of(random, Budget.of(30, PLENTY));
    }

    Position open(String origin, State state) {
      return Superstep.open(graph, origin, state, INPUT).position();
    }

    boolean goesOn() {
      return !position.isFinished() && budget.steps() > 0;
    }

    /** What is due, without waiting for somebody to have a look. */
    List<Task> plan() {
      position = position.resumed();
      List<Task> plan = Superstep.plan(position);
      if (!plan.isEmpty()) {
        budget.requireMore(position.step());
      }
      return plan;
    }

    List<Completed> outcomes(List<Task> plan) {
      return plan.stream().map(task -> sketch.run(task, position.state())).toList();
    }

    Committed commit(List<? extends Outcome> outcomes) {
      return (Committed) Superstep.commit(graph, position, outcomes);
    }

    /** Takes one step; returns what completed in it. */
    List<Completed> step() {
      List<Completed> outcomes = outcomes(plan());
      move(commit(outcomes));
      return outcomes;
    }

    void move(Committed committed) {
      position = committed.position();
      budget = budget.afterStep(committed.startedOver());
    }

    /** The nodes that wait for their turn. */
    Set<String> waiting() {
      Set<String> nodes = new LinkedHashSet<>(position.deferred());
      position.due().forEach(due -> nodes.add(due.node()));
      return nodes;
    }

    <T> List<T> shuffled(List<T> list) {
      List<T> shuffled = new ArrayList<>(list);
      Collections.shuffle(shuffled, random);
      return shuffled;
    }

    <T> T any(Collection<T> some) {
      return List.copyOf(some).get(random.nextInt(some.size()));
    }
  }

  /** What {@code equals} does not see of a position: versions, and the order of its parts. */
  private static String told(Position position) {
    return position.origin() + " " + position.step() + " " + position.state() + " "
        + position.due() + position.deferred() + position.arrivals() + position.visits()
        + position.pause();
  }

  private static Set<String> nodes(List<? extends Outcome> outcomes) {
    Set<String> nodes = new LinkedHashSet<>();
    outcomes.forEach(outcome -> nodes.add(outcome.task().node()));
    return nodes;
  }

  /** The nodes that follow their own ways out. */
  private static Set<String> leaving(List<Completed> outcomes) {
    return nodes(outcomes.stream().filter(done -> done.said().goTo().isEmpty()).toList());
  }

  private static Comparator<String> inOrderOf(Sketch sketch) {
    return Comparator.comparingInt(sketch.nodes()::indexOf);
  }

  @Nested
  class EveryStep {

    @Test
    @DisplayName("E1 E2 E3 E4 E5 E6 E7 E12 is what the rows say, word for word")
    void isWhatTheRowsSay() {
      Seeds.each(2 * GRAPHS, random -> {
        Run run = Run.of(random);
        ReferenceRun reference = new ReferenceRun(run.sketch);
        for (int turn = 1; turn <= 2; turn++) {
          State before = turn == 1 ? run.graph.schema().start() : run.position.state();
          run.position = run.open("turn" + turn, before);
          run.budget = Budget.of(30, PLENTY);
          reference.open(3);
          same(run, reference);
          while (run.goesOn()) {
            advance(run, reference);
            same(run, reference);
          }
        }
      });
    }

    private void advance(Run run, ReferenceRun reference) {
      if (run.random.nextInt(12) == 0) {
        actAsSomebody(run, reference);
      } else if (reference.isPaused()) {
        assertThat(Superstep.plan(run.position)).isEmpty();
        run.position = run.position.resumed();
        reference.resume();
      } else {
        run.step();
        reference.step();
      }
    }

    private void actAsSomebody(Run run, ReferenceRun reference) {
      String node = run.any(run.sketch.nodes());
      Contribution change = new Contribution("somebody", Update.of(Sketch.COUNT, 5));

      Committed acted = Superstep.updateAs(run.graph, run.position, node, change);

      assertThat(acted.dropped().stream().map(Due::node))
          .isEqualTo(reference.act(node, 5).stream().map(Turn::node).toList());
      assertThat(acted.position().step()).isEqualTo(run.position.step() + 1);
      assertThat(acted.startedOver()).isEmpty();
      run.move(acted); // which takes a step off the budget, lest acting goes on for ever
    }

    private void same(Run run, ReferenceRun reference) {
      View expected = reference.view();
      assertThat(View.of(run.position, run.graph)).isEqualTo(expected);
      assertThat(run.position.arrivals()).hasSameSizeAs(expected.arrivals());
      assertThat(run.position.ready().stream().map(Due::node))
          .isEqualTo(reference.ready().stream().map(Turn::node).toList());
      assertThat(Superstep.unfilledJoins(run.graph, run.position))
          .hasSize(expected.arrivals().size())
          .allSatisfy(unfilled -> {
            Set<String> sources = new LinkedHashSet<>(unfilled.arrived());
            sources.addAll(unfilled.missing());
            assertThat(expected.arrivals().get(new Wait(sources, unfilled.target())))
                .isEqualTo(new LinkedHashSet<>(unfilled.arrived()));
          });
    }

    @Test
    @DisplayName("E5 is the same in whatever order its outcomes arrive")
    void doesNotDependOnTheOrderOfOutcomes() {
      Seeds.each(GRAPHS, random -> {
        Run run = Run.of(random);
        while (run.goesOn()) {
          List<Completed> outcomes = run.outcomes(run.plan());
          Committed inPlanOrder = run.commit(outcomes);

          for (int again = 0; again < 4; again++) {
            Committed shuffled = run.commit(run.shuffled(outcomes));
            assertThat(shuffled).isEqualTo(inPlanOrder);
            assertThat(told(shuffled.position())).isEqualTo(told(inPlanOrder.position()));
            assertThat(shuffled.changes().effects().keySet())
                .containsExactlyElementsOf(inPlanOrder.changes().effects().keySet());
          }

          assertThat(run.position.state().apply(inPlanOrder.changes()))
              .isEqualTo(inPlanOrder.position().state());
          run.move(inPlanOrder);
        }
      });
    }

    @Test
    @DisplayName("E3 asks the router of each node that is left, and each once")
    void asksEachRouterOnce() {
      Seeds.each(GRAPHS, random -> {
        Run run = Run.of(random);
        List<String> asked = new ArrayList<>();
        Graph watched = run.sketch.graph(asked::add);
        while (run.goesOn()) {
          List<Completed> outcomes = run.outcomes(run.plan());
          asked.clear();

          Superstep.commit(watched, run.position, outcomes);

          Set<String> expected = leaving(outcomes);
          expected.retainAll(run.sketch.forks().keySet());
          assertThat(asked).containsExactlyElementsOf(expected);
          run.move(run.commit(outcomes));
        }
      });
    }

    @Test
    @DisplayName("E1 makes nothing due that no way leads to from what has just run")
    void makesNothingDueWithoutACause() {
      Seeds.each(GRAPHS, random -> {
        Run run = Run.of(random);
        Set<String> before = Set.of();
        Set<String> ran = Set.of(START);
        while (true) {
          Set<String> more = run.waiting();
          more.removeAll(before);
          assertThat(next(run.sketch, ran)).containsAll(more);
          if (!run.goesOn()) {
            break;
          }
          before = new HashSet<>(run.position.deferred());
          ran = nodes(run.step());
          before.removeAll(ran);
        }
      });
    }

    /** Where one can get from {@code nodes} in one step, limits reached or not. */
    private Set<String> next(Sketch sketch, Set<String> nodes) {
      Set<String> next = new LinkedHashSet<>();
      for (Edge way : sketch.ways()) {
        if (nodes.contains(way.from())) {
          next.add(way.to());
        }
      }
      int size;
      do {
        size = next.size();
        sketch.limits().forEach((node, limit) -> {
          if (next.contains(node)) {
            next.add(limit.exit());
          }
        });
      } while (next.size() > size);
      return next;
    }

    @Test
    @DisplayName("E2 X.5 makes what only a join leads to due when all its sources have completed")
    void firesAJoinWhenAllSourcesHaveCompleted() {
      int[] firings = new int[2];
      Seeds.each(2 * GRAPHS, random -> {
        Run run = Run.of(random);
        Map<Wait, Set<String>> completed = joinsThatAlone(run.sketch);
        while (run.goesOn()) {
          int step = run.position.step();
          Set<String> before = new HashSet<>(run.position.deferred());
          Set<String> left = leaving(run.step());

          Set<String> due = run.waiting();
          due.removeAll(before);
          completed.forEach((join, since) -> {
            join.sources().stream().filter(left::contains).forEach(since::add);
            boolean full = since.equals(join.sources());
            assertThat(due.contains(join.target())).isEqualTo(full);
            if (full) {
              since.clear();
              firings[step > 5 ? 1 : 0]++;
            }
          });
        }
      });
      assertThat(firings[0]).as("early firings").isGreaterThan(49);
      assertThat(firings[1]).as("late firings").isGreaterThan(49);
    }

    /** The joins that are the only way to their target, which has no say in when it runs. */
    private Map<Wait, Set<String>> joinsThatAlone(Sketch sketch) {
      Map<Wait, Set<String>> joins = new LinkedHashMap<>();
      for (Wait join : sketch.joins()) {
        boolean alone = sketch.joins().stream()
                .filter(other -> other.target().equals(join.target()))
                .count()
            == 1;
        boolean ledTo = sketch.edges().stream().anyMatch(edge -> edge.to().equals(join.target()))
            || sketch.forks().values().stream()
                .anyMatch(fork -> fork.targets().contains(join.target()))
            || sketch.commands().values().stream()
                .anyMatch(targets -> targets.contains(join.target()))
            || sketch.limits().values().stream()
                .anyMatch(limit -> limit.exit().equals(join.target()));
        boolean free = !sketch.limits().containsKey(join.target())
            && !sketch.deferred().contains(join.target());
        if (alone && !ledTo && free) {
          joins.put(join, new LinkedHashSet<>());
        }
      }
      return joins;
    }

    @Test
    @DisplayName("X.25 waits as a whole for a task that asks, joins included")
    void waitsForATaskThatAsks() {
      Seeds.each(GRAPHS, random -> {
        Run run = Run.of(random);
        while (run.goesOn()) {
          List<Task> plan = run.plan();
          List<Completed> good = run.outcomes(plan);
          Committed untouched = run.commit(good);
          String before = told(run.position);
          List<Outcome> asking = new ArrayList<>(good);
          int place = random.nextInt(plan.size());
          Interrupted asks = new Interrupted(plan.get(place), "may I?");
          asking.set(place, asks);

          StepResult result = Superstep.commit(run.graph, run.position, run.shuffled(asking));

          assertThat(result).isEqualTo(new Waiting(List.of(asks)));
          assertThat(told(run.position)).isEqualTo(before);
          Committed answered = run.commit(good);
          assertThat(answered).isEqualTo(untouched);
          run.move(answered);
        }
      });
    }
  }

  @Nested
  class EveryPlan {

    @Test
    @DisplayName("E5 has the nodes in the order of their declaration, then the sends")
    void hasNodesInTheirOrderThenSends() {
      Seeds.each(GRAPHS, random -> {
        Run run = Run.of(random);
        while (run.goesOn()) {
          List<Task> plan = run.plan();

          List<Task> bySend =
              plan.stream().filter(task -> task.arguments() != null).toList();
          List<String> byWay = plan.subList(0, plan.size() - bySend.size()).stream()
              .map(Task::node)
              .toList();

          assertThat(plan.subList(byWay.size(), plan.size())).isEqualTo(bySend);
          assertThat(byWay).doesNotHaveDuplicates().isSortedAccordingTo(inOrderOf(run.sketch));
          run.step();
        }
      });
    }

    @Test
    @DisplayName("E15 gives every task an id that is its own, and the same whenever it is made")
    void givesEveryTaskAnIdOfItsOwn() {
      Seeds.each(GRAPHS, random -> {
        Sketch sketch = RandomGraphs.next(random);
        Run run = new Run(random, sketch, Budget.of(30, PLENTY));
        Run replay = new Run(random, sketch, Budget.of(30, PLENTY));
        Set<String> ids = new HashSet<>();
        while (run.goesOn()) {
          List<Task> plan = run.plan();

          assertThat(Superstep.plan(run.position)).isEqualTo(plan);
          assertThat(replay.plan()).isEqualTo(plan);
          assertThat(replay.plan())
              .extracting(Task::id)
              .isEqualTo(plan.stream().map(Task::id).toList());
          plan.forEach(task -> assertThat(ids.add(task.id())).as(task.id()).isTrue());

          run.step();
          replay.step();
        }
      });
    }

    @Test
    @DisplayName("X.1 goes on after a pause as if there had been none")
    void goesOnAfterAPause() {
      int[] pauses = new int[1];
      Seeds.each(GRAPHS, random -> {
        Sketch sketch = RandomGraphs.next(random);
        Run paused = new Run(random, sketch, Budget.of(30, PLENTY));
        Run straight = new Run(random, sketch.withoutPauses(), Budget.of(30, PLENTY));
        while (straight.goesOn()) {
          if (!paused.position.pause().isEmpty()) {
            pauses[0]++;
            assertThat(Superstep.plan(paused.position)).isEmpty();
            assertThatThrownBy(() -> paused.commit(List.of()))
                .isInstanceOf(InvalidStepException.class);
          }

          assertThat(paused.plan()).isEqualTo(straight.plan());

          Set<String> ran = nodes(paused.step());
          straight.step();
          assertThat(told(paused.position.resumed())).isEqualTo(told(straight.position));
          assertThat(paused.position.state()).isEqualTo(straight.position.state());
          Set<String> after = new LinkedHashSet<>(sketch.after());
          after.retainAll(ran);
          assertThat(paused.position.pause().after()).containsExactlyInAnyOrderElementsOf(after);
        }
      });
      assertThat(pauses[0]).isGreaterThan(GRAPHS);
    }
  }

  @Nested
  class AStepThatIsRefused {

    /** What was wrong, and what makes it so. */
    private record Spoilt(
        Class<? extends SuperstepException> type,
        String code,
        Graph graph,
        List<? extends Outcome> outcomes) {}

    private record Spoiler(Class<? extends SuperstepException> type, String code, Command more) {}

    private static final List<Spoiler> SPOILERS = List.of(
        new Spoiler(InvalidUpdateException.class, "SG-201", writing(Update.of("count", "text"))),
        new Spoiler(InvalidUpdateException.class, "SG-211", writing(Update.of("cuont", 1))),
        new Spoiler(InvalidUpdateException.class, "SG-217", writing(Update.of(Sketch.PARCEL, 1))),
        new Spoiler(InvalidRouteException.class, "SG-123", Command.goTo("nowhere")),
        new Spoiler(InvalidRouteException.class, "SG-123", Command.goTo(START)),
        new Spoiler(InvalidRouteException.class, "SG-123", Command.send(Send.to(END))));

    private static Command writing(Update update) {
      return new Command(update, List.of(), List.of(), false);
    }

    @Test
    @DisplayName("E3 E4 E8 leaves everything as it was, and is committed once it is made good")
    void leavesNoTrace() {
      Set<String> codes = new LinkedHashSet<>();
      Seeds.each(GRAPHS, random -> {
        Run run = Run.of(random);
        while (run.goesOn()) {
          List<Task> plan = run.plan();
          List<Completed> good = run.outcomes(plan);
          Committed untouched = run.commit(good);
          Position position = run.position;
          String before = told(position);
          Map<String, Object> valuesBefore =
              new LinkedHashMap<>(position.state().asMap());
          Spoilt spoilt = spoil(run, good);

          SuperstepException refused = catchThrowableOfType(
              spoilt.type(),
              () -> Superstep.commit(spoilt.graph(), position, run.shuffled(spoilt.outcomes())));

          assertThat(refused).as(spoilt.code()).isNotNull();
          assertThat(refused.problems().get(0).code()).isEqualTo(spoilt.code());
          codes.add(spoilt.code());
          assertThat(told(position)).isEqualTo(before);
          assertThat(position.state().asMap()).isEqualTo(valuesBefore);
          assertThat(Superstep.plan(position)).isEqualTo(plan);
          Committed madeGood = run.commit(run.shuffled(good));
          assertThat(madeGood).isEqualTo(untouched);
          assertThat(told(madeGood.position())).isEqualTo(told(untouched.position()));
          run.move(madeGood);
        }
      });
      assertThat(codes)
          .containsExactlyInAnyOrder(
              "SG-122", "SG-123", "SG-141", "SG-142", "SG-201", "SG-211", "SG-217");
    }

    private Spoilt spoil(Run run, List<Completed> good) {
      Set<String> routers = leaving(good);
      routers.retainAll(run.sketch.forks().keySet());
      if (!routers.isEmpty() && run.random.nextInt(3) == 0) {
        Graph broken = run.sketch.graph(failsAt(run.any(routers)));
        return new Spoilt(InvalidRouteException.class, "SG-122", broken, good);
      }
      List<Outcome> outcomes = new ArrayList<>(good);
      int place = run.random.nextInt(good.size());
      Task task = good.get(place).task();
      Command said = good.get(place).said();
      return switch (run.random.nextInt(6)) {
        case 0 -> {
          outcomes.set(place, new Failed(task, 1, new IllegalStateException("boom")));
          yield new Spoilt(NodeFailedException.class, "SG-141", run.graph, outcomes);
        }
        case 1 -> {
          outcomes.remove(place);
          yield new Spoilt(InvalidStepException.class, "SG-142", run.graph, outcomes);
        }
        case 2 -> {
          outcomes.add(good.get(place));
          yield new Spoilt(InvalidStepException.class, "SG-142", run.graph, outcomes);
        }
        case 3 -> {
          Task later = new Task("run", task.step() + 1, task.index(), task.node(), null);
          outcomes.set(place, new Completed(later, said));
          yield new Spoilt(InvalidStepException.class, "SG-142", run.graph, outcomes);
        }
        default -> {
          Spoiler spoiler = run.any(SPOILERS);
          outcomes.set(place, new Completed(task, said.and(spoiler.more())));
          yield new Spoilt(spoiler.type(), spoiler.code(), run.graph, outcomes);
        }
      };
    }

    private Consumer<String> failsAt(String broken) {
      return node -> {
        if (node.equals(broken)) {
          throw new IllegalStateException("the router is broken");
        }
      };
    }
  }

  @Nested
  class EveryRun {

    @Test
    @DisplayName("E7 ends, or uses up its steps with work left, and goes on with a fresh budget")
    void endsOrUsesUpItsSteps() {
      int[] ends = new int[2];
      Seeds.each(GRAPHS, random -> {
        Run run = Run.of(random, Budget.of(20, PLENTY));
        while (run.goesOn()) {
          run.step();
        }

        if (run.position.isFinished()) {
          assertThat(run.plan()).isEmpty();
          ends[0]++;
        } else {
          assertThat(run.position.step()).isEqualTo(20);
          assertThatThrownBy(run::plan)
              .isInstanceOfSatisfying(
                  StepLimitException.class,
                  limit -> assertThat(limit.problems().get(0).code()).isEqualTo("SG-131"));
          run.budget = Budget.of(1, PLENTY);
          run.step();
          assertThat(run.position.step()).isEqualTo(21);
          ends[1]++;
        }
      });
      assertThat(ends[0]).as("finished").isGreaterThan(GRAPHS / 8);
      assertThat(ends[1]).as("endless").isGreaterThan(GRAPHS / 8);
    }

    @Test
    @DisplayName("E7 X.10 ends if its steps have no limit: no loop goes round for ever")
    void leavesNoLoopWithoutABound() {
      int[] loops = new int[1];
      Seeds.each(GRAPHS, random -> {
        Run run = Run.of(random, Budget.of(Integer.MAX_VALUE, 4));
        int all = run.sketch.nodes().size();

        StepLimitException limit = catchThrowableOfType(StepLimitException.class, () -> {
          while (!run.plan().isEmpty()) {
            run.step();
            assertThat(run.position.step()).isLessThan(5 * (all + 1) * (all + 1));
          }
        });

        if (limit != null) {
          assertThat(limit.problems().get(0).code()).isEqualTo("SG-132");
          assertThat(loop(run.sketch, limit.loop().orElseThrow()))
              .containsAnyElementsOf(run.waiting());
          run.budget = Budget.DEFAULT;
          run.step();
          loops[0]++;
        }
      });
      assertThat(loops[0]).isGreaterThan(GRAPHS / 8);
    }

    @Test
    @DisplayName("X.10 charges a loop only for a step that makes one of its nodes due")
    void chargesALoopOnlyWhenItGoesOn() {
      Seeds.each(GRAPHS, random -> {
        Run run = Run.of(random);
        while (run.goesOn()) {
          Set<String> before = new HashSet<>(run.position.deferred());
          Map<String, Integer> rounds = run.budget.rounds();
          Set<String> ran = nodes(run.step());

          before.removeAll(ran);
          Set<String> due = run.waiting();
          due.removeAll(before);
          run.budget.rounds().forEach((first, count) -> {
            if (count > rounds.getOrDefault(first, 0)) {
              assertThat(loop(run.sketch, first)).contains(first).containsAnyElementsOf(due);
            }
          });
        }
      });
    }

    @Test
    void knowsTheNodesOfItsLoops() {
      Seeds.each(GRAPHS, random -> {
        Sketch sketch = RandomGraphs.next(random);
        Graph graph = sketch.graph();

        for (String node : sketch.nodes()) {
          assertThat(graph.loop(node))
              .containsExactlyInAnyOrderElementsOf(loop(sketch, node))
              .isSortedAccordingTo(inOrderOf(sketch));
        }
      });
    }

    /** What {@code node} leads to and is led to by, itself included if it leads to itself. */
    private List<String> loop(Sketch sketch, String node) {
      return sketch.reachable(node).stream()
          .filter(other -> sketch.reachable(other).contains(node))
          .toList();
    }
  }
}
