package io.superstep.build.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OriginTests {

  @Test
  void aJarIsNamedAfterItsModule() {
    URI classFile = URI.create(
        "jar:file:/m2/superstep-checkpoint-redis-0.1.0-SNAPSHOT.jar!/io/superstep/Store.class");

    assertThat(Origin.moduleOf(classFile)).isEqualTo("superstep-checkpoint-redis");
  }

  @Test
  void aFolderOfClassesBelongsToThePomAboveIt() {
    URI classFile = Path.of("../core/target/classes/io/superstep/State.class").toUri();

    assertThat(Origin.moduleOf(classFile)).isEqualTo("superstep-core");
  }

  @Test
  void anyOtherPlaceIsRefused() {
    assertThatThrownBy(() -> Origin.moduleOf(URI.create("jrt:/java.base/java/lang/Object.class")))
        .hasMessageContaining("is in no module");
  }
}
