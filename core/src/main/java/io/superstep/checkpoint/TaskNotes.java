package io.superstep.checkpoint;

import io.superstep.checkpoint.TaskNote.Advanced;
import io.superstep.checkpoint.TaskNote.Answered;
import io.superstep.checkpoint.TaskNote.Asked;
import io.superstep.checkpoint.TaskNote.Began;
import io.superstep.checkpoint.TaskNote.CommitFailed;
import io.superstep.checkpoint.TaskNote.Ended;
import io.superstep.checkpoint.TaskNote.Failed;
import io.superstep.checkpoint.TaskNote.Forgotten;
import io.superstep.checkpoint.TaskNote.Lifted;
import io.superstep.checkpoint.TaskNote.Resumed;
import io.superstep.question.AlreadyAnsweredException;
import io.superstep.question.Answer;
import io.superstep.question.UnknownQuestionException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The records of the pending tasks of a checkpoint and of the tasks nested in them: each valid
 * record once. Not safe for concurrent use.
 *
 * <p>Records of nested tasks become void when their graph commits the step, and when the enclosing
 * task ends, is retried after a failure, or is forgotten. Answered questions of nested tasks are
 * kept as past ones unless the enclosing task was forgotten. A failure becomes void when a run
 * resumes the thread.
 */
public final class TaskNotes {

  private record Kept(long order, TaskNote note) {}

  /** The records by origin and task, in the order in which they were added. */
  private final Map<String, Map<Task, List<Kept>>> known = new HashMap<>();

  /** The answered questions of nested tasks whose other records are void, by task. */
  private final Map<Task, List<Kept>> past = new HashMap<>();

  private long order;

  /** The failure of the last commit; null if a note about a task has followed it. */
  private @Nullable Kept commitFailure;

  /** @param notes in the order in which they were recorded */
  public TaskNotes(Collection<? extends TaskNote> notes) {
    notes.forEach(this::add);
  }

  /** Adds {@code note}; ignores a note that was added before. */
  public void add(TaskNote note) {
    if (note instanceof CommitFailed failure) {
      if (!failure.equals(commitFailure())) {
        commitFailure = new Kept(order++, failure);
      }
      return;
    }
    if (note instanceof Resumed) {
      dropFailure(note.task());
      return;
    }
    Task task = note.task();
    List<Kept> about = known
        .computeIfAbsent(task.origin(), any -> new LinkedHashMap<>())
        .computeIfAbsent(task, any -> new ArrayList<>(1));
    if (isKnown(note, about)) {
      return;
    }
    if (note instanceof Advanced) {
      passInside(task);
      about.removeIf(
          kept -> kept.note() instanceof Advanced before && before.said().isEmpty());
    } else if (note instanceof Forgotten) {
      forgetInside(task);
      about.removeIf(kept -> kept.note() instanceof Advanced);
    } else if (isFreshStart(note)) {
      passInside(task);
      about.removeIf(kept -> kept.note() instanceof Advanced);
    }
    about.add(new Kept(order++, note));
    commitFailure = null;
  }

  /** Drops the failure of the commit, and the start and the failure of the last attempt. */
  private void dropFailure(Task task) {
    commitFailure = null;
    Map<Task, List<Kept>> beside = known.get(task.origin());
    if (beside == null) {
      return;
    }
    List<Kept> about = beside.get(task);
    if (about == null || !isFailed(about)) {
      return;
    }
    about.removeIf(kept -> kept.note() instanceof Began || isLastFailure(kept.note()));
    if (about.isEmpty()) {
      beside.remove(task);
    }
  }

  private static boolean isFailed(List<Kept> about) {
    return isLastFailure(about.get(about.size() - 1).note());
  }

  private static boolean isLastFailure(TaskNote note) {
    return note instanceof Failed failure && failure.last();
  }

  private static boolean isFreshStart(TaskNote note) {
    return note instanceof Ended || (note instanceof Failed failure && !failure.last());
  }

  private static boolean isKnown(TaskNote note, List<Kept> about) {
    if (note instanceof Asked || note instanceof Answered) {
      return isKnown(key(note), note.getClass(), about);
    }
    if (note instanceof Lifted) {
      return lifts(about);
    }
    if (note instanceof Began || note instanceof Forgotten) { // which may be repeated
      return !about.isEmpty() && about.get(about.size() - 1).note().equals(note);
    }
    for (int index = about.size() - 1; index >= 0; index--) {
      TaskNote older = about.get(index).note();
      if (note instanceof Advanced && isOver(note.attempt(), older)) {
        return true; // its attempt has failed
      }
      if (older instanceof Began && older.attempt() == note.attempt()) {
        return false; // the attempt was started again
      }
      if (older instanceof Advanced before) {
        return note instanceof Advanced step
            && step.position().step() <= before.position().step();
      }
      if (older.equals(note)) {
        return true;
      }
      if (older instanceof Forgotten) {
        return false;
      }
    }
    return false;
  }

  /** Returns whether the question has a note of that kind which was not forgotten since. */
  private static boolean isKnown(String key, Class<? extends TaskNote> kind, List<Kept> about) {
    for (int index = about.size() - 1; index >= 0; index--) {
      TaskNote older = about.get(index).note();
      if (older instanceof Forgotten) {
        return false;
      }
      if (kind.isInstance(older) && key(older).equals(key)) {
        return true;
      }
    }
    return false;
  }

  private static String key(TaskNote note) {
    return note instanceof Asked asked
        ? asked.key()
        : ((Answered) note).answer().key();
  }

  /** Returns whether {@code older} is the failure of {@code attempt}, or of a later one. */
  private static boolean isOver(int attempt, TaskNote older) {
    return older instanceof Failed failure && !failure.last() && failure.attempt() >= attempt;
  }

  /** Drops the records of tasks nested in {@code task}, except for answered questions. */
  private void passInside(Task task) {
    Map<Task, List<Kept>> inside = known.remove(task.id());
    if (inside != null) {
      inside.forEach((each, about) -> {
        List<Asked> asked = questionsIn(about);
        List<Answered> answered = answersIn(about);
        for (Kept kept : about) {
          boolean isAnswered = (kept.note() instanceof Answered && answered.contains(kept.note()))
              || (kept.note() instanceof Asked question
                  && asked.contains(question)
                  && answered.stream().anyMatch(answer -> isTo(answer, question)));
          if (isAnswered) {
            past.computeIfAbsent(each, any -> new ArrayList<>(2)).add(kept);
          }
        }
        passInside(each);
      });
    }
  }

  private static boolean isTo(Answered answered, Asked asked) {
    return answered.answer().key().equals(asked.key());
  }

  /** Drops all records of tasks nested in {@code task}, and the past questions of the task. */
  private void forgetInside(Task task) {
    Map<Task, List<Kept>> inside = known.remove(task.id());
    if (inside != null) {
      inside.keySet().forEach(this::forgetInside);
    }
    past.keySet().removeIf(each -> each.equals(task) || isInside(each, task));
  }

  private static boolean isInside(Task task, Task around) {
    return task.id().startsWith(around.id() + "/");
  }

  /** Returns all valid records in the order in which they were added. */
  public List<TaskNote> inOrder() {
    Stream<Kept> inside = past.values().stream().flatMap(List::stream);
    Stream<Kept> ofTasks = Stream.concat(live(), inside);
    return inOrder(Stream.concat(ofTasks, Stream.ofNullable(commitFailure)));
  }

  private Stream<Kept> live() {
    return known.values().stream().flatMap(tasks -> tasks.values().stream()).flatMap(List::stream);
  }

  private static List<TaskNote> inOrder(Stream<Kept> notes) {
    return notes.sorted(Comparator.comparingLong(Kept::order)).map(Kept::note).toList();
  }

  /** Returns the recorded outcome of {@code task}; null if it has none. */
  public @Nullable Ended endOf(Task task) {
    return lastOf(task) instanceof Ended end ? end : null;
  }

  /** Returns the recorded steps of the graph nested in {@code task}, the first one first. */
  public List<Advanced> stepsOf(Task task) {
    List<Advanced> steps = new ArrayList<>();
    for (Kept kept : about(task)) {
      if (kept.note() instanceof Advanced step) {
        steps.add(step);
      }
    }
    return steps;
  }

  /** Returns whether {@code task} is not idempotent, was started, and has no recorded outcome. */
  public boolean isUncertain(Task task) {
    return lastOf(task) instanceof Began;
  }

  /** Returns whether a pause was lifted and the nested graph has recorded no step since. */
  private static boolean lifts(List<Kept> about) {
    for (int index = about.size() - 1; index >= 0; index--) {
      TaskNote note = about.get(index).note();
      if (note instanceof Lifted || note instanceof Advanced || note instanceof Forgotten) {
        return note instanceof Lifted;
      }
    }
    return false;
  }

  /** Returns whether the current pause of the graph nested in {@code task} was lifted. */
  public boolean isLiftedInside(Task task) {
    return lifts(about(task));
  }

  /**
   * Returns whether the pause of the position to which these notes belong was lifted. No task runs
   * before that, so any note of this kind belongs to this pause.
   */
  public boolean haveLift() {
    return !known.isEmpty() // as of most threads
        && known.values().stream()
            .flatMap(tasks -> tasks.values().stream())
            .flatMap(List::stream)
            .anyMatch(kept -> kept.note() instanceof Lifted);
  }

  /** Returns the tasks whose nested graph is paused. */
  public List<Task> pausedInside() {
    List<Task> paused = new ArrayList<>(0);
    known
        .values()
        .forEach(tasks -> tasks.forEach((task, about) -> {
          List<Advanced> steps = stepsOf(task);
          if (!steps.isEmpty()
              && !steps.get(steps.size() - 1).position().pause().isEmpty()
              && !lifts(about)) {
            paused.add(task);
          }
        }));
    return paused;
  }

  /** Returns the number of attempts of {@code task} that failed and were retried. */
  public int failedAttemptsOf(Task task) {
    int most = 0;
    for (Kept kept : about(task)) {
      if (kept.note() instanceof Failed failure && !failure.last()) {
        most = Math.max(most, failure.attempt());
      } else if (kept.note() instanceof Forgotten) {
        most = 0;
      }
    }
    return most;
  }

  /** Returns the valid questions of {@code task}, the first one first. */
  public List<Asked> questionsOf(Task task) {
    return questionsIn(about(task));
  }

  private static List<Asked> questionsIn(List<Kept> about) {
    return sinceForgotten(about, Asked.class);
  }

  /** Returns the valid answers to questions of {@code task}. */
  public List<Answered> answersOf(Task task) {
    return answersIn(about(task));
  }

  private static List<Answered> answersIn(List<Kept> about) {
    return sinceForgotten(about, Answered.class);
  }

  private static <N extends TaskNote> List<N> sinceForgotten(List<Kept> about, Class<N> kind) {
    List<N> found = new ArrayList<>(0);
    for (Kept kept : about) {
      if (kept.note() instanceof Forgotten) {
        found.clear();
      } else if (kind.isInstance(kept.note())) {
        found.add(kind.cast(kept.note()));
      }
    }
    return found;
  }

  /** A question that was answered before the enclosing graph was retried or committed a step. */
  public record Past(Asked asked, Answer answer) {}

  /** Returns the past questions of {@code task}, the first one first. */
  public List<Past> pastOf(Task task) {
    List<Past> found = new ArrayList<>(0);
    List<Asked> open = new ArrayList<>(0);
    for (Kept kept : past.getOrDefault(task, List.of())) {
      if (kept.note() instanceof Asked asked) {
        open.add(asked);
      } else if (kept.note() instanceof Answered answered) {
        open.stream().filter(asked -> isTo(answered, asked)).findFirst().ifPresent(asked -> {
          open.remove(asked);
          found.add(new Past(asked, answered.answer()));
        });
      }
    }
    return found;
  }

  /** Returns all answers to questions nested in {@code task}, including past ones, in order. */
  public List<Answer> answersInside(Task task) {
    List<Kept> found = new ArrayList<>(0);
    past.forEach((each, kept) -> {
      if (isInside(each, task)) {
        found.addAll(kept);
      }
    });
    addInside(task, found);
    return found.stream()
        .filter(kept -> kept.note() instanceof Answered)
        .sorted(Comparator.comparingLong(Kept::order))
        .map(kept -> ((Answered) kept.note()).answer())
        .toList();
  }

  private void addInside(Task task, List<Kept> found) {
    known.getOrDefault(task.id(), Map.of()).forEach((inside, about) -> {
      List<Answered> answers = answersIn(about);
      about.stream()
          .filter(kept -> kept.note() instanceof Answered answered && answers.contains(answered))
          .forEach(found::add);
      addInside(inside, found);
    });
  }

  /** Returns whether a task nested in {@code task} at any depth has a question. */
  public boolean asksInside(Task task) {
    return known.getOrDefault(task.id(), Map.of()).keySet().stream()
        .anyMatch(inside -> !questionsOf(inside).isEmpty() || asksInside(inside));
  }

  /** Returns the open questions in the order in which they were recorded. */
  public List<Asked> openQuestions() {
    return questions((task, asked) -> !isAnswered(task, asked));
  }

  /** Returns whether tasks without an outcome have questions, and all of them are answered. */
  public boolean areAnswered() {
    List<Asked> asked = questions();
    return !asked.isEmpty() && asked.stream().allMatch(each -> isAnswered(each.task(), each));
  }

  /** Returns all questions of tasks without an outcome, answered or not. */
  public List<Asked> questions() {
    return questions((task, asked) -> true);
  }

  private List<Asked> questions(BiPredicate<Task, Asked> test) {
    List<Asked> found = new ArrayList<>(0);
    for (TaskNote note : inOrder(live())) {
      if (note instanceof Asked asked
          && endOf(asked.task()) == null
          && questionsOf(asked.task()).contains(asked)
          && test.test(asked.task(), asked)) {
        found.add(asked);
      }
    }
    return found;
  }

  private boolean isAnswered(Task task, Asked asked) {
    return answersOf(task).stream()
        .anyMatch(answered -> answered.answer().key().equals(asked.key()));
  }

  /**
   * Adds the answer to an open question; ignores an answer whose receipt is recorded already.
   *
   * @throws UnknownQuestionException if there is no such question
   * @throws AlreadyAnsweredException if another answer was recorded before
   */
  public void answer(String thread, Answered answered) {
    Task task = answered.task();
    Answer answer = answered.answer();
    boolean isAsked = endOf(task) == null
        && questionsOf(task).stream().anyMatch(asked -> asked.id().equals(answer.question()));
    if (!isAsked) {
      throw UnknownQuestionException.of(
          thread, answer.question(), openQuestions().stream().map(Asked::key).toList());
    }
    for (Answered before : answersOf(task)) {
      if (before.answer().key().equals(answer.key())) {
        if (before.answer().receipt().equals(answer.receipt())) {
          return; // the reply was lost
        }
        throw new AlreadyAnsweredException(thread, before.answer());
      }
    }
    add(answered);
  }

  /** Returns the tasks that have records. */
  public Set<Task> tasks() {
    return known.values().stream()
        .flatMap(tasks -> tasks.keySet().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns whether a non-idempotent task was started and has no recorded outcome. */
  public boolean haveUncertainty() {
    return anyLast(note -> note instanceof Began);
  }

  /** Returns the failure of the last commit of the step; null if there is none that is valid. */
  public @Nullable CommitFailed commitFailure() {
    return commitFailure == null ? null : (CommitFailed) commitFailure.note();
  }

  /** Returns whether a task has failed in its last attempt, or the step in its commit. */
  public boolean haveFailure() {
    return commitFailure != null || anyLast(TaskNotes::isLastFailure);
  }

  /** Returns the records that make all failures void, for a run that resumes the thread. */
  public List<Resumed> resumed() {
    List<Resumed> resumed = new ArrayList<>(0);
    if (commitFailure != null) {
      TaskNote failure = commitFailure.note();
      resumed.add(new Resumed(failure.task(), failure.attempt()));
    }
    known
        .values()
        .forEach(tasks -> tasks.forEach((task, about) -> {
          if (isFailed(about)) {
            resumed.add(new Resumed(task, about.get(about.size() - 1).note().attempt()));
          }
        }));
    return resumed;
  }

  /** Returns whether a task has an open question, or a nested graph is paused. */
  public boolean havePause() {
    return anyLast(
            note -> note instanceof Advanced step && !step.position().pause().isEmpty())
        || !openQuestions().isEmpty();
  }

  private boolean anyLast(Predicate<TaskNote> test) {
    return !known.isEmpty() // as of most threads
        && known.values().stream()
            .flatMap(tasks -> tasks.values().stream())
            .anyMatch(about -> test.test(about.get(about.size() - 1).note()));
  }

  /**
   * Returns the records of {@code before} as records of {@code after}, which replaces it: its
   * outcome, or its failures, its questions and its nested steps, and the records of the tasks
   * nested in it.
   */
  public List<TaskNote> handedOver(Task before, Task after) {
    List<TaskNote> handed = new ArrayList<>();
    past.entrySet().stream()
        .filter(inside -> isInside(inside.getKey(), before))
        .flatMap(inside -> inside.getValue().stream())
        .sorted(Comparator.comparingLong(Kept::order))
        .forEach(kept -> handed.add(kept.note().about(moved(kept.note().task(), before, after))));
    handOver(before, after, handed);
    return handed;
  }

  /** Returns the task that replaces {@code inside}, a task nested in {@code before}. */
  private static Task moved(Task inside, Task before, Task after) {
    String origin = after.id() + inside.origin().substring(before.id().length());
    return new Task(origin, inside.step(), inside.index(), inside.node(), inside.arguments());
  }

  private void handOver(Task before, Task after, List<TaskNote> handed) {
    List<Asked> questions = questionsOf(before);
    List<Answered> answers = answersOf(before);
    for (Kept kept : about(before)) {
      TaskNote note = kept.note();
      if (note instanceof Advanced
          || note instanceof Failed
          || note instanceof Lifted
          || (note instanceof Asked && questions.contains(note))
          || (note instanceof Answered && answers.contains(note))) {
        handed.add(note.about(after));
      }
    }
    TaskNote last = lastOf(before);
    if (last instanceof Ended || last instanceof Began) {
      handed.add(last.about(after));
    }
    known
        .getOrDefault(before.id(), Map.of())
        .keySet()
        .forEach(inside -> handOver(
            inside,
            new Task(after.id(), inside.step(), inside.index(), inside.node(), inside.arguments()),
            handed));
  }

  /** Returns the last note about the work of {@code task}, which lifted pauses are not. */
  private @Nullable TaskNote lastOf(Task task) {
    List<Kept> about = about(task);
    int index = about.size() - 1;
    while (index >= 0 && about.get(index).note() instanceof Lifted) {
      index--;
    }
    return index < 0 ? null : about.get(index).note();
  }

  private List<Kept> about(Task task) {
    return known.getOrDefault(task.origin(), Map.of()).getOrDefault(task, List.of());
  }
}
