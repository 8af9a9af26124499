package io.superstep.json;

import static io.superstep.json.Texts.bytes;
import static io.superstep.json.Texts.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Seeded mutations of stored documents: of their bytes, and of their structure as JSON. Every
 * sequence is reproducible from its seed.
 */
final class Mutations {

  /** The text that no error message may contain. It is planted in the strings of documents. */
  static final String MARKER = "s3cr3t";

  /** The placeholder of a property name that is replaced after serialization. */
  private static final String SLOT = "@slot@";

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static final String[] FRAGMENTS = {
    "{",
    "}",
    "[",
    "]",
    "null",
    "-1",
    "1e999",
    "\"" + MARKER + "\"",
    "true",
    ",",
    ":",
    "9999999999",
    "\"\"",
    "\u0000",
    "0",
    "-",
    "\\u0000",
    "\"$set\":",
    "1E+999999999"
  };

  private static final String[] NUMBERS = {
    "-1",
    "0",
    "2147483647",
    "2147483648",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "1.5",
    "1e999",
    "1e999999999",
    "-1e-999999999",
    "1e2147483647",
    "1e99999999999999",
    "9".repeat(400),
    "9".repeat(300_000)
  };

  private final Random random;

  /** The values of the document that is mutated. */
  private final List<JsonNode> nodes = new ArrayList<>();

  Mutations(long seed) {
    this.random = new Random(seed);
  }

  /** {@code document} after one to three mutations of its bytes or its structure. */
  byte[] mutate(byte[] document) {
    byte[] mutated = document;
    for (int left = 1 + random.nextInt(3); left > 0; left--) {
      mutated = random.nextInt(3) == 0 ? mutateBytes(mutated) : mutateStructure(mutated);
    }
    return mutated;
  }

  /** {@code document} after one mutation of its bytes. */
  byte[] mutateBytes(byte[] document) {
    if (document.length == 0) {
      return new byte[] {(byte) random.nextInt(256)};
    }
    int at = random.nextInt(document.length);
    int end = Math.min(document.length, at + random.nextInt(16));
    return switch (random.nextInt(5)) {
      case 0 -> {
        byte[] flipped = document.clone();
        flipped[at] ^= (byte) (1 << random.nextInt(8));
        yield flipped;
      }
      case 1 -> {
        byte[] replaced = document.clone();
        replaced[at] = (byte) random.nextInt(256);
        yield replaced;
      }
      case 2 -> Arrays.copyOf(document, at);
      case 3 ->
        joined(document, at, bytes(FRAGMENTS[random.nextInt(FRAGMENTS.length)]), document, end);
      default -> joined(document, end, Arrays.copyOfRange(document, at, end), document, end);
    };
  }

  private static byte[] joined(byte[] head, int until, byte[] middle, byte[] tail, int from) {
    byte[] joined = Arrays.copyOf(head, until + middle.length + tail.length - from);
    System.arraycopy(middle, 0, joined, until, middle.length);
    System.arraycopy(tail, from, joined, until + middle.length, tail.length - from);
    return joined;
  }

  private byte[] mutateStructure(byte[] document) {
    ObjectNode tree;
    try {
      tree = (ObjectNode) JSON.readTree(document);
    } catch (RuntimeException notJson) {
      return mutateBytes(document);
    }
    List<JsonNode> containers = new ArrayList<>();
    collect(tree, containers);
    nodes.clear();
    containers.forEach(container -> container.forEach(nodes::add));
    if (nodes.isEmpty()) {
      return mutateBytes(document);
    }
    JsonNode parent = containers.get(random.nextInt(containers.size()));
    if (parent.isEmpty()) {
      return mutateBytes(document);
    }
    String raw = parent instanceof ObjectNode object ? mutate(object) : mutate((ArrayNode) parent);
    return bytes(tree.toString().replace("\"" + SLOT + "\"", raw));
  }

  private static void collect(JsonNode node, List<JsonNode> containers) {
    if (node.isContainer()) {
      containers.add(node);
      node.forEach(child -> collect(child, containers));
    }
  }

  /** Changes {@code object}, and returns the raw text that takes the place of the slot. */
  private String mutate(ObjectNode object) {
    List<String> names = new ArrayList<>(object.propertyNames());
    String name = names.get(random.nextInt(names.size()));
    switch (random.nextInt(8)) {
      case 0 -> object.remove(name);
      case 1 -> {
        object.set(SLOT, object.get(name)); // a property that occurs twice
        return "\"" + name + "\"";
      }
      case 2 -> {
        JsonNode value = object.remove(name); // a property that comes last
        object.set(name, value);
      }
      case 3 -> {
        JsonNode value = object.remove(name); // a property under another name
        object.set(names.get(random.nextInt(names.size())), value);
      }
      case 4 -> object.put("n".repeat(50_000) + "\u0007\n", 1);
      default -> {
        JsonNode old = object.get(name);
        object.put(name, SLOT);
        return replacement(old);
      }
    }
    return "";
  }

  private String mutate(ArrayNode array) {
    int index = random.nextInt(array.size());
    switch (random.nextInt(5)) {
      case 0 -> array.remove(index);
      case 1 -> array.add(array.get(index).deepCopy());
      default -> {
        JsonNode old = array.set(index, SLOT);
        return replacement(old);
      }
    }
    return "";
  }

  private String replacement(JsonNode old) {
    return switch (random.nextInt(12)) {
      case 0 -> "null";
      case 10 -> nodes.get(random.nextInt(nodes.size())).toString(); // a value from elsewhere
      case 11 -> "\"" + "a/1/1/b".repeat(10_000) + "\"";
      case 1 -> "[" + old + ",null,[null]]";
      case 2 -> "{\"key\":null}";
      case 3 -> NUMBERS[random.nextInt(NUMBERS.length)];
      case 4 -> "\"" + MARKER + "\"";
      case 5 -> random.nextBoolean() ? "true" : "false";
      case 6 -> "[".repeat(1_000) + "]".repeat(1_000);
      case 7 -> "{\"a\":".repeat(600) + "1" + "}".repeat(600);
      case 8 -> "\"" + MARKER.repeat(20_000) + "\"";
      default -> random.nextBoolean() ? "[]" : "{}";
    };
  }

  /**
   * {@code document} with the marker behind each string for which {@code valid} still accepts the
   * document.
   */
  static byte[] planted(byte[] document, Predicate<byte[]> valid) {
    JsonNode tree = JSON.readTree(document);
    List<JsonNode> containers = new ArrayList<>();
    collect(tree, containers);
    for (JsonNode container : containers) {
      if (container instanceof ObjectNode object) {
        for (String name : List.copyOf(object.propertyNames())) {
          JsonNode old = object.get(name);
          if (old.isString()) {
            object.put(name, old.stringValue() + MARKER);
            if (!valid.test(bytes(tree.toString()))) {
              object.set(name, old);
            }
          }
        }
      } else {
        ArrayNode array = (ArrayNode) container;
        for (int index = 0; index < array.size(); index++) {
          JsonNode old = array.get(index);
          if (old.isString()) {
            array.set(index, JsonNodeFactory.instance.stringNode(old.stringValue() + MARKER));
            if (!valid.test(bytes(tree.toString()))) {
              array.set(index, old);
            }
          }
        }
      }
    }
    byte[] planted = bytes(tree.toString());
    return text(planted).contains(MARKER) && valid.test(planted) ? planted : document;
  }
}
