package io.superstep.reactor;

import io.superstep.checkpoint.Checkpoint.Credit;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote;
import io.superstep.graph.Node;
import io.superstep.graph.NodeBody;
import io.superstep.memory.MemoryWrite;
import io.superstep.question.Answer;
import io.superstep.step.NodeFailedException;
import io.superstep.step.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one step: started in plan order as far as the limits allow, heard in any order, kept
 * in plan order.
 */
final class StepTasks {

  private static final int[] NONE = {};

  private final SuperstepLoop loop;
  private final Run run;
  private final List<Task> plan;
  private final Position position;
  private final @Nullable TaskRun[] running;
  private final @Nullable Outcome[] outcomes;
  private final @Nullable Journal journal;

  /** By node that has a limit, how many of its tasks run, and which wait for one of those. */
  private Map<Node, Crowd> crowds = Map.of();

  private List<KnownAnswers.Answer> answers = List.of();

  /**
   * Which attempt of a task brought its outcome; most steps have first ones only, and need none.
   */
  private int[] attempts = NONE;

  /** By task, what it and the tasks inside it were answered. */
  private Map<Integer, List<Answer>> answersOf = Map.of();

  /**
   * The recorded history of the tasks that have to run, by task, until each of them starts; null if
   * earlier runs recorded none.
   */
  private @Nullable Memory @Nullable [] memories;

  /** Whose end will be written down by the commit and by nothing before it, and so is not told. */
  private @Nullable TaskRun untold;

  private boolean pause;
  private boolean isStopped;
  private int next;
  private int completed;
  private int done;
  private @Nullable Throwable failure;

  StepTasks(SuperstepLoop loop, Run run, List<Task> plan, Position position) {
    this.loop = loop;
    this.run = run;
    this.plan = plan;
    this.position = position;
    this.running = new @Nullable TaskRun[plan.size()];
    this.outcomes = new @Nullable Outcome[plan.size()];
    this.journal = run.journal();
    for (int index = 0; index < outcomes.length && journal != null; index++) {
      recall(plan.get(index), journal.memoryOf(plan.get(index)));
    }
  }

  /** Takes what an earlier run has left of a task. */
  private void recall(Task task, Memory memory) {
    TaskNote.Ended known = memory.end();
    if (!memory.answers().isEmpty() || !memory.inside().isEmpty()) {
      List<Answer> told = new ArrayList<>(memory.inside());
      memory.answers().forEach(answered -> told.add(answered.answer()));
      answersOf = answersOf.isEmpty() ? new HashMap<>() : answersOf;
      answersOf.put(task.index(), told);
    }
    if (known == null && memory.isWaiting()) {
      outcomes[task.index()] =
          new Outcome.Interrupted(task, memory.questions().get(0).key());
      pause = true;
      done++;
    } else if (known != null) {
      outcomes[task.index()] = new Outcome.Completed(task, Journal.command(known.said()));
      count(task, known.attempt());
      completed++;
      done++;
    } else if (memory != Memory.NONE) {
      memories = memories == null ? new @Nullable Memory[outcomes.length] : memories;
      memories[task.index()] = memory;
    }
  }

  private Memory memory(int index) {
    Memory memory = memories == null ? null : memories[index];
    return memory == null ? Memory.NONE : memory;
  }

  /** Returns the history of a task that starts, and drops it here. */
  private Memory takeMemory(int index) {
    Memory memory = memory(index);
    if (memories != null) {
      memories[index] = null;
    }
    return memory;
  }

  /** What has to be known of tasks that act outside before anything of the step runs. */
  List<TaskNote> intents() {
    if (journal == null || !run.graph().actsOutside()) {
      return List.of();
    }
    List<TaskNote> intents = List.of();
    for (int index = 0; index < outcomes.length; index++) {
      Task task = plan.get(index);
      if (outcomes[task.index()] == null && node(task).actsOutside()) {
        intents = intents.isEmpty() ? new ArrayList<>() : intents;
        intents.add(
            new TaskNote.Began(task, TaskRun.firstAttempt(memory(task.index()), node(task))));
      }
    }
    return intents;
  }

  private static final class Crowd {

    private final int most;
    private final Deque<Task> waiting = new ArrayDeque<>();
    private int running;

    Crowd(int most) {
      this.most = most;
    }
  }

  /** Starts what may start now; called again whenever that may have changed. */
  void start() {
    if (!crowds.isEmpty() && !startedWaiting()) {
      return;
    }
    while (next < plan.size() && mayStart()) {
      Task task = plan.get(next);
      if (outcomes[task.index()] != null) {
        next++;
        continue;
      }
      Node node = node(task);
      Crowd crowd = crowdOf(node);
      if (crowd != null && crowd.running >= crowd.most) {
        crowd.waiting.add(task);
      } else if (!started(task, node, crowd)) {
        return;
      }
      next++;
    }
  }

  /** Starts those who waited for others of their node, and says whether more may be tried. */
  private boolean startedWaiting() {
    for (Crowd crowd : crowds.values()) {
      while (mayStart() && crowd.running < crowd.most && !crowd.waiting.isEmpty()) {
        Task task = crowd.waiting.element();
        if (!started(task, node(task), crowd)) {
          return false;
        }
        crowd.waiting.remove();
      }
    }
    return true;
  }

  private Node node(Task task) {
    return run.graph().node(task.node());
  }

  private boolean mayStart() {
    return failure == null && !loop.isCancelled();
  }

  private @Nullable Crowd crowdOf(Node node) {
    Integer most = node.policy().concurrency();
    if (most == null) {
      return null;
    }
    crowds = crowds.isEmpty() ? new LinkedHashMap<>() : crowds;
    return crowds.computeIfAbsent(node, any -> new Crowd(most));
  }

  private boolean started(Task task, Node node, @Nullable Crowd crowd) {
    if (isCounted(node) && !run.environment().permits().take(loop)) {
      return false;
    }
    if (crowd != null) {
      crowd.running++;
    }
    TaskRun started = new TaskRun(loop, run, this, node, task, position, takeMemory(task.index()));
    running[task.index()] = started;
    started.start();
    return true;
  }

  /** A graph inside is not counted, but its tasks are. */
  private static boolean isCounted(Node node) {
    return !(node.body() instanceof NodeBody.Nested);
  }

  void receive(TaskSignal signal) {
    signal.task().receive(signal);
  }

  /**
   * Has the end of a task written down, and tells it when that is safe. The last one to end is
   * written down by the commit, and told then.
   */
  void keep(TaskRun ended, Outcome.Completed outcome) {
    count(outcome.task(), ended.attempt());
    if (++completed == outcomes.length) {
      untold = ended;
      settle(node(outcome.task()), outcome);
    } else {
      loop.save(
          Objects.requireNonNull(journal).record(List.of(end(outcome))),
          () -> ended.settle(outcome),
          null);
    }
  }

  private TaskNote end(Outcome.Completed outcome) {
    Task task = outcome.task();
    return new TaskNote.Ended(task, attemptOf(task.index()), Journal.said(outcome.said()));
  }

  private void count(Task task, int attempt) {
    if (attempts == NONE && attempt > 1) {
      attempts = new int[outcomes.length];
      Arrays.fill(attempts, 1);
    }
    if (attempts != NONE) {
      attempts[task.index()] = attempt;
    }
  }

  private int attemptOf(int index) {
    return attempts == NONE ? 1 : attempts[index];
  }

  /** Tells of the task that ended last, now that it has been written down. */
  void tellLast() {
    if (untold != null) {
      untold.tellEnd();
    }
  }

  /** Who had a part in the step, in plan order. */
  List<Credit> credits() {
    if (outcomes.length == 1) { // as in most steps
      return List.of(credit(0));
    }
    Credit[] credits = new Credit[outcomes.length];
    for (int index = 0; index < credits.length; index++) {
      credits[index] = credit(index);
    }
    return List.of(credits);
  }

  /** What the tasks want remembered, in plan order. */
  List<MemoryWrite> memories() {
    List<MemoryWrite> memories = List.of();
    for (Outcome outcome : outcomes) {
      if (outcome instanceof Outcome.Completed done && !done.said().memories().isEmpty()) {
        memories = memories.isEmpty() ? new ArrayList<>() : memories;
        memories.addAll(done.said().memories());
      }
    }
    return memories;
  }

  private Credit credit(int index) {
    List<Answer> told = answersOf.isEmpty() ? null : answersOf.get(index);
    return new Credit(plan.get(index), attemptOf(index), told == null ? List.of() : told);
  }

  /** Returns what to record of the step where {@code error} keeps it from being committed. */
  List<TaskNote> unrecorded(Throwable error) {
    int last = untold == null ? outcomes.length - 1 : untold.index();
    List<TaskNote> notes = new ArrayList<>(2);
    if (untold != null) {
      notes.add(end((Outcome.Completed) Objects.requireNonNull(outcomes[last])));
    }
    notes.addAll(
        Objects.requireNonNull(journal).commitFailure(plan.get(last), attemptOf(last), error));
    return notes;
  }

  /** Takes notice of what a node said that need not be asked again once it is committed. */
  void answered(KnownAnswers.Answer answer) {
    answers = answers.isEmpty() ? new ArrayList<>() : answers;
    answers.add(answer);
  }

  /** Remembers the answers, now that all is committed. */
  void keepAnswers() {
    for (int index = 0; index < answers.size(); index++) {
      answers.get(index).keep();
    }
  }

  /** Takes notice that a task of {@code node} waits, or was stopped. */
  void interrupt(Node node, Outcome.Interrupted outcome, boolean isPause) {
    pause |= isPause;
    isStopped |= !isPause;
    settle(node, outcome);
  }

  /** Whether somebody has to answer, or to look at a graph inside. */
  boolean havePause() {
    return pause;
  }

  /** Returns whether a graph inside was stopped between two of its steps. */
  boolean isStoppedInside() {
    return isStopped;
  }

  /** Takes notice of the end of a task of {@code node}. */
  void settle(Node node, Outcome outcome) {
    Task task = outcome.task();
    outcomes[task.index()] = outcome;
    running[task.index()] = null;
    done++;
    Crowd crowd = crowdOf(node);
    if (crowd != null) {
      crowd.running--;
    }
    if (isCounted(node)) {
      run.environment().permits().giveBack();
    }
    if (outcome instanceof Outcome.Failed failed && failure == null) {
      failure = new NodeFailedException(failed, !run.environment().hidesMessages());
      cancel();
    }
  }

  @Nullable
  Throwable failure() {
    return failure;
  }

  boolean areDone() {
    return done == outcomes.length;
  }

  @SuppressWarnings("NullAway") // asked for when all are done
  List<Outcome> outcomes() {
    return Arrays.asList(outcomes);
  }

  /** Samples the running tasks; called by the stall detector, without synchronization. */
  void sample(StallDetector detector) {
    for (TaskRun task : running) {
      if (task != null) {
        task.sample(detector);
      }
    }
  }

  /** Lets go of the tasks that still run. */
  void cancel() {
    for (int task = 0; task < running.length && done < outcomes.length; task++) {
      TaskRun left = running[task];
      if (left != null) {
        running[task] = null;
        left.cancel();
        if (isCounted(node(plan.get(task)))) {
          run.environment().permits().giveBack();
        }
      }
    }
  }
}
