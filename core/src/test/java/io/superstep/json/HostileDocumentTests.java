package io.superstep.json;

import static io.superstep.json.SampleThread.SCHEMAS;
import static io.superstep.json.Texts.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.superstep.error.SuperstepException;
import io.superstep.event.GraphEvent;
import io.superstep.memory.MemoryItem;
import io.superstep.memory.Namespace;
import io.superstep.memory.Writer;
import io.superstep.state.Channel;
import io.superstep.state.Schemas;
import io.superstep.state.StateSchema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Decodes mutated documents of every stored kind. Each decode returns a value or throws a typed
 * error that is bounded in length and contains nothing of the document.
 *
 * <p>The number of mutations is that of the system property {@code superstep.hostile.mutations},
 * over all kinds together; the seed is {@code superstep.hostile.seed}.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES) // with as many mutations as anybody asks for
class HostileDocumentTests {

  private static final int MUTATIONS = Integer.getInteger("superstep.hostile.mutations", 2_000);
  private static final long SEED = Long.getLong("superstep.hostile.seed", 20_260_102L);
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final int LONGEST_MESSAGE = 2_000;

  private static final ByteStage PACKED = Compression.from(0);
  private static final ThreadCodec THREADS = ThreadCodec.create();
  private static final ThreadCodec PACKED_THREADS =
      ThreadCodec.builder().stage(PACKED).build();
  private static final EventCodec EVENTS = EventCodec.create();
  private static final EventCodec PACKED_EVENTS =
      EventCodec.builder().stage(PACKED).build();
  private static final MemoryCodec MEMORIES = MemoryCodec.of();
  private static final MemoryCodec PACKED_MEMORIES = MemoryCodec.of(PACKED);
  private static final Schemas EVENT_SCHEMAS = SampleEvents.GRAPH.schemas();

  /** Channels of all the types that documents can hold. */
  private static final StateSchema WIDE = StateSchema.of(
      Channel.value("any", Object.class),
      Channel.sum("decimal", BigDecimal.class),
      Channel.sum("integer", BigInteger.class),
      Channel.list("list", Object.class),
      Channel.messages("messages"),
      Channel.map("map", String.class, Object.class),
      Channel.value("set", Set.class),
      Channel.text("text"));

  private static final Schemas WIDE_SCHEMAS = Schemas.of(WIDE);
  private static final JsonCodec PLAIN_WIDE = JsonCodec.of(WIDE);
  private static final JsonCodec PACKED_WIDE =
      JsonCodec.builder(WIDE).stage(PACKED).build();

  /** The stored kinds: valid documents, and how a sequence of them is decoded and used. */
  enum Kind {
    ENTRY {
      @Override
      List<byte[]> documents() {
        return golden("thread-v1.json");
      }

      @Override
      @Nullable
      Object decode(List<byte[]> documents, boolean packed) {
        Object last = null;
        for (byte[] each : documents) {
          ThreadCodec codec = packed ? PACKED_THREADS : THREADS;
          codec.decodeEntry(each, Schemas.NONE);
          var entry = codec.decodeEntry(each, SCHEMAS);
          codec.encode(entry, SCHEMAS);
          last = entry;
        }
        return last;
      }
    },
    THREAD {
      @Override
      List<byte[]> documents() {
        return golden("thread-v1.json");
      }

      @Override
      Object decode(List<byte[]> documents, boolean packed) {
        ThreadCodec codec = packed ? PACKED_THREADS : THREADS;
        return codec.decodeThread("t", null, documents, List.of(), SCHEMAS);
      }
    },
    NOTES {
      @Override
      List<byte[]> documents() {
        return golden("notes-v1.json");
      }

      @Override
      Object decode(List<byte[]> documents, boolean packed) {
        ThreadCodec codec = packed ? PACKED_THREADS : THREADS;
        codec.decodeNotes(documents, Schemas.NONE);
        var notes = codec.decodeNotes(documents, SCHEMAS).inOrder();
        notes.forEach(note -> codec.encodeWhole(note, SCHEMAS));
        return notes;
      }
    },
    INPUT {
      @Override
      List<byte[]> documents() {
        return golden("input-v1.json");
      }

      @Override
      Object decode(List<byte[]> documents, boolean packed) {
        ThreadCodec codec = packed ? PACKED_THREADS : THREADS;
        codec.decodeInput(documents.get(0), Schemas.NONE);
        return codec.decodeInput(documents.get(0), SCHEMAS);
      }
    },
    SNAPSHOT {
      @Override
      List<byte[]> documents() {
        return List.of(bytes(
            "{\"v\":1,\"channels\":{\"any\":{\"a\":[1,2.5,null,{\"$long\":7},{\"$decimal\":1.50},"
                + "{\"$set\":[\"x\",\"y\"]},{\"$map\":[1,\"one\",2,\"two\"]},{\"$instant\":\"2026-01-02T03:04:05Z\"},"
                + "{\"$bytes\":\"AQID\"},{\"$integer\":12345678901234567890},{\"$zone\":\"Europe/Berlin\"}]},"
                + "\"decimal\":1.50,\"integer\":99,\"list\":[1,\"a\"],\"messages\":[{\"type\":\"human\",\"id\":\"m-1\","
                + "\"content\":\"x\",\"metadata\":{\"k\":[1]}},{\"type\":\"ai\",\"id\":\"m-2\",\"content\":\"\",\"toolCalls\":"
                + "[{\"id\":\"c-1\",\"tool\":\"search\",\"arguments\":{\"query\":\"x\"}}]}],\"map\":{\"a\":1,\"b\":[2]},"
                + "\"set\":[1,2],\"text\":\"hello\",\"unknown\":[1]},"
                + "\"versions\":{\"any\":1,\"text\":3,\"unknown\":2},\"pending\":{\"unknown\":[{\"append\":[2]}],"
                + "\"list\":[{\"append\":[3]}]}}"));
      }

      @Override
      Object decode(List<byte[]> documents, boolean packed) {
        ThreadCodec codec = packed ? PACKED_THREADS : THREADS;
        codec.decodeState(documents.get(0), Schemas.NONE);
        var state = codec.decodeState(documents.get(0), WIDE_SCHEMAS);
        codec.encode(state, WIDE_SCHEMAS);
        return state;
      }
    },
    CHANGES {
      @Override
      List<byte[]> documents() {
        return List.of(
            bytes("{\"v\":1,\"changes\":{\"any\":{\"set\":{\"a\":1}},\"decimal\":{\"add\":1.5},"
                + "\"integer\":[{\"add\":1},{\"add\":2}],\"list\":{\"edit\":{\"removed\":[1],\"replaced\":"
                + "{\"0\":\"a\"},\"inserted\":{\"1\":\"b\"}}},\"map\":{\"merge-deep\":{\"a\":{\"b\":1}}},"
                + "\"set\":{\"union\":[3]},\"text\":{\"join\":\"more\"},\"messages\":{\"append\":[{\"type\":"
                + "\"human\",\"id\":\"m-3\",\"content\":\"x\"}]}}}"));
      }

      @Override
      Object decode(List<byte[]> documents, boolean packed) {
        var changes = (packed ? PACKED_WIDE : PLAIN_WIDE).decodeChanges(documents.get(0));
        try {
          return WIDE.start().apply(changes);
        } catch (SuperstepException misfit) {
          return changes;
        }
      }
    },
    EVENTS_OF_A_RUN {
      @Override
      List<byte[]> documents() {
        return golden("stored-events-v1.json");
      }

      @Override
      Object decode(List<byte[]> documents, boolean packed) {
        EventCodec codec = packed ? PACKED_EVENTS : EVENTS;
        List<GraphEvent> events = new ArrayList<>();
        Footing footing = Footing.NONE;
        for (byte[] each : documents) {
          codecWithoutSchemas(codec, each);
          DecodedEvent decoded = codec.decode(each, footing, EVENT_SCHEMAS);
          events.add(decoded.event());
          footing = decoded.footing();
        }
        return events;
      }

      private void codecWithoutSchemas(EventCodec codec, byte[] each) {
        try {
          codec.decode(each, Footing.NONE, Schemas.NONE);
        } catch (InvalidJsonException typed) {
          requireHarmless(typed);
        }
      }
    },
    MEMORY {
      @Override
      List<byte[]> documents() {
        Instant time = Instant.parse("2026-01-02T03:04:05.000000006Z");
        return List.of(MEMORIES.encode(new MemoryItem(
            Namespace.of("users", "4/2"),
            "likes",
            Map.of(
                "tea",
                Arrays.asList(
                    1, 2L, 2.5, null, true, new BigDecimal("1.50"), BigInteger.TEN.pow(30)),
                "text",
                "green"),
            time,
            time.plusSeconds(1),
            new Writer("t", 3, 9))));
      }

      @Override
      Object decode(List<byte[]> documents, boolean packed) {
        MemoryCodec codec = packed ? PACKED_MEMORIES : MEMORIES;
        var item = codec.decode(documents.get(0));
        codec.encode(item);
        return item;
      }
    };

    abstract List<byte[]> documents();

    abstract @Nullable Object decode(List<byte[]> documents, boolean packed);
  }

  private static final Map<Kind, List<byte[]>> PLANTED = new ConcurrentHashMap<>();

  private static List<byte[]> golden(String name) {
    return Arrays.stream(Texts.golden(name).split("(?<=\\})(?=\\{\"v\":1)"))
        .map(Texts::bytes)
        .toList();
  }

  /** The documents of {@code kind}, with the marker in every string that may be any text. */
  private static List<byte[]> planted(Kind kind) {
    return PLANTED.computeIfAbsent(kind, HostileDocumentTests::plant);
  }

  private static List<byte[]> plant(Kind kind) {
    List<byte[]> documents = new ArrayList<>(kind.documents());
    for (int index = 0; index < documents.size(); index++) {
      int at = index;
      documents.set(at, Mutations.planted(documents.get(at), candidate -> {
        List<byte[]> all = new ArrayList<>(documents);
        all.set(at, candidate);
        try {
          kind.decode(all, false);
          return true;
        } catch (SuperstepException refused) {
          return false;
        }
      }));
    }
    return documents;
  }

  private static void decode(Kind kind, List<byte[]> documents, boolean packed, String what) {
    long start = System.nanoTime();
    Object value = null;
    try {
      value = kind.decode(documents, packed);
    } catch (SuperstepException typed) {
      requireHarmless(typed);
    } catch (Throwable untyped) { // what this suite looks for
      fail("untyped error: %s".formatted(what), untyped);
    }
    if (value != null) {
      assertThat(value.hashCode()).as(what).isEqualTo(value.hashCode());
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start)).as(what).isLessThan(LIMIT);
  }

  private static void requireHarmless(SuperstepException typed) {
    for (Throwable each = typed; each != null; each = each.getCause()) {
      String message = String.valueOf(each.getMessage());
      if (message.length() > LONGEST_MESSAGE || message.contains(Mutations.MARKER)) {
        fail("a message is too long or contains stored content", typed);
      }
    }
  }

  private static void mutateAll(
      Kind kind, long seed, boolean packed, Function<Mutations, Function<byte[], byte[]>> how) {
    Mutations mutations = new Mutations(seed);
    List<byte[]> documents = planted(kind);
    int share = Math.max(1, MUTATIONS / Kind.values().length / 3);
    for (int round = 0; round < share; round++) {
      List<byte[]> mutated = new ArrayList<>();
      int target = round % documents.size();
      for (int index = 0; index < documents.size(); index++) {
        byte[] document = documents.get(index);
        if (packed && index != target) {
          document = PACKED.apply(document);
        }
        mutated.add(index == target ? how.apply(mutations).apply(document) : document);
      }
      decode(
          kind,
          mutated,
          packed,
          kind + " document " + target + ", round " + round + ", seed " + seed);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  @DisplayName("the documents of the suite are valid, and hold the marker")
  void validDocuments(Kind kind) {
    List<byte[]> documents = planted(kind);

    assertThat(kind.decode(documents, false)).isNotNull();
    assertThat(kind.decode(documents.stream().map(PACKED::apply).toList(), true))
        .isNotNull();
    assertThat(documents)
        .anySatisfy(document -> assertThat(Texts.text(document)).contains(Mutations.MARKER));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  @DisplayName("a mutated document is decoded, or refused with a typed error")
  void mutated(Kind kind) {
    mutateAll(kind, SEED, false, mutations -> mutations::mutate);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  @DisplayName("a mutated document that was compressed is decoded, or refused with a typed error")
  void mutatedThenCompressed(Kind kind) {
    mutateAll(
        kind, SEED + 1, true, mutations -> document -> PACKED.apply(mutations.mutate(document)));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  @DisplayName("a compressed document that was mutated is decoded, or refused with a typed error")
  void compressedThenMutated(Kind kind) {
    mutateAll(
        kind,
        SEED + 2,
        true,
        mutations -> document -> mutations.mutateBytes(PACKED.apply(document)));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  @DisplayName("random bytes are refused with a typed error")
  void randomBytes(Kind kind) {
    Random random = new Random(SEED);
    for (int length = 0; length < 200; length++) {
      byte[] noise = new byte[length];
      random.nextBytes(noise);
      List<byte[]> documents = new ArrayList<>(kind.documents());
      documents.set(0, noise);
      decode(kind, documents, false, kind + " noise of " + length);
      decode(kind, documents, true, kind + " noise of " + length);
    }
  }

  @Test
  @DisplayName("a parent or a position that is null is refused with a typed error")
  void nullParts() {
    for (Kind kind : Kind.values()) {
      for (byte[] document : kind.documents()) {
        String text = Texts.text(document);
        for (String name :
            List.of("parent", "position", "task", "said", "changes", "state", "on")) {
          List<byte[]> documents = new ArrayList<>(kind.documents());
          documents.set(
              0,
              bytes(text.replaceFirst(
                  "\"" + name + "\":[\\[{\"0-9]", "\"" + name + "\":null,\"x\":[")));
          decode(kind, documents, false, kind + " null " + name);
        }
      }
    }
  }
}
