package io.superstep.json;

import io.superstep.error.MessageText;
import io.superstep.error.Problem;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.exc.MismatchedInputException;

/** A stored text while it is read: an object that begins with the version of its format. */
final class Document {

  private static final String VERSION_NAME = "v";
  private static final int VERSION = 1;

  private final JsonParser in;
  private final byte[] text;
  private final ObjectReader plain;

  /**
   * @param text the bytes that {@code in} reads, all of them
   * @param plain reads values of which nothing is known
   */
  Document(JsonParser in, byte[] text, ObjectReader plain) {
    this.in = in;
    this.text = text;
    this.plain = plain;
  }

  JsonParser in() {
    return in;
  }

  /** Writes the beginning of a document; its end is the end of an object. */
  static void begin(JsonGenerator out) {
    out.writeStartObject();
    out.writeNumberProperty(VERSION_NAME, VERSION);
  }

  /** Reads the document, handing over the name of each part when its value is due. */
  void readParts(Consumer<String> part) {
    if (in.nextToken() != JsonToken.START_OBJECT) {
      throw mismatch("a document");
    }
    if (!VERSION_NAME.equals(in.nextName()) || in.nextToken() != JsonToken.VALUE_NUMBER_INT) {
      throw unknownFormat("The stored document does not begin with the version of its format.");
    }
    if (!in.getNumberValue().equals(VERSION)) {
      throw unknownFormat(
          "The stored document has another version of the format than " + VERSION + ".");
    }
    readRest(part);
    if (in.nextToken() != null) {
      throw mismatch("one document");
    }
  }

  /** Reads the object that is due, handing over the name of each property when its value is due. */
  void readProperties(Consumer<String> property) {
    if (in.currentToken() != JsonToken.START_OBJECT) {
      throw mismatch("an object");
    }
    readRest(property);
  }

  private void readRest(Consumer<String> property) {
    for (String name = in.nextName(); name != null; name = in.nextName()) {
      in.nextToken();
      property.accept(name);
    }
    if (in.currentToken() != JsonToken.END_OBJECT) {
      throw mismatch("an object");
    }
  }

  /** Reads the array that is due, calling {@code element} when one is due. */
  void readElements(Runnable element) {
    if (in.currentToken() != JsonToken.START_ARRAY) {
      throw mismatch("an array");
    }
    while (in.nextToken() != JsonToken.END_ARRAY) {
      element.run();
    }
  }

  /** The elements of the array that is due. */
  <E> List<E> elements(Supplier<E> element) {
    List<E> elements = new ArrayList<>();
    readElements(() -> elements.add(element.get()));
    return elements;
  }

  /** The texts in the array that is due. */
  List<String> texts() {
    return elements(this::text);
  }

  /** The text that is due. */
  String text() {
    if (in.currentToken() != JsonToken.VALUE_STRING) {
      throw mismatch("a text");
    }
    return in.getString();
  }

  /** The point in time that is due. */
  Instant time() {
    return Instant.parse(text());
  }

  /** The truth value that is due. */
  boolean truth() {
    if (in.currentToken() != JsonToken.VALUE_TRUE && in.currentToken() != JsonToken.VALUE_FALSE) {
      throw mismatch("a boolean");
    }
    return in.getBooleanValue();
  }

  /** The whole number that is due. */
  long number() {
    if (in.currentToken() != JsonToken.VALUE_NUMBER_INT) {
      throw mismatch("a number");
    }
    return in.getLongValue();
  }

  /** The plain data that is due. */
  @Nullable
  Object data() {
    return plain.readValue(in);
  }

  /** {@code part}, which has to be there. */
  <P> P required(@Nullable P part) {
    if (part == null) {
      throw mismatch("all required fields");
    }
    return part;
  }

  /** The text of the value that is due, as it stands there. */
  String rawValue() {
    int start = (int) in.currentTokenLocation().getByteOffset();
    in.skipChildren();
    in.finishToken();
    int end = (int) in.currentLocation().getByteOffset();
    return new String(text, start, end - start, StandardCharsets.UTF_8);
  }

  /** The number that is due. */
  int count() {
    if (in.currentToken() != JsonToken.VALUE_NUMBER_INT || in.getIntValue() < 0) {
      throw mismatch("a count");
    }
    return in.getIntValue();
  }

  /** Returns the error that the current value, or its field, is not {@code expected}. */
  MismatchedInputException mismatch(String expected) {
    String field = in.currentName();
    return MismatchedInputException.from(
        in,
        Document.class,
        field == null ? expected : expected + " at field '" + MessageText.name(field) + "'");
  }

  private static InvalidJsonException unknownFormat(String what) {
    Problem problem = new Problem(
        "SG-303",
        what,
        "the document",
        "Read the document with the release that wrote it; this release reads version " + VERSION
            + ".");
    return new InvalidJsonException(problem, null, "", null);
  }
}
