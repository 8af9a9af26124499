package io.superstep.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.error.Attribution;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

class ProcessNameTests {

  private static List<Supplier<@Nullable String>> hosts(@Nullable String... names) {
    List<Supplier<@Nullable String>> hosts = new ArrayList<>();
    for (String name : names) {
      hosts.add(() -> name);
    }
    return hosts;
  }

  @Test
  @DisplayName("the name is the first host name and the process id")
  void hostAndProcess() {
    assertThat(ProcessName.of(hosts("web-7\n", "other"), () -> 4711)).isEqualTo("web-7:4711");
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", " \n", "a\u0000b", "\ud83d"})
  @DisplayName("a host name that is missing, blank or invalid is skipped")
  void unusable(@Nullable String name) {
    assertThat(ProcessName.of(hosts(name, "web-7"), () -> 1)).isEqualTo("web-7:1");
    assertThat(ProcessName.of(hosts(name), () -> 1)).isEqualTo("localhost:1");
  }

  @Test
  @DisplayName("a host name or a process id that cannot be read is left out")
  void failing() {
    List<Supplier<@Nullable String>> failing = List.of(() -> {
      throw new SecurityException("no");
    });

    assertThat(ProcessName.of(failing, () -> 1)).isEqualTo("localhost:1");
    assertThat(ProcessName.of(hosts("web-7"), () -> {
          throw new UnsupportedOperationException();
        }))
        .isEqualTo("web-7");
  }

  @Test
  @DisplayName("a long host name is shortened, so that the longest process id fits")
  void longNames() {
    String name = ProcessName.of(hosts("h".repeat(253)), () -> Long.MAX_VALUE);

    assertThat(name)
        .isEqualTo("h".repeat(80) + ":" + Long.MAX_VALUE)
        .hasSizeLessThanOrEqualTo(Attribution.MAX_OWNER_LENGTH);
  }

  @Test
  @DisplayName("the name of this process has its id, and is found on a thread that must not block")
  void ofThisProcess() {
    String name = Mono.fromCallable(ProcessName::get)
        .subscribeOn(Schedulers.parallel())
        .block(Duration.ofSeconds(10));

    assertThat(name).endsWith(":" + ProcessHandle.current().pid()).doesNotStartWith(":");
  }
}
