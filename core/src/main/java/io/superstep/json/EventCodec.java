package io.superstep.json;

import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.Provisional;
import io.superstep.event.GraphEvent.TaskChunk;
import io.superstep.state.Schemas;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JacksonModule;

/**
 * Writes events as a log on disk keeps them, and reads them back equal. Who wants to show events to
 * others takes {@link EventJson}, which hides what is private.
 *
 * <p>A state is written as what changed since it was last told, so that a log is as long as what
 * happened; see {@link Footing}. Of states, changes and updates all is kept but what lives only as
 * long as a run. Failures come back as {@link io.superstep.event.RecordedFailure}: what is stored
 * never names a class that is then loaded. What a chunk holds is plain data, text or messages.
 *
 * <p>Immutable and safe for use by many threads.
 */
public final class EventCodec {

  private final Documents documents;
  private final KnownSchemas known;

  private EventCodec(Builder builder) {
    this.documents = new Documents(builder.modules, builder.stages);
    this.known = new KnownSchemas(documents.mapper());
  }

  /** A codec without modules and stages. */
  public static EventCodec create() {
    return builder().build();
  }

  public static Builder builder() {
    return new Builder();
  }

  /**
   * {@code event} in JSON.
   *
   * @param footing what the event before has left, if that is the last one of the log; else
   *     {@link Footing#NONE}
   * @throws InvalidJsonException if it holds a value that cannot be read back
   */
  public EncodedEvent encode(GraphEvent event, Footing footing, Schemas schemas) {
    boolean isFact = !(event instanceof Provisional);
    boolean isKey =
        isFact && (footing.last() == 0 || (FactText.state(event) != null && footing.isLong()));
    Footing before = isKey ? Footing.NONE : footing;
    FactText.Telling telling = FactText.telling(event, before);
    FactText text = new FactText(known.of(schemas));
    byte[] bytes = documents.encode(
        (out, context) -> text.write(event, isKey, telling, out, context),
        failure -> event instanceof TaskChunk chunk
            ? Failures.chunk(chunk, failure)
            : Failures.writing(failure));
    Footing after = isFact ? before.after(event, telling, bytes.length) : footing;
    return new EncodedEvent(event.sequence(), bytes, isKey, after);
  }

  /**
   * The event that was encoded as {@code stored}.
   *
   * @param footing what the fact before has left; {@link Footing#NONE} for a key frame
   * @throws InvalidJsonException if {@code stored} is something else, or builds on an event that
   *     was not read
   */
  public DecodedEvent decode(byte[] stored, Footing footing, Schemas schemas) {
    FactText text = new FactText(known.of(schemas));
    FactText.Read read =
        documents.decode(stored, document -> text.read(document, footing, stored.length));
    return new DecodedEvent(read.event(), read.footing());
  }

  /** Collects modules and stages. */
  public static final class Builder {

    private final List<JacksonModule> modules = new ArrayList<>();
    private final List<ByteStage> stages = new ArrayList<>();

    private Builder() {}

    /** Adds types that Jackson does not know by itself; what it says wins over what we do. */
    public Builder module(JacksonModule module) {
      modules.add(module);
      return this;
    }

    /** Adds a stage behind those before it; reading undoes them in reverse. */
    public Builder stage(ByteStage stage) {
      stages.add(stage);
      return this;
    }

    public EventCodec build() {
      return new EventCodec(this);
    }
  }
}
