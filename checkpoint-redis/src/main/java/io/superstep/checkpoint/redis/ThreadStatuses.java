package io.superstep.checkpoint.redis;

import static io.superstep.checkpoint.redis.RedisSpace.bytes;
import static io.superstep.checkpoint.redis.RedisSpace.text;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.Pause;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.checkpoint.redis.ThreadIndex.Named;
import io.superstep.state.Schemas;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What threads are up to. The index says which to look at; what is told of a thread is what the
 * thread itself says.
 */
final class ThreadStatuses {

  /** How many threads are looked at at a time. */
  private static final int AT_ONCE = 16;

  private final RedisSpace space;
  private final ThreadBytes bytes;
  private final ThreadIndex index;
  private final Supplier<byte[]> clock;

  ThreadStatuses(RedisSpace space, ThreadBytes bytes, ThreadIndex index, Supplier<byte[]> clock) {
    this.space = space;
    this.bytes = bytes;
    this.index = index;
    this.clock = clock;
  }

  /** The threads of one of {@code wanted}, each once. */
  Flux<ThreadSummary> threads(Set<ThreadStatus> wanted) {
    return Flux.defer(() -> {
      Set<String> seen = new HashSet<>();
      Flux<ThreadSummary> live = index
          .live()
          .doOnNext(each -> seen.add(each.thread()))
          .flatMapSequential(this::lookAt, AT_ONCE, AT_ONCE);
      Flux<ThreadSummary> done = wanted.contains(ThreadStatus.DONE)
          ? index
              .done()
              .filter(each -> !seen.contains(each.thread()))
              .flatMapSequential(this::ofKept, AT_ONCE, AT_ONCE)
          : Flux.empty();
      return live.concatWith(done).filter(summary -> wanted.contains(summary.status()));
    });
  }

  /** What a thread is up to that may have work to do; if it has none, it is no longer looked at. */
  private Mono<ThreadSummary> lookAt(Named live) {
    return ofKept(live)
        .flatMap(summary -> summary.status() == ThreadStatus.DONE
            ? settled(live).thenReturn(summary)
            : Mono.just(summary));
  }

  /** What a thread is up to; if it has expired, it is no longer looked at. */
  private Mono<ThreadSummary> ofKept(Named named) {
    return of(named.thread()).switchIfEmpty(Mono.defer(() -> settled(named).then(Mono.empty())));
  }

  private Mono<Void> settled(Named named) {
    return space
        .call(
            ThreadScripts.SETTLE,
            space.keys().thread(named.thread()),
            "looking at thread '" + named.thread() + "'",
            bytes(named.number()),
            bytes(space.timeout().toMillis() * 2))
        .flatMap(reply -> {
          String kind = text(reply.get(0));
          if (kind.equals("LIVE")) {
            return Mono.empty();
          }
          long ttl = Long.parseLong(text(reply.get(1)));
          return index.leave(
              named.thread(), named.number(), kind, kind.equals("DONE") && ttl > 0 ? ttl : null);
        });
  }

  /** What {@code thread} is up to; empty if nothing was ever written to it. */
  Mono<ThreadSummary> of(String thread) {
    return Mono.defer(() -> space.call(
            ThreadScripts.STATUS,
            space.keys().thread(thread),
            "looking at thread '" + thread + "'",
            clock.get()))
        .mapNotNull(reply -> reply.isEmpty() ? null : summary(thread, reply));
  }

  private ThreadSummary summary(String thread, List<Object> reply) {
    String head = text(reply.get(0));
    boolean leased = text(reply.get(3)).equals("1");
    if (head.isEmpty()) {
      return new ThreadSummary(
          thread,
          leased ? ThreadStatus.RUNNING : ThreadStatus.ORPHANED,
          null,
          bytes
              .input(Waiting.inOrder((List<?>) reply.get(6)).get(0).input(), Schemas.NONE)
              .time());
    }
    List<byte[]> notes =
        ((List<?>) reply.get(6)).stream().map(each -> (byte[]) each).toList();
    ThreadStatus status = ThreadStatus.of(
        position(text(reply.get(1))),
        bytes.notes(notes, Schemas.NONE),
        leased,
        Integer.parseInt(text(reply.get(4))),
        !text(reply.get(5)).equals("0"));
    return new ThreadSummary(
        thread, status, CheckpointId.parse(head), Line.time(text(reply.get(2))));
  }

  /** A position of which no more is known than whether it is finished, or paused. */
  private static Position position(@Nullable String state) {
    return new Position(
        "",
        0,
        Schemas.NONE.schema().start(),
        "F".equals(state) ? List.of() : List.of(Due.by("work")),
        List.of(),
        Map.of(),
        Map.of(),
        "P".equals(state) ? new Pause(List.of("work"), List.of()) : Pause.NONE);
  }
}
