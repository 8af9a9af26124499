package io.superstep.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.superstep.state.Channel;
import io.superstep.state.Schemas;
import io.superstep.state.StateSchema;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Types that can be stored")
class StorableTypesTests {

  abstract static class Client {
    public abstract String name();
  }

  interface Tool {}

  static class Empty {}

  static final class EmptyAndFinal {}

  record Ticket(String id, InputStream attachment) {}

  sealed interface Shape permits Circle {}

  record Circle(int radius) implements Shape {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes(@JsonSubTypes.Type(Dog.class))
  interface Animal {}

  record Dog(String name) implements Animal {}

  private static final ThreadCodec CODEC = ThreadCodec.create();

  static Stream<Channel<?>> unstorable() {
    return Stream.of(
        Channel.value("client", InputStream.class),
        Channel.value("client", Client.class),
        Channel.value("client", Tool.class),
        Channel.value("client", Empty.class),
        Channel.value("client", EmptyAndFinal.class),
        Channel.value("client", Thread.class),
        Channel.list("client", InputStream.class),
        Channel.list("client", Client.class));
  }

  @ParameterizedTest
  @MethodSource("unstorable")
  @DisplayName("SG-306 a type without a writable value is reported before anything is written")
  void refused(Channel<?> channel) {
    InvalidJsonException refused = catchThrowableOfType(
        InvalidJsonException.class,
        () -> CODEC.requireStorable(Schemas.of(StateSchema.of(channel))));

    assertThat(refused.code()).isEqualTo("SG-306");
    assertThat(refused.channel()).contains("client");
    assertThat(refused.problems().get(0).fix()).contains("runtimeOnly()");
  }

  @Test
  @DisplayName("SG-306 a channel of a subgraph is checked as well")
  void inside() {
    Schemas inner = Schemas.of(StateSchema.of(Channel.value("in", InputStream.class)));

    InvalidJsonException refused = catchThrowableOfType(
        InvalidJsonException.class,
        () -> CODEC.requireStorable(Schemas.of(StateSchema.of(), Map.of("sub", inner))));

    assertThat(refused.channel()).contains("in");
  }

  static final List<Channel<?>> STORABLE = List.of(
      Channel.value("value", InputStream.class).runtimeOnly(),
      Channel.value("value", Object.class),
      Channel.value("value", Ticket.class), // its attachment may stay empty
      Channel.value("value", Shape.class),
      Channel.value("value", Animal.class),
      Channel.value("value", Instant.class),
      Channel.value("value", Optional.class),
      Channel.value("value", Map.class),
      Channel.value("value", int[].class),
      Channel.list("value", Shape.class),
      Channel.list("value", Animal.class));

  @ParameterizedTest
  @FieldSource("STORABLE")
  @DisplayName("a type with a writable value is accepted")
  void accepted(Channel<?> channel) {
    assertThatCode(() -> CODEC.requireStorable(Schemas.of(StateSchema.of(channel))))
        .doesNotThrowAnyException();
  }
}
