package io.superstep.testkit;

import io.superstep.event.Chunks;
import io.superstep.event.EventLog;
import io.superstep.event.GraphEvent;
import io.superstep.json.DecodedEvent;
import io.superstep.json.EncodedEvent;
import io.superstep.json.EventCodec;
import io.superstep.json.Footing;
import io.superstep.state.Schemas;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A log in which nothing lives that could not be stored: all events go to JSON and back before
 * another log gets them, as a log on disk would have it.
 *
 * <p>An event that no durable log could keep, such as a chunk of a class of its own, fails where it
 * is told. Failures come back as {@link io.superstep.event.RecordedFailure}.
 */
public final class EncodingEventLog implements EventLog {

  /** Tests make many logs, and a codec takes time and room to prepare. */
  private static final EventCodec CODEC = EventCodec.create();

  private final EventLog log;
  private final EventCodec codec;
  private final Map<String, Ends> threads = new ConcurrentHashMap<>();

  /** Where whoever writes to a thread stands, and whoever reads. */
  private record Ends(Footing written, Footing read) {

    static final Ends NONE = new Ends(Footing.NONE, Footing.NONE);
  }

  /** A log that keeps in {@code log} what it has read back. */
  public EncodingEventLog(EventLog log) {
    this(log, CODEC);
  }

  /** As {@link #EncodingEventLog(EventLog)}, with modules and stages. */
  public EncodingEventLog(EventLog log, EventCodec codec) {
    this.log = log;
    this.codec = codec;
  }

  @Override
  public Publisher<Long> open(String thread, long fence) {
    return Mono.from(log.open(thread, fence)).doOnNext(last -> threads.remove(thread));
  }

  @Override
  public Publisher<Void> append(
      String thread, long fence, List<GraphEvent> events, Schemas schemas) {
    return Flux.defer(() -> {
      Ends ends = threads.getOrDefault(thread, Ends.NONE);
      List<GraphEvent> read = new ArrayList<>();
      for (GraphEvent event : events) {
        EncodedEvent encoded = codec.encode(event, ends.written, schemas);
        DecodedEvent decoded = codec.decode(encoded.bytes(), ends.read, schemas);
        ends = new Ends(encoded.footing(), decoded.footing());
        read.add(decoded.event());
      }
      Ends reached = ends;
      return Mono.from(log.append(thread, fence, read, schemas))
          .doOnSuccess(done -> threads.put(thread, reached));
    });
  }

  @Override
  public Publisher<GraphEvent> read(String thread, long after, Schemas schemas) {
    return log.read(thread, after, schemas);
  }

  @Override
  public Publisher<GraphEvent> follow(String thread, long after, Chunks chunks, Schemas schemas) {
    return log.follow(thread, after, chunks, schemas);
  }

  @Override
  public Publisher<Long> trim(String thread, long before) {
    return log.trim(thread, before);
  }

  @Override
  public Publisher<Void> delete(String thread) {
    return Mono.from(log.delete(thread)).doOnSuccess(done -> threads.remove(thread));
  }
}
