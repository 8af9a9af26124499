package io.superstep.checkpoint.redis;

import static io.superstep.checkpoint.redis.RedisSpace.bytes;
import static io.superstep.checkpoint.redis.RedisSpace.text;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The names of the threads there are: those that may have work to do, and those that are done.
 *
 * <p>It lies on another node than the threads do, so the two are not written together. Whoever
 * begins with a thread takes a number first, which puts the name among the live ones; the thread
 * keeps the highest number as its mark. A name is taken from there only by whoever has seen that
 * its number is not above the mark, and a thread refuses numbers that are not. So a thread with
 * work to do is always found. One that has none may be found too, and whoever looks at it sees
 * that.
 */
final class ThreadIndex {

  private static final int PAGE = 100;
  private static final String DOING = "the index of threads";

  private static final RedisScript ENTER = RedisScript.of("index", "enter");
  private static final RedisScript LEAVE = RedisScript.of("index", "leave");
  private static final RedisScript LIVE = RedisScript.of("index", "live");
  private static final RedisScript DONE = RedisScript.of("index", "done");

  private final RedisSpace space;
  private final List<String> keys;

  ThreadIndex(RedisSpace space) {
    this.space = space;
    this.keys = space.keys().index();
  }

  /** A thread, and the number it was last begun with. */
  record Named(String thread, String number) {}

  /** Takes a number above {@code mark} for who begins with {@code thread}. */
  Mono<String> enter(String thread, String mark) {
    return space
        .call(ENTER, keys, DOING, bytes(ThreadNames.escaped(thread)), bytes(mark))
        .map(reply -> text(reply.get(0)));
  }

  /**
   * Takes {@code thread} from the live ones, unless somebody has begun with it since.
   *
   * @param kind DONE, or GONE if nothing is left of it
   * @param ttl after how many milliseconds it will be gone by itself; null if never
   */
  Mono<Void> leave(String thread, String mark, String kind, @Nullable Long ttl) {
    return space
        .call(
            LEAVE,
            keys,
            DOING,
            bytes(ThreadNames.escaped(thread)),
            bytes(mark),
            bytes(kind),
            bytes(ttl == null ? "" : ttl.toString()))
        .then();
  }

  /** The threads that may have work to do, each once. */
  Flux<Named> live() {
    return all(LIVE);
  }

  /** The threads that were done when they were left, each once. */
  Flux<Named> done() {
    return all(DONE);
  }

  /**
   * Who begins with a thread, or leaves one, while they are read takes it behind those that were
   * read. So what has moved meanwhile is read after that.
   */
  private Flux<Named> all(RedisScript part) {
    return Flux.defer(() -> {
      Set<String> seen = new HashSet<>();
      Pages pages = new Pages();
      AtomicLong found = new AtomicLong();
      return pages
          .of(part)
          .filter(each -> seen.add(each.thread()))
          .doOnNext(each -> found.incrementAndGet())
          .repeat(() -> found.getAndSet(0) > 0);
    });
  }

  private static List<Named> named(List<?> reply) {
    List<Named> page = new ArrayList<>(reply.size() / 2);
    for (int at = 0; at < reply.size(); at += 2) {
      page.add(new Named(ThreadNames.read(text(reply.get(at))), text(reply.get(at + 1))));
    }
    return page;
  }

  /** How far a part of the index was read; used by one JVM thread at a time. */
  private final class Pages {

    private String behind = "-inf";
    private String last = "";
    private boolean more;

    /** Those up to the number that is the last one when it is subscribed to. */
    Flux<Named> of(RedisScript part) {
      return Flux.defer(() -> {
        last = "";
        return Mono.defer(
                () -> space.call(part, keys, DOING, bytes(behind), bytes(last), bytes(PAGE)))
            .map(this::page)
            .repeat(() -> more)
            .concatMapIterable(page -> page, 1);
      });
    }

    private List<Named> page(List<Object> reply) {
      last = text(reply.get(0));
      List<Named> page = named((List<?>) reply.get(1));
      more = page.size() == PAGE;
      behind = more ? page.get(page.size() - 1).number() : last;
      return page;
    }
  }
}
