package io.superstep.checkpoint.redis;

import static io.superstep.checkpoint.redis.RedisSpace.bytes;
import static io.superstep.checkpoint.redis.RedisSpace.text;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
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

  /** A thread that may have work to do, and the number it was last begun with. */
  record Live(String thread, String number) {}

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
   * @param expires when it will be gone by itself, in milliseconds; null if never
   */
  Mono<Void> leave(String thread, String mark, String kind, @Nullable Long expires, long now) {
    return space
        .call(
            LEAVE,
            keys,
            DOING,
            bytes(ThreadNames.escaped(thread)),
            bytes(mark),
            bytes(kind),
            bytes(expires == null ? "" : expires.toString()),
            bytes(now))
        .then();
  }

  /** The threads that may have work to do, as of when it is subscribed to, each once. */
  Flux<Live> live() {
    return Flux.defer(() -> {
      AtomicReference<String> behind = new AtomicReference<>("-inf");
      AtomicReference<String> last = new AtomicReference<>("");
      AtomicReference<Boolean> more = new AtomicReference<>(true);
      return Mono.defer(() ->
              space.call(LIVE, keys, DOING, bytes(behind.get()), bytes(last.get()), bytes(PAGE)))
          .map(reply -> {
            last.set(text(reply.get(0)));
            List<Live> page = liveOf((List<?>) reply.get(1));
            more.set(page.size() == PAGE);
            if (!page.isEmpty()) {
              behind.set(page.get(page.size() - 1).number());
            }
            return page;
          })
          .repeat(more::get)
          .concatMapIterable(page -> page, 1);
    });
  }

  private static List<Live> liveOf(List<?> reply) {
    List<Live> page = new ArrayList<>(reply.size() / 2);
    for (int at = 0; at < reply.size(); at += 2) {
      page.add(new Live(ThreadNames.read(text(reply.get(at))), text(reply.get(at + 1))));
    }
    return page;
  }

  /** The threads that were done when they were left. */
  Flux<String> done() {
    return Flux.defer(() -> {
      AtomicReference<String> behind = new AtomicReference<>("");
      AtomicReference<Boolean> more = new AtomicReference<>(true);
      return Mono.defer(() -> space.call(DONE, keys, DOING, bytes(behind.get()), bytes(PAGE)))
          .map(reply -> {
            List<String> page = reply.stream().map(RedisSpace::text).toList();
            more.set(page.size() == PAGE);
            if (!page.isEmpty()) {
              behind.set(page.get(page.size() - 1));
            }
            return page;
          })
          .repeat(more::get)
          .concatMapIterable(page -> page, 1)
          .map(ThreadNames::read);
    });
  }
}
