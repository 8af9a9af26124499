package io.superstep.json;

import io.superstep.error.Problem;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.exc.MismatchedInputException;

/** A stored text while it is read: an object that begins with the version of its format. */
final class Document {

  private static final String VERSION_NAME = "v";
  private static final int VERSION = 1;

  private final JsonParser in;
  private final byte[] text;

  /** @param text the bytes that {@code in} reads, all of them */
  Document(JsonParser in, byte[] text) {
    this.in = in;
    this.text = text;
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
      throw unknownFormat("The stored text does not begin with the version of its format.");
    }
    if (!in.getNumberValue().equals(VERSION)) {
      throw unknownFormat("The stored text is of another version of the format.");
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

  /** The error that {@code expected} is not what is there. */
  MismatchedInputException mismatch(String expected) {
    return MismatchedInputException.from(in, Document.class, expected);
  }

  private static InvalidJsonException unknownFormat(String what) {
    Problem problem = new Problem(
        "SG-303",
        what,
        "the document",
        "This release reads version " + VERSION + "; use the release that wrote the text.");
    return new InvalidJsonException(problem, null, "", null);
  }
}
