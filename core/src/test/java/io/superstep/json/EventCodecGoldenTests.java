package io.superstep.json;

import static io.superstep.json.Texts.bytes;
import static io.superstep.json.Texts.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.event.GraphEvent;
import io.superstep.state.Schemas;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What was written once can be read for ever: these files are never changed, only added to. */
class EventCodecGoldenTests {

  private static final EventCodec CODEC = EventCodec.create();
  private static final Schemas SCHEMAS = SampleEvents.GRAPH.schemas();

  /** The events whose text has no error in it, of which only a record comes back. */
  private static List<GraphEvent> withoutErrors(List<GraphEvent> events, List<String> texts) {
    return IntStream.range(0, events.size())
        .filter(index -> !texts.get(index).contains("\"error\""))
        .mapToObj(events::get)
        .toList();
  }

  private static List<String> written(List<GraphEvent> events) {
    List<String> texts = new ArrayList<>();
    Footing footing = Footing.NONE;
    for (GraphEvent event : events) {
      EncodedEvent encoded = CODEC.encode(event, footing, SCHEMAS);
      footing = encoded.footing();
      texts.add(text(encoded.bytes()));
    }
    return texts;
  }

  @Test
  @DisplayName(
      "S2.10 the stored events of the golden file are read, and written as they stand there")
  void theEventsOfFormatOne() {
    List<String> golden =
        List.of(Texts.golden("stored-events-v1.json").split("(?<=\\})(?=\\{\"v\":1)"));

    List<GraphEvent> read = new ArrayList<>();
    Footing footing = Footing.NONE;
    for (String each : golden) {
      DecodedEvent decoded = CODEC.decode(bytes(each), footing, SCHEMAS);
      footing = decoded.footing();
      read.add(decoded.event());
    }

    assertThat(written(SampleEvents.all())).isEqualTo(golden);
    assertThat(written(read)).isEqualTo(golden);
    assertThat(withoutErrors(read, golden)).isEqualTo(withoutErrors(SampleEvents.all(), golden));
  }
}
