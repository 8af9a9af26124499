package io.superstep.checkpoint.redis;

import static io.superstep.checkpoint.redis.RedisSpace.bytes;
import static io.superstep.checkpoint.redis.RedisSpace.text;

import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.LogEntry;
import io.superstep.checkpoint.Retention;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.redis.Lineage.Known;
import io.superstep.state.Schemas;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Removes checkpoints. What goes, and what becomes a base, is decided here; Redis does it in one go
 * if nothing but steps has happened meanwhile, and else it is decided anew.
 */
final class ThreadPruning {

  private final RedisSpace space;
  private final ThreadReader reader;
  private final ThreadBytes bytes;

  ThreadPruning(RedisSpace space, ThreadReader reader, ThreadBytes bytes) {
    this.space = space;
    this.reader = reader;
    this.bytes = bytes;
  }

  /** As {@link io.superstep.checkpoint.CheckpointStore#delete(String, CheckpointId, boolean)}. */
  Mono<Boolean> remove(String thread, CheckpointId id, boolean cascade) {
    return remove(thread, id, cascade, null);
  }

  /** @param refused what the last attempt was made of, which Redis refused; null if none */
  private Mono<Boolean> remove(
      String thread, CheckpointId id, boolean cascade, @Nullable Lineage refused) {
    return lineage(thread).flatMap(lineage -> {
      requireChange(thread, lineage, refused);
      Set<CheckpointId> doomed = lineage.doomed(thread, id, cascade);
      if (doomed.isEmpty()) {
        return Mono.just(false);
      }
      List<byte[]> arguments = new ArrayList<>();
      arguments.add(bytes(lineage.version()));
      doomed.forEach(each -> arguments.add(bytes(each.toString())));
      return call(ThreadScripts.REMOVE, thread, arguments)
          .flatMap(done -> done ? Mono.just(true) : remove(thread, id, cascade, lineage));
    });
  }

  /** Cuts off what {@code retention} does not keep, and says how many checkpoints went. */
  Mono<Long> prune(String thread, Retention retention, Instant now) {
    return prune(thread, retention, now, null);
  }

  private Mono<Long> prune(
      String thread, Retention retention, Instant now, @Nullable Lineage refused) {
    return lineage(thread).flatMap(lineage -> {
      requireChange(thread, lineage, refused);
      int count = lineage.outdated(retention, now);
      return count == 0
          ? Mono.just(0L)
          : cutOff(thread, lineage, count)
              .flatMap(done -> done
                  ? Mono.just(lineage.known().subList(0, count).stream()
                      .filter(each -> each != null)
                      .count())
                  : prune(thread, retention, now, lineage));
    });
  }

  /**
   * Redis refuses an attempt only if something else than a step has happened to the thread. If that
   * is not so, the stored data contradicts itself, and another attempt would be refused too.
   */
  private static void requireChange(String thread, Lineage lineage, @Nullable Lineage refused) {
    if (refused != null && lineage.continues(refused)) {
      throw Frames.ofThread(thread)
          .invalid("log", "the checkpoints are not those that the fields describe");
    }
  }

  private Mono<Boolean> cutOff(String thread, Lineage lineage, int count) {
    List<Known> orphans = lineage.orphans(count);
    return Flux.fromIterable(orphans)
        .concatMap(orphan -> reader
            .load(thread, orphan.id(), Schemas.NONE)
            .map(saved -> bytes.entry(thread, asBase(saved), Schemas.NONE)))
        .collectList()
        .flatMap(bases -> bases.size() < orphans.size()
            ? Mono.just(false) // one of them was removed meanwhile
            : call(ThreadScripts.PRUNE, thread, arguments(lineage, count, orphans, bases)));
  }

  private static LogEntry asBase(SavedThread saved) {
    Checkpoint checkpoint = saved.checkpoint();
    return new LogEntry(
            checkpoint.id(),
            checkpoint.parent(),
            checkpoint.cause(),
            checkpoint.time(),
            checkpoint.fingerprint(),
            null,
            checkpoint.changes(),
            saved.position(),
            checkpoint.credits(),
            saved.outbox().writes())
        .asBase(saved.position().state());
  }

  private static List<byte[]> arguments(
      Lineage lineage, int count, List<Known> orphans, List<byte[]> bases) {
    long more = 0;
    int holes = 0;
    for (Known gone : lineage.known().subList(0, count)) {
      more -= gone == null ? 0 : gone.size();
      holes += gone == null ? 1 : 0;
    }
    for (int at = 0; at < bases.size(); at++) {
      more += bases.get(at).length - orphans.get(at).size();
    }
    Known first = lineage.known().get(count);
    List<byte[]> arguments = new ArrayList<>();
    arguments.add(bytes(lineage.version()));
    arguments.add(bytes(lineage.cut() + count));
    arguments.add(bytes(holes));
    arguments.add(bytes(more));
    arguments.add(bytes(Line.text(first == null ? Instant.EPOCH : first.line().time())));
    for (int at = 0; at < bases.size(); at++) {
      arguments.add(bytes(orphans.get(at).id().sequence()));
      arguments.add(bases.get(at));
    }
    return arguments;
  }

  private Mono<Boolean> call(RedisScript script, String thread, List<byte[]> arguments) {
    return space
        .call(
            script,
            space.keys().thread(thread),
            "pruning thread '" + ThreadNames.shown(thread) + "'",
            arguments.toArray(byte[][]::new))
        .map(reply -> text(reply.get(0)).equals("OK"));
  }

  private Mono<Lineage> lineage(String thread) {
    return Mono.defer(() -> lineage(thread, Frames.ofThread(thread), new ArrayList<>(), 1, -1));
  }

  /**
   * @param known what was read up to now
   * @param next the sequence to go on with
   * @param version that of the parts that were read; negative if none were
   */
  private Mono<Lineage> lineage(
      String thread, Frames frames, List<@Nullable Known> known, long next, long version) {
    return space
        .call(
            ThreadScripts.LINES,
            space.keys().thread(thread),
            "the history of thread '" + ThreadNames.shown(thread) + "'",
            bytes(next),
            bytes(ThreadReader.PAGE))
        .flatMap(reply -> {
          long cut = frames.number(reply.get(0), "field cut");
          long current = frames.number(reply.get(1), "field version");
          if (version >= 0 && version != current) {
            return lineage(thread); // the parts would not fit together
          }
          List<?> lines = frames.list(reply.get(4), "log");
          for (Object line : lines) {
            known.add(frames.known(line, cut + known.size() + 1));
          }
          long end = cut + known.size();
          return end < frames.number(reply.get(3), "log") && !lines.isEmpty()
              ? lineage(thread, frames, known, end + 1, current)
              : Mono.just(
                  new Lineage(cut, current, frames.idOrNone(reply.get(2), "field head"), known));
        });
  }
}
