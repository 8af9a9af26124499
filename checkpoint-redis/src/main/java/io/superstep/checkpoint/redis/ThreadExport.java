package io.superstep.checkpoint.redis;

import static io.superstep.checkpoint.redis.RedisSpace.bytes;

import io.superstep.checkpoint.RawRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Emits the keys of a thread as they are stored, page by page, whatever they hold.
 *
 * <p>A record is named after its key and its place there: {@code meta/<field>},
 * {@code log/<index>}, {@code snapshot}, {@code notes/<index>}, {@code left/<checkpoint>},
 * {@code queue/<input>}, {@code taken/<index>}. A key of a type that no store writes is emitted as
 * {@code <key>/dump}, in the format of the command {@code DUMP}.
 */
final class ThreadExport {

  private static final int PAGE = 16;

  private final RedisSpace space;

  ThreadExport(RedisSpace space) {
    this.space = space;
  }

  Flux<RawRecord> of(String thread) {
    return Flux.defer(() -> {
      List<String> keys = space.keys().thread(thread);
      return Flux.range(0, keys.size()).concatMap(at -> new Pages(thread, keys, at).all(), 1);
    });
  }

  /** How far a key was read; used by one JVM thread at a time. */
  private final class Pages {

    private final Frames frames;
    private final List<String> keys;
    private final int number;
    private final String name;
    private byte[] position = bytes(0);

    Pages(String thread, List<String> keys, int at) {
      this.frames = Frames.ofThread(thread);
      this.keys = keys;
      this.number = at + 1;
      this.name = keys.get(at).substring(keys.get(at).lastIndexOf(':') + 1);
    }

    Flux<RawRecord> all() {
      return Mono.defer(() -> space.call(
              ThreadScripts.EXPORT,
              keys,
              "exporting " + frames.place(),
              bytes(number),
              position,
              bytes(PAGE)))
          .map(this::records)
          .repeat(() -> position.length > 0)
          .concatMapIterable(page -> page, 1);
    }

    private List<RawRecord> records(List<Object> page) {
      position = frames.bytes(page.get(0), name);
      List<RawRecord> records = new ArrayList<>(page.size() / 2);
      for (int at = 1; at + 1 < page.size(); at += 2) {
        String place = frames.text(page.get(at), name);
        byte[] content = frames.bytes(page.get(at + 1), name);
        records.add(
            new RawRecord(place.isEmpty() ? name : name + "/" + place, ByteBuffer.wrap(content)));
      }
      return records;
    }
  }
}
