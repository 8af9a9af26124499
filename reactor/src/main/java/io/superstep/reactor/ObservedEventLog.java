package io.superstep.reactor;

import io.superstep.event.Chunks;
import io.superstep.event.EventLog;
import io.superstep.event.GraphEvent;
import io.superstep.state.Schemas;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** An event log whose calls are reported to an observer, except for followers, which never end. */
record ObservedEventLog(EventLog log, ObservedCalls calls) implements EventLog {

  /** Returns {@code log} itself if there is no observer. */
  static @Nullable EventLog of(@Nullable EventLog log, @Nullable RunObserver observer) {
    return log == null || observer == null
        ? log
        : new ObservedEventLog(log, new ObservedCalls(observer, "events"));
  }

  @Override
  public Publisher<Long> open(String thread, long fence) {
    return calls.mono("open", thread, log.open(thread, fence));
  }

  @Override
  public Publisher<Void> append(
      String thread, long fence, List<GraphEvent> events, Schemas schemas) {
    return calls.mono("append", thread, log.append(thread, fence, events, schemas));
  }

  @Override
  public Publisher<GraphEvent> read(String thread, long after, Schemas schemas) {
    return calls.flux("read", thread, log.read(thread, after, schemas));
  }

  @Override
  public Publisher<GraphEvent> follow(String thread, long after, Chunks chunks, Schemas schemas) {
    return log.follow(thread, after, chunks, schemas);
  }

  @Override
  public Publisher<Long> trim(String thread, long before) {
    return calls.mono("trim", thread, log.trim(thread, before));
  }

  @Override
  public Publisher<Void> delete(String thread) {
    return calls.mono("delete", thread, log.delete(thread));
  }
}
