package io.superstep.build.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import io.superstep.build.gradle.MavenBuild;
import java.net.URI;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The module a class comes from, told by where its file lies. */
final class Origin {

  /** As in {@code .../superstep-core-1.0.jar!/io/...}, once the module is packaged. */
  private static final Pattern JAR = Pattern.compile("/([\\w-]+?)-\\d[^/]*\\.jar!/");

  /** As in {@code .../core/target/classes/io/...}, before that. */
  private static final Pattern FOLDER = Pattern.compile("^(.+)/target/(test-)?classes/");

  private Origin() {}

  /** The {@code artifactId} of the module that {@code type} was compiled in. */
  static String moduleOf(JavaClass type) {
    return moduleOf(type.getSource().orElseThrow().getUri());
  }

  static String moduleOf(URI classFile) {
    Matcher jar = JAR.matcher(classFile.toString());
    if (jar.find()) {
      return jar.group(1);
    }
    Matcher folder = FOLDER.matcher(classFile.toString());
    if (folder.find()) {
      return MavenBuild.pom(Path.of(URI.create(folder.group(1)))).getArtifactId();
    }
    throw new IllegalArgumentException(classFile + " is in no module that Maven has built.");
  }
}
