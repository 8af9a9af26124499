package io.superstep.json;

import static io.superstep.json.SampleThread.SCHEMAS;
import static io.superstep.json.Texts.bytes;
import static io.superstep.json.Texts.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.TaskNotes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What was written once can be read for ever: these files are never changed, only added to. */
class ThreadCodecGoldenTests {

  private static final ThreadCodec CODEC = ThreadCodec.create();

  private static List<String> golden(String name) {
    return List.of(Texts.golden(name).split("(?<=\\})(?=\\{\"v\":1)"));
  }

  private static List<byte[]> stored(List<String> texts) {
    return texts.stream().map(Texts::bytes).toList();
  }

  @Test
  @DisplayName("S2.10 the log of the golden file is read, and written as it stands there")
  void theLogOfFormatOne() {
    List<String> golden = golden("thread-v1.json");
    List<Commit> commits = SampleThread.commits();

    List<String> written = new ArrayList<>();
    commits.forEach(commit -> written.add(text(CODEC.encode(commit, SCHEMAS))));

    assertThat(written).isEqualTo(golden);
    assertThat(CODEC
            .decodeThread(SampleThread.THREAD, null, stored(golden), List.of(), SCHEMAS)
            .position())
        .isEqualTo(commits.get(3).position());
  }

  @Test
  @DisplayName("S2.10 the notes of the golden file are read, and written as they stand there")
  void theNotesOfFormatOne() {
    List<String> golden = golden("notes-v1.json");

    List<String> written = new ArrayList<>();
    SampleThread.notes().forEach(note -> written.add(text(CODEC.encode(note, SCHEMAS))));

    assertThat(written).isEqualTo(golden);
    assertThat(CODEC.decodeNotes(stored(golden), SCHEMAS).inOrder())
        .isEqualTo(new TaskNotes(SampleThread.notes()).inOrder());
  }

  @Test
  @DisplayName("S2.10 the input of the golden file is read, and written as it stands there")
  void theInputOfFormatOne() {
    String golden = Texts.golden("input-v1.json");

    assertThat(text(CODEC.encode(SampleThread.input(), SCHEMAS))).isEqualTo(golden);
    assertThat(CODEC.decodeInput(bytes(golden), SCHEMAS)).isEqualTo(SampleThread.input());
  }
}
