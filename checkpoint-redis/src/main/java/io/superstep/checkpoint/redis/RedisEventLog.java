package io.superstep.checkpoint.redis;

import static io.superstep.checkpoint.redis.DeliveryGuard.guarded;
import static io.superstep.checkpoint.redis.RedisSpace.bytes;
import static io.superstep.checkpoint.redis.RedisSpace.text;
import static io.superstep.error.Option.once;
import static io.superstep.error.Option.positive;

import io.superstep.event.Chunks;
import io.superstep.event.EventLog;
import io.superstep.event.EventLogConflictException;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.Provisional;
import io.superstep.event.Voices;
import io.superstep.json.ByteStage;
import io.superstep.json.EncodedEvent;
import io.superstep.json.EventCodec;
import io.superstep.json.Footing;
import io.superstep.json.Footings;
import io.superstep.state.Schemas;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Keeps the events of threads in Redis, from where any process can follow them.
 *
 * <p>Facts and what rides beside them are entries of one stream per thread. Whoever follows reads
 * the stream in pages, as far as events are asked for, and is woken by a message of Redis when
 * there is more; one connection of the process hears the messages of all threads. Safe for use by
 * many threads. Without options no fact is forgotten and 4,096 provisional events are kept of a
 * thread.
 */
public final class RedisEventLog implements EventLog {

  private static final RedisScript OPEN = RedisScript.of("log", "log_open");
  private static final RedisScript APPEND = RedisScript.of("log", "log_append");
  private static final RedisScript TRIM = RedisScript.of("log", "log_trim");
  private static final RedisScript DELETE = RedisScript.of("log", "log_delete");

  private final RedisSpace space;
  private final EventCodec codec;
  private final Footings footings = new Footings();
  private final Confirmed writers = new Confirmed();
  private final Bells bells;
  private final String maxFacts;
  private final String maxProvisional;
  private final String ttl;

  private RedisEventLog(Builder builder) {
    EventReader.load();
    this.space = builder.space;
    EventCodec.Builder plain = EventCodec.builder();
    builder.stages.forEach(plain::stage);
    this.codec = plain.build();
    this.bells = new Bells(space);
    this.maxFacts = builder.maxFacts == null ? "" : builder.maxFacts.toString();
    this.maxProvisional =
        builder.maxProvisional == null ? "4096" : builder.maxProvisional.toString();
    this.ttl = builder.ttl == null ? "" : Long.toString(builder.ttl.toMillis());
  }

  /** A log without options. */
  public static RedisEventLog of(RedisSpace space) {
    return builder(space).build();
  }

  public static Builder builder(RedisSpace space) {
    return new Builder(space);
  }

  private Mono<List<Object>> call(RedisScript script, String thread, byte[]... arguments) {
    return space.call(
        script,
        space.keys().events(thread),
        "the events of thread '" + ThreadNames.shown(thread) + "'",
        arguments);
  }

  @Override
  public Mono<Long> open(String thread, long fence) {
    return guarded(Mono.defer(() -> call(OPEN, thread, bytes(fence), bytes(ttl)))
        .map(reply -> {
          Frames frames = Frames.ofThread(thread);
          if (text(reply.get(0)).equals("FENCED")) {
            throw EventLogConflictException.fenced(
                thread, fence, frames.number(reply.get(1), "field fence"));
          }
          long last = frames.number(reply.get(1), "field last");
          writers.confirm(thread, fence, last);
          return last;
        }));
  }

  @Override
  public Mono<Void> append(String thread, long fence, List<GraphEvent> events, Schemas schemas) {
    List<GraphEvent> copy = List.copyOf(events);
    return guarded(Mono.defer(() -> {
      List<byte[]> arguments = new ArrayList<>(4 + 4 * copy.size());
      arguments.add(bytes(fence));
      arguments.add(bytes(maxFacts));
      arguments.add(bytes(maxProvisional));
      arguments.add(bytes(ttl));
      Footing footing = footings.before(thread, fence, copy);
      String place = Frames.ofThread(thread).place();
      for (GraphEvent event : copy) {
        Footing before = footing;
        EncodedEvent encoded = Coding.encoded(place, () -> codec.encode(event, before, schemas));
        footing = encoded.footing();
        boolean rides = event instanceof Provisional;
        arguments.add(bytes(rides ? "c" : encoded.isKeyFrame() ? "k" : "f"));
        arguments.add(bytes(event.sequence()));
        arguments.add(bytes(Voices.of(event)));
        arguments.add(encoded.bytes());
      }
      Footing left = footing;
      return call(APPEND, thread, arguments.toArray(byte[][]::new))
          .doOnError(failure -> footings.forget(thread))
          .flatMap(reply -> appended(thread, fence, copy, left, reply));
    }));
  }

  private Mono<Void> appended(
      String thread, long fence, List<GraphEvent> events, Footing left, List<Object> reply) {
    String result = text(reply.get(0));
    if (result.equals("OK")) {
      footings.keep(thread, fence, left);
      if (!events.isEmpty()) {
        writers.confirm(thread, fence, events.get(events.size() - 1).sequence());
      }
      return Mono.empty();
    }
    footings.forget(thread);
    Frames frames = Frames.ofThread(thread);
    if (result.equals("FENCED")) {
      return Mono.error(EventLogConflictException.fenced(
          thread, fence, frames.number(reply.get(1), "field fence")));
    }
    long last = frames.number(reply.get(3), "field last");
    long confirmed = writers.confirmed(thread, fence);
    return Mono.error(
        last < confirmed
            ? new HeadWentBackException(thread, confirmed, last)
            : EventLogConflictException.gap(
                thread,
                frames.number(reply.get(1), "an event"),
                frames.number(reply.get(2), "an event")));
  }

  @Override
  public Flux<GraphEvent> read(String thread, long after, Schemas schemas) {
    return guarded(attached(thread, after, Chunks.NONE, schemas)
        .flatMapMany(trail -> Mono.defer(trail::page)
            .repeat(() -> !trail.isAtTheEnd())
            .concatMapIterable(page -> page, 1)
            .filter(event -> event.sequence() <= trail.last())));
  }

  @Override
  public Flux<GraphEvent> follow(String thread, long after, Chunks chunks, Schemas schemas) {
    String channel = space.keys().events(thread).get(0);
    return guarded(Flux.usingWhen(
        bells.join(channel),
        bell -> space
            .timed(
                RedisCall.ATTACH, bell.listening().then(attached(thread, after, chunks, schemas)))
            .flatMapMany(trail -> Flux.fromIterable(trail.before())
                .concatWith(Mono.defer(() -> next(trail, bell))
                    .repeat()
                    .concatMapIterable(page -> page, 1))),
        bell -> bells.leave(channel)));
  }

  private Mono<List<GraphEvent>> next(EventReader trail, Bells.Bell bell) {
    long heard = bell.rung();
    return trail
        .page()
        .flatMap(page -> page.isEmpty() && !trail.hasRead()
            ? bell.after(heard).thenReturn(page)
            : Mono.just(page));
  }

  private Mono<EventReader> attached(String thread, long after, Chunks chunks, Schemas schemas) {
    return Mono.defer(() -> new EventReader(space, codec, thread, after, chunks, schemas).attach());
  }

  @Override
  public Mono<Long> trim(String thread, long before) {
    return guarded(Mono.defer(() -> call(TRIM, thread, bytes(before)))
        .map(reply -> Frames.ofThread(thread).number(reply.get(0), "field first")));
  }

  @Override
  public Mono<Void> delete(String thread) {
    return guarded(Mono.defer(() -> {
      footings.forget(thread);
      writers.forget(thread);
      return call(DELETE, thread, bytes(ttl.isEmpty() ? "3600000" : ttl)).then();
    }));
  }

  /**
   * The last facts that Redis has confirmed to writers of this process; of the threads that were
   * written to last. A log that ends before them has lost data.
   */
  private static final class Confirmed {

    private static final int MAX_THREADS = 10_000;

    /** Guarded by itself. */
    private final Map<String, Writer> byThread = new LinkedHashMap<>(16, 0.75f, true);

    private record Writer(long fence, long last) {}

    void confirm(String thread, long fence, long last) {
      synchronized (byThread) {
        byThread.put(thread, new Writer(fence, last));
        if (byThread.size() > MAX_THREADS) {
          byThread.remove(byThread.keySet().iterator().next());
        }
      }
    }

    /** Returns the number of the last fact; 0 if none is known of the writer. */
    long confirmed(String thread, long fence) {
      synchronized (byThread) {
        Writer known = byThread.get(thread);
        return known == null || known.fence() != fence ? 0 : known.last();
      }
    }

    void forget(String thread) {
      synchronized (byThread) {
        byThread.remove(thread);
      }
    }
  }

  /** Collects what a log is told; each option can be set once. */
  public static final class Builder {

    private final RedisSpace space;
    private final List<ByteStage> stages = new ArrayList<>();
    private @Nullable Long maxFacts;
    private @Nullable Integer maxProvisional;
    private @Nullable Duration ttl;

    private Builder(RedisSpace space) {
      this.space = space;
    }

    /** How many facts of a thread are kept; a follower that is further behind is told so. */
    public Builder maxFacts(long most) {
      maxFacts = once("maxFacts", maxFacts, positive("maxFacts", most));
      return this;
    }

    /** How many provisional events of running tasks are kept of a thread. */
    public Builder maxProvisional(int most) {
      positive("maxProvisional", most);
      maxProvisional = once("maxProvisional", maxProvisional, most);
      return this;
    }

    /** How long the events of a thread are kept that nobody writes to. */
    public Builder ttl(Duration time) {
      positive("ttl", time.toMillis());
      ttl = once("ttl", ttl, time);
      return this;
    }

    /** Adds a stage over the bytes behind those before it, such as compression or encryption. */
    public Builder stage(ByteStage stage) {
      stages.add(stage);
      return this;
    }

    public RedisEventLog build() {
      return new RedisEventLog(this);
    }
  }
}
