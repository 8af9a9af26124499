package io.superstep.json;

import io.superstep.state.Changes;
import io.superstep.state.State;
import io.superstep.state.StateSchema;
import io.superstep.state.Update;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JacksonModule;

/**
 * Writes states, changes and updates as JSON and reads them back equal, typed by a schema.
 *
 * <p>The text names channels, properties and sealed classes by their simple names, never a Java
 * class; what is read is of the types that the schema names, or plain data. What could not be read
 * back as it was is refused when it is written. Dates and durations are ISO text.
 *
 * <p>Immutable and safe for use by many threads. Without options there are no modules and no
 * stages.
 */
public final class JsonCodec {

  private final Documents documents;
  private final StateSchema schema;
  private final StateText states;
  private final ChangesText changes;
  private final UpdateText updates;

  private JsonCodec(Builder builder) {
    this.documents = new Documents(builder.modules, builder.stages);
    this.schema = builder.schema;
    ChannelTexts channels = new ChannelTexts(schema.channels(), documents.mapper());
    this.states = new StateText(schema, channels);
    this.changes = new ChangesText(channels);
    this.updates = new UpdateText(channels);
  }

  /** The codec for states of {@code schema}, without options. */
  public static JsonCodec of(StateSchema schema) {
    return builder(schema).build();
  }

  public static Builder builder(StateSchema schema) {
    return new Builder(schema);
  }

  /**
   * {@code state} in JSON: its channels, with versions, except those that live only as long as a
   * run or a task.
   *
   * @throws InvalidJsonException if it holds a value that cannot be read back
   */
  public byte[] encode(State state) {
    return documents.encode((out, context) -> states.write(state, out, context));
  }

  /**
   * The state that was encoded as {@code stored}. Channels it does not have hold their start value;
   * channels that the schema does not know are kept and encoded again as they were.
   *
   * @throws InvalidJsonException if {@code stored} is something else
   */
  public State decode(byte[] stored) {
    return documents.decode(stored, states::read);
  }

  /**
   * {@code step} in JSON, except what lives only as long as a run.
   *
   * @throws InvalidJsonException if it holds a value that cannot be read back
   */
  public byte[] encode(Changes step) {
    return documents.encode((out, context) -> changes.write(step, out, context));
  }

  /**
   * The changes that were encoded as {@code stored}.
   *
   * @throws InvalidJsonException if {@code stored} is something else
   */
  public Changes decodeChanges(byte[] stored) {
    return documents.decode(stored, changes::read);
  }

  /**
   * {@code update} in JSON, the arguments of sends included, except what lives only as long as a
   * run.
   *
   * @throws InvalidJsonException if it holds a value that cannot be read back
   * @throws io.superstep.state.InvalidUpdateException if it does not fit the schema
   */
  public byte[] encode(Update update) {
    schema.check(update, null);
    return documents.encode((out, context) -> updates.write(update, out, context));
  }

  /**
   * The update that was encoded as {@code stored}.
   *
   * @throws InvalidJsonException if {@code stored} is something else
   */
  public Update decodeUpdate(byte[] stored) {
    return documents.decode(stored, updates::read);
  }

  /** Collects modules and stages. */
  public static final class Builder {

    private final StateSchema schema;
    private final List<JacksonModule> modules = new ArrayList<>();
    private final List<ByteStage> stages = new ArrayList<>();

    private Builder(StateSchema schema) {
      this.schema = schema;
    }

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

    public JsonCodec build() {
      return new JsonCodec(this);
    }
  }
}
