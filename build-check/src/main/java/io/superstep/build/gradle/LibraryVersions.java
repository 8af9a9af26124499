package io.superstep.build.gradle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Comment;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * The {@code version.*} properties of a pom between its comment that starts with {@code Libraries}
 * and its next comment, without their prefix: the versions a Gradle user would also need, as
 * opposed to those of Maven's own tools.
 */
final class LibraryVersions {

  private static final String PREFIX = "version.";

  private LibraryVersions() {}

  static SortedMap<String, String> in(Path pom) {
    SortedMap<String, String> versions = new TreeMap<>();
    boolean inBlock = false;
    for (Node node = properties(pom).getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Comment comment) {
        inBlock = comment.getData().strip().startsWith("Libraries");
      } else if (inBlock && node.getNodeName().startsWith(PREFIX)) {
        versions.put(
            node.getNodeName().substring(PREFIX.length()), node.getTextContent().strip());
      }
    }
    return versions;
  }

  private static Node properties(Path pom) {
    try {
      Element project = DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(pom.toFile())
          .getDocumentElement();
      return project.getElementsByTagName("properties").item(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SAXException | ParserConfigurationException e) {
      throw new IllegalArgumentException(pom + " is not a pom.", e);
    }
  }
}
