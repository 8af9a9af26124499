package io.superstep.checkpoint.redis;

import static io.superstep.checkpoint.redis.RedisSpace.bytes;

import java.nio.charset.StandardCharsets;
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
  private static final Frames FRAMES = new Frames(DOING);

  private static final RedisScript ENTER = RedisScript.of("index", "enter");
  private static final RedisScript LEAVE = RedisScript.of("index", "leave");
  private static final RedisScript LIVE = RedisScript.of("index", "live");
  private static final RedisScript DONE = RedisScript.of("index", "done");
  private static final RedisScript DISCARD = RedisScript.of("index", "discard");

  private final RedisSpace space;
  private final List<String> keys;

  ThreadIndex(RedisSpace space) {
    this.space = space;
    this.keys = space.keys().index();
  }

  /**
   * A member of the index: a thread, and the number it was last begun with.
   *
   * @param thread the name; if {@code isName} is false, the bytes of the member as characters
   * @param isName whether the member is the name of a thread
   */
  record Named(String thread, String number, boolean isName) {}

  /** Takes a number above {@code mark} for who begins with {@code thread}. */
  Mono<String> enter(String thread, String mark) {
    return space
        .call(ENTER, keys, DOING, bytes(ThreadNames.escaped(thread)), bytes(mark))
        .map(reply -> Long.toString(FRAMES.number(reply.get(0), "number")));
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
          .filter(each -> seen.add((each.isName() ? "" : "\0") + each.thread()))
          .doOnNext(each -> found.incrementAndGet())
          .repeat(() -> found.getAndSet(0) > 0);
    });
  }

  private static List<Named> named(List<?> reply) {
    List<Named> page = new ArrayList<>(reply.size() / 2);
    for (int at = 0; at + 1 < reply.size(); at += 2) {
      byte[] member = FRAMES.bytes(reply.get(at), "a name");
      String thread = ThreadNames.read(member);
      page.add(new Named(
          thread == null ? new String(member, StandardCharsets.ISO_8859_1) : thread,
          FRAMES.text(reply.get(at + 1), "a score"),
          thread != null));
    }
    return page;
  }

  /**
   * Removes the member that is listed as {@code thread} although it is not the name of a thread. No
   * store writes such a member, so it belongs to no thread that could be found.
   */
  Mono<Void> discard(String thread) {
    byte[] member = thread.getBytes(StandardCharsets.ISO_8859_1);
    return ThreadNames.read(member) != null
            || !thread.equals(new String(member, StandardCharsets.ISO_8859_1))
        ? Mono.empty()
        : space.call(DISCARD, keys, DOING, member).then();
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
      last = FRAMES.text(reply.get(0), "number");
      List<Named> page = named(FRAMES.list(reply.get(1), "names"));
      more = page.size() == PAGE;
      behind = more ? page.get(page.size() - 1).number() : last;
      return page;
    }
  }
}
