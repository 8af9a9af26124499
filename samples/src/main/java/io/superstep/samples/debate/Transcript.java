package io.superstep.samples.debate;

import static io.superstep.samples.debate.Debate.MESSAGES;
import static io.superstep.samples.debate.Debate.PUBLISHED;
import static io.superstep.samples.debate.Debate.ROUND;
import static io.superstep.samples.debate.Debate.TOPIC;

import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.QuestionAnswered;
import io.superstep.event.GraphEvent.QuestionAsked;
import io.superstep.event.GraphEvent.RunInterrupted;
import io.superstep.event.GraphEvent.StepCommitted;
import io.superstep.event.GraphEvent.TaskChunk;
import io.superstep.event.GraphEvent.TaskStarted;
import io.superstep.event.GraphEvent.Terminal;
import io.superstep.message.Message;
import io.superstep.state.State;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import reactor.core.publisher.Timed;

/** Writes a debate down while it goes on: who speaks, each word, each step, and the outcome. */
final class Transcript {

  private final PrintStream out;
  private final String kept;
  private int tokens;

  /** How long the debate has run, without the time in which it waited for somebody. */
  private Duration time = Duration.ZERO;

  /** @param kept where the thread is kept, and for how long */
  Transcript(PrintStream out, String kept) {
    this.out = out;
    this.kept = kept;
  }

  /** Says with what a thread goes on that was left in the middle. */
  void goesOn(int step) {
    out.println("    the debate was left after step " + step + ", and goes on");
    out.flush();
  }

  /** Says that whoever left the thread may still be at it. */
  void isBusy() {
    out.println("    whoever was at it has vanished, and its lease runs out within 30 seconds");
    out.flush();
  }

  /** Shows a debate that has come to its end before. */
  void isOver(State state) {
    outcome(state);
    out.flush();
  }

  void write(Timed<GraphEvent> timed) {
    GraphEvent event = timed.get();
    if (event instanceof TaskStarted started) {
      out.print(started.task().node() + ": ");
    } else if (event instanceof TaskChunk chunk) {
      out.print(chunk.content());
      tokens++;
    } else if (event instanceof StepCommitted committed) {
      String changed = String.join(", ", committed.changes().effects().keySet());
      out.println("\n    step " + committed.step() + " committed: " + changed);
    } else if (event instanceof QuestionAsked asked) {
      out.println(asked.question().prompt().text());
    } else if (event instanceof QuestionAnswered answered) {
      out.print("answered by " + answered.answer().by());
    } else if (event instanceof Terminal end) {
      time = time.plus(timed.elapsedSinceSubscription());
      ended(end);
    }
    out.flush();
  }

  private void ended(Terminal end) {
    if (end instanceof RunInterrupted) {
      out.println("    the run has ended, and its thread waits for an answer; " + kept);
    } else {
      outcome(end.state());
      summary(end.step());
    }
  }

  private void outcome(State state) {
    out.println();
    out.println("The final state");
    out.println("    topic: " + state.get(TOPIC));
    out.println("    round: " + state.get(ROUND));
    out.println("    messages:");
    for (Message message : state.get(MESSAGES)) {
      out.println("      - " + message.content());
    }
    out.println("    published: " + state.get(PUBLISHED));
  }

  private void summary(int steps) {
    out.println();
    out.println(String.format(
        Locale.ROOT, "%d tokens, %d steps, %.1f s", tokens, steps, time.toMillis() / 1_000.0));
  }
}
