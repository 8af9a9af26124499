package io.superstep.json;

import static io.superstep.json.Texts.fold;
import static io.superstep.json.Texts.holding;
import static io.superstep.json.Texts.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import io.superstep.state.Channel;
import io.superstep.state.State;
import io.superstep.state.StateSchema;
import io.superstep.state.Update;
import io.superstep.value.TypeRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonSealedTests {

  sealed interface Step {

    record Ask(String question) implements Step {
      public boolean isLong() {
        return question.length() > 100;
      }
    }

    record RunAll(List<Step> steps, Map<String, Step> named, Optional<Step> last) implements Step {}

    record HTTPCall(String type, int port) implements Step {}

    record Done() implements Step {}

    @JsonTypeName("wait")
    record Sleep(@JsonValue int seconds) implements Step {}

    sealed interface Control extends Step {}

    enum Signal implements Control {
      STOP {
        @Override
        public String toString() {
          return "halt";
        }
      },
      GO
    }
  }

  sealed interface Result<T> {
    record Ok<T>(T value) implements Result<T> {}

    record Err<T>(String why) implements Result<T> {}
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
  sealed interface Pet {
    @JsonTypeName("dog")
    record Dog(String name) implements Pet {}

    @JsonTypeName("cat")
    record Cat(int lives) implements Pet {}
  }

  record Home(Pet first, List<Pet> all, Map<String, Pet> named, Optional<Pet> last) {}

  private static <T> String roundTrip(Channel<@Nullable T> channel, T value) {
    StateSchema schema = StateSchema.of(channel);
    JsonCodec codec = JsonCodec.of(schema);
    State state = fold(schema.start(), Update.of(channel, value));
    byte[] bytes = codec.encode(state);
    assertThat(codec.decode(bytes)).isEqualTo(state);
    String text = text(bytes);
    return text.substring("{\"v\":1,\"channels\":{\"value\":".length(), text.indexOf(",\"versions"))
        .replaceFirst("}$", "");
  }

  @Test
  void classesAreToldApartByTheirSimpleNames() {
    Channel<@Nullable Step> channel = Channel.value("value", Step.class);

    assertThat(roundTrip(channel, new Step.Ask("?")))
        .isEqualTo("{\"type\":\"ask\",\"question\":\"?\"}");
    assertThat(roundTrip(channel, new Step.Done())).isEqualTo("{\"type\":\"done\"}");
    assertThat(roundTrip(channel, new Step.HTTPCall("GET", 80)))
        .isEqualTo("{\"type\":\"http-call\",\"value\":{\"type\":\"GET\",\"port\":80}}");
    assertThat(roundTrip(channel, Step.Signal.STOP))
        .isEqualTo("{\"type\":\"signal\",\"value\":\"STOP\"}");
    assertThat(roundTrip(channel, new Step.Sleep(3))).isEqualTo("{\"type\":\"wait\",\"value\":3}");
  }

  @Test
  void aFamilyCanContainItself() {
    Step.Ask ask = new Step.Ask("?");
    Step.RunAll inner =
        new Step.RunAll(List.of(ask, Step.Signal.GO), Map.of("a", ask), Optional.empty());

    roundTrip(
        Channel.value("value", Step.class),
        new Step.RunAll(List.of(inner, ask), Map.of("b", inner), Optional.of(ask)));
  }

  @Test
  void aFamilyCanHaveTypeParameters() {
    Channel<@Nullable List<Result<Step>>> channel =
        Channel.value("value", new TypeRef<List<Result<Step>>>() {});

    assertThat(
            roundTrip(channel, List.of(new Result.Ok<>(new Step.Ask("?")), new Result.Err<>("no"))))
        .isEqualTo("[{\"type\":\"ok\",\"value\":{\"type\":\"ask\",\"question\":\"?\"}},"
            + "{\"type\":\"err\",\"why\":\"no\"}]");
  }

  @Test
  void annotationsOfTheUserWin() {
    Pet dog = new Pet.Dog("rex");
    Pet cat = new Pet.Cat(9);

    assertThat(roundTrip(Channel.value("value", Pet.class), dog))
        .isEqualTo("{\"kind\":\"dog\",\"name\":\"rex\"}");
    assertThat(roundTrip(
            Channel.value("value", Home.class),
            new Home(dog, List.of(dog, cat), Map.of("c", cat), Optional.of(cat))))
        .startsWith("{\"first\":{\"kind\":\"dog\",\"name\":\"rex\"},\"all\":[{\"kind\":\"dog\"");
  }

  @Test
  void theNameOfTheClassNeedNotComeFirst() {
    Channel<@Nullable Step> channel = Channel.value("value", Step.class);
    JsonCodec codec = JsonCodec.of(StateSchema.of(channel));

    assertThat(codec
            .decode(holding("{\"question\":\"?\",\"x\":[{}],\"type\":\"ask\",\"y\":1}"))
            .get(channel))
        .isEqualTo(new Step.Ask("?"));
    assertThat(codec
            .decode(holding("{\"value\":{\"port\":1,\"type\":\"t\"},\"type\":\"http-call\"}"))
            .get(channel))
        .isEqualTo(new Step.HTTPCall("t", 1));
  }

  @Test
  void anUnknownNameIsRefused() {
    JsonCodec codec = JsonCodec.of(StateSchema.of(Channel.value("value", Step.class)));

    for (String json : List.of("{\"type\":\"gone\"}", "{}", "{\"type\":1}", "[]", "{\"a\":1}")) {
      assertThat(catchThrowableOfType(InvalidJsonException.class, () -> codec.decode(holding(json)))
              .code())
          .isEqualTo("SG-302");
    }
  }
}
