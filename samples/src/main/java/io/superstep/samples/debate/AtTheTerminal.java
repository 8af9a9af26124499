package io.superstep.samples.debate;

import io.superstep.reactor.Resume;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/**
 * Whoever sits at the terminal, and answers with y or n. If nobody does, the answer is yes.
 *
 * @param keys what is typed; null if there is no terminal
 */
record AtTheTerminal(@Nullable BufferedReader keys, PrintStream out) {

  @SuppressWarnings("SystemConsoleNull") // where it is not null all the same, its input ends
  static AtTheTerminal now() {
    Console console = System.console();
    return new AtTheTerminal(
        console == null ? null : new BufferedReader(console.reader()), System.out);
  }

  /** With what the debate goes on; blocks until something is typed. */
  Resume answer() throws IOException {
    String typed = "";
    while (keys != null && typed != null) {
      if (typed.matches("(?i)y(es)?|no?")) {
        return Resume.answer(Debate.PUBLISH, typed.matches("(?i)y.*")).by("you");
      }
      out.print("    y/n> ");
      out.flush();
      typed = keys.readLine();
    }
    if (keys != null) {
      out.println();
    }
    out.println("    nobody is at the terminal to be asked, so the answer is yes");
    return Resume.answer(Debate.PUBLISH, true).by("nobody");
  }
}
