package io.superstep.json;

import io.superstep.error.Problem;
import io.superstep.state.InvalidSchemaException;
import io.superstep.state.InvalidUpdateException;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/** Makes bytes of documents, and documents of bytes, through the stages that were chosen. */
final class Documents {

  private final JsonMapper mapper;
  private final ObjectWriter writer;
  private final ObjectReader plain;
  private final List<ByteStage> stages;

  Documents(List<JacksonModule> modules, List<ByteStage> stages) {
    this.mapper = JsonMapping.with(modules);
    this.writer = mapper.writerFor(Text.class);
    this.plain = mapper.readerFor(Object.class);
    this.stages = List.copyOf(stages);
  }

  JsonMapper mapper() {
    return mapper;
  }

  /** @throws InvalidJsonException if there is a value that cannot be read back */
  byte[] encode(Text.Writing writing) {
    return encode(writing, Failures::writing);
  }

  /** @param told how a value that cannot be written is told */
  byte[] encode(Text.Writing writing, Function<JacksonException, InvalidJsonException> told) {
    byte[] bytes;
    try {
      bytes = writer.writeValueAsBytes(new Text(writing));
    } catch (JacksonException failure) {
      throw told.apply(failure);
    } catch (StackOverflowError deep) {
      throw Failures.writing(deep);
    } catch (LinkageError | AssertionError failure) { // of the user's own types and modules
      throw Failures.writing(failure);
    }
    for (ByteStage stage : stages) {
      byte[] before = bytes;
      bytes = staged(stage, () -> stage.apply(before));
    }
    return bytes;
  }

  /** @throws InvalidJsonException if {@code stored} is something else */
  <D> D decode(byte[] stored, Function<Document, D> reading) {
    byte[] bytes = stored;
    for (int last = stages.size() - 1; last >= 0; last--) {
      ByteStage stage = stages.get(last);
      byte[] before = bytes;
      bytes = staged(stage, () -> stage.undo(before));
    }
    try (JsonParser in = mapper.createParser(bytes)) {
      return reading.apply(new Document(in, bytes, plain));
    } catch (InvalidJsonException | InvalidSchemaException typed) {
      throw typed; // the latter is about a start value, and not about the document
    } catch (JacksonException failure) {
      throw Failures.reading(failure);
    } catch (InvalidUpdateException misfit) {
      throw Failures.reading(misfit);
    } catch (RuntimeException invalid) { // whatever a constructor or a parser has refused
      throw Failures.reading(invalid);
    } catch (StackOverflowError deep) {
      throw Failures.reading(deep);
    } catch (LinkageError | AssertionError failure) { // of the user's own types and modules
      throw Failures.reading(failure);
    }
  }

  private static byte[] staged(ByteStage stage, Supplier<byte @Nullable []> work) {
    byte[] staged;
    try {
      staged = work.get();
    } catch (InvalidJsonException refused) {
      throw refused;
    } catch (Exception | LinkageError | AssertionError | StackOverflowError failure) {
      // all exceptions: in Kotlin they need not be declared
      throw broken(
          stage, "failed with " + failure.getClass().getSimpleName() + "; see the cause", failure);
    }
    if (staged == null) {
      throw broken(stage, "returned null", null);
    }
    return staged;
  }

  private static InvalidJsonException broken(
      ByteStage stage, String how, @Nullable Throwable cause) {
    Problem problem = new Problem(
        "SG-305",
        "The stage " + stage.getClass().getSimpleName() + " " + how + ".",
        "the stage " + stage.getClass().getSimpleName(),
        "Decode with the stages with which the document was encoded, in the same order.");
    return new InvalidJsonException(problem, null, "", cause);
  }
}
