package io.superstep.checkpoint.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.testkit.ChildJvm;
import io.superstep.testkit.JsonStateFold;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of a process that is replaced while a node streams. */
class RollingDeployTests {

  @TempDir
  private Path directory;

  @Test
  @DisplayName("X.19 X.23 E22 a client that is moved to another process by SIGTERM loses nothing")
  void terminatedInTheMiddleOfAStream() {
    String file = directory.resolve("deploy.db").toString();
    Client client = new Client();
    NaiveClient naive = new NaiveClient();
    try (ChildJvm first = ChildJvm.start(StreamingProcess.class, file, "start", "0")) {
      String line;
      do {
        line = first.hears("{");
        client.receive(line);
        naive.receive(line);
      } while (!line.contains("\"content\":\"upon \""));
      assertThat(client.texts.values()).containsExactly("Once upon ");
      first.terminate();
      List<String> rest = first.remaining();
      assertThat(rest).last().isEqualTo("followers ended");
      rest.stream()
          .filter(each -> each.startsWith("{"))
          .peek(client::receive)
          .forEach(naive::receive);
    }
    assertThat(naive.texts.values()).containsExactly("Once upon ");
    String interrupted = naive.texts.keySet().iterator().next();
    try (ChildJvm second =
        ChildJvm.start(StreamingProcess.class, file, "recover", Long.toString(client.cursor))) {
      List<String> rest = new ArrayList<>(second.remaining());
      rest.removeIf(each -> !each.startsWith("{"));
      JsonNode stored = Client.read(rest.remove(rest.size() - 1));
      rest.forEach(client::receive);
      rest.forEach(naive::receive);

      assertThat(client.fold.state()).isEqualTo(stored.get("state"));
      assertThat(stored.get("state").get("round").intValue()).isEqualTo(2);
      JsonNode message = stored.get("state").get("messages").get(1);
      assertThat(client.texts)
          .containsExactly(
              Map.entry(message.get("id").stringValue(), message.get("content").stringValue()));

      assertThat(naive.texts)
          .containsExactly(
              Map.entry(interrupted, "Once upon "),
              Map.entry(message.get("id").stringValue(), "Once upon a time"));
      naive.replace(stored.get("state"));
      assertThat(naive.texts.values()).containsExactly("A story, please", "Once upon a time");
    }
  }

  /** Concatenates chunks by the id of their message, discards none, and knows no execution. */
  private static final class NaiveClient {

    /** By the id of the message. */
    private final Map<String, String> texts = new LinkedHashMap<>();

    void receive(String line) {
      JsonNode event = Client.read(line);
      if (event.get("type").stringValue().equals("task-chunk")) {
        texts.merge(
            event.get("message").stringValue(), event.get("content").stringValue(), String::concat);
      }
    }

    void replace(JsonNode state) {
      texts.clear();
      state
          .get("messages")
          .forEach(message ->
              texts.put(message.get("id").stringValue(), message.get("content").stringValue()));
    }
  }

  /** Folds the facts into a state, and concatenates chunks by the id of their message. */
  private static final class Client {

    private final JsonStateFold fold = new JsonStateFold();
    private final Map<String, String> texts = new LinkedHashMap<>();
    private long cursor;

    void receive(String line) {
      JsonNode event = read(line);
      fold.add(line);
      switch (event.get("type").stringValue()) {
        case "task-chunk" ->
          texts.merge(
              event.get("message").stringValue(),
              event.get("content").stringValue(),
              String::concat);
        case "task-started" -> texts.clear(); // the only task that streams begins anew
        default -> {}
      }
      if (!event.has("provisional")) {
        assertThat(event.get("sequence").longValue()).isEqualTo(cursor + 1);
        cursor++;
      }
    }

    private static JsonNode read(String line) {
      return JsonMapper.shared().readTree(line);
    }
  }
}
