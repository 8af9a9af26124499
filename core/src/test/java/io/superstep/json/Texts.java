package io.superstep.json;

import io.superstep.state.Contribution;
import io.superstep.state.State;
import io.superstep.state.Update;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** What the tests of this package share: folding by hand, and bytes as text. */
final class Texts {

  private Texts() {}

  static State fold(State state, Update... updates) {
    List<Contribution> contributions =
        Arrays.stream(updates).map(update -> new Contribution("test", update)).toList();
    return state.fold(contributions).state();
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A golden file without the line breaks and the indentation that make it readable. */
  static String golden(String name) {
    try (InputStream file = Texts.class.getResourceAsStream("/golden/" + name)) {
      return text(file.readAllBytes()).replaceAll("\\n *", "");
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** The text of a state whose only channel, {@code value}, holds {@code json}. */
  static byte[] holding(String json) {
    return bytes("{\"v\":1,\"channels\":{\"value\":" + json + "}}");
  }
}
