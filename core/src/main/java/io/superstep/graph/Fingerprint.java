package io.superstep.graph;

import io.superstep.state.Channel;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.stream.Stream;

/**
 * A hash of what a graph is made of.
 *
 * <p>Nodes count in the order in which they were declared, which is the order of folding;
 * everything else counts whatever its order. Left out is what a thread can outlive: the name of the
 * graph, code, policies, handlers, interrupts and views.
 */
final class Fingerprint {

  private static final int LENGTH = 32;

  private Fingerprint() {}

  static String of(Graph graph) {
    return hash(parts(
        parts(graph.schema().channels().stream().map(Fingerprint::channel).sorted()),
        parts(graph.nodes().stream().map(node -> node(graph, node))),
        ways(graph, Graph.START, graph.entry()),
        parts(graph.joins().stream().map(Join::key).sorted())));
  }

  private static String channel(Channel<?> channel) {
    return parts(
        channel.name(), type(channel.type().javaType()), channel.lifetime().name());
  }

  private static String type(Type type) {
    return type instanceof ParameterizedType generic
        ? parts(
            type(generic.getRawType()),
            parts(Stream.of(generic.getActualTypeArguments()).map(Fingerprint::type)))
        : type.getTypeName();
  }

  private static String node(Graph graph, Node node) {
    return parts(
        node.name(),
        body(node.body()),
        String.valueOf(node.isDeferred()),
        node.limit()
            .map(limit -> parts(String.valueOf(limit.most()), limit.exit()))
            .orElse(""),
        sorted(node.mayGoTo()),
        ways(graph, node.name(), graph.exits(node)));
  }

  private static String body(NodeBody body) {
    return body instanceof NodeBody.Nested nested
        ? parts(
            nested.subgraph().isMapped() ? "mapped" : "shared",
            nested.subgraph().graph().fingerprint())
        : "";
  }

  private static String ways(Graph graph, String source, Exits exits) {
    Route route = exits.route();
    return parts(
        sorted(graph.edgesOf(source)),
        route == null ? "" : parts(route.kind().name(), sorted(route.targets())));
  }

  private static String sorted(Collection<String> names) {
    return parts(names.stream().sorted());
  }

  private static String parts(String... parts) {
    return parts(Stream.of(parts));
  }

  /** One text of several, each behind its length: other parts never make the same text. */
  private static String parts(Stream<String> parts) {
    StringBuilder text = new StringBuilder();
    parts.forEach(part -> text.append(part.length()).append(':').append(part));
    return text.toString();
  }

  private static String hash(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash).substring(0, LENGTH);
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("The JVM does not provide SHA-256.", missing);
    }
  }
}
