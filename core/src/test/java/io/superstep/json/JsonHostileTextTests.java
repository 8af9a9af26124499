package io.superstep.json;

import static io.superstep.json.Texts.bytes;
import static io.superstep.json.Texts.holding;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.superstep.message.Message;
import io.superstep.state.Channel;
import io.superstep.state.State;
import io.superstep.state.StateSchema;
import io.superstep.value.TypeRef;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonHostileTextTests {

  private static final Channel<@Nullable Object> ANY = Channel.value("value", Object.class);

  record Loader(@Nullable Class<?> type, @Nullable ProcessBuilder process) {}

  record Positive(int n) {
    Positive {
      if (n < 0) {
        throw new IllegalArgumentException("negative: " + n);
      }
    }
  }

  static final class Gadget {
    static int made;

    public Gadget() {
      made++;
    }
  }

  private static @Nullable Object any(String json) {
    return JsonCodec.of(StateSchema.of(ANY)).decode(holding(json)).get(ANY);
  }

  private static InvalidJsonException refusal(Channel<?> channel, byte[] text) {
    return catchThrowableOfType(
        InvalidJsonException.class, () -> JsonCodec.of(StateSchema.of(channel)).decode(text));
  }

  @Test
  @DisplayName("Promise 9: class names in a place without a type are plain data")
  void classNamesArePlainData() {
    String gadget = Gadget.class.getName();

    assertThat(any("{\"@class\":\"" + gadget + "\",\"made\":1}"))
        .isEqualTo(Map.of("@class", gadget, "made", 1));
    assertThat(any("[\"" + gadget + "\",{}]")).isEqualTo(List.of(gadget, Map.of()));
    assertThat(any("[\"java.lang.ProcessBuilder\",[\"touch\",\"x\"]]"))
        .isEqualTo(List.of("java.lang.ProcessBuilder", List.of("touch", "x")));
    assertThat(any("{\"type\":\"human\",\"content\":\"x\"}")).isInstanceOf(Map.class);
    assertThat(Gadget.made).isZero();
  }

  @Test
  @DisplayName("Promise 9: class names inside a message's metadata are plain data")
  void classNamesInMetadataArePlainData() {
    Channel<@Nullable Message> channel = Channel.value("value", Message.class);

    State state = JsonCodec.of(StateSchema.of(channel))
        .decode(holding("{\"type\":\"human\",\"content\":\"x\",\"metadata\":"
            + "{\"@class\":\"java.lang.ProcessBuilder\",\"v\":[\"java.lang.Thread\",{}]}}"));

    assertThat(((Message) state.get(ANY.name())).metadata())
        .isEqualTo(Map.of(
            "@class", "java.lang.ProcessBuilder", "v", List.of("java.lang.Thread", Map.of())));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"$java.lang.ProcessBuilder\":[\"ls\"]}",
        "{\"$unknown\":1}",
        "{\"$long\":5,\"more\":1}",
        "{\"$long\":\"text\"}",
        "{\"$set\":{}}",
        "{\"$map\":[1]}",
        "{\"$map\":[null,1]}",
        "{\"$message\":{\"type\":\"java.lang.Thread\"}}",
        "{\"$\":1}",
        "1e999"
      })
  @DisplayName("Promise 9: a tag that is not in the list, or holds something else, is refused")
  void unknownTagsAreRefused(String json) {
    InvalidJsonException refused = refusal(ANY, holding(json));

    assertThat(refused.code()).isEqualTo("SG-302");
    assertThat(refused.channel()).contains("value");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"java.lang.String\"}",
        "{\"process\":[\"ls\"]}",
        "{\"process\":{\"command\":[\"ls\"]}}"
      })
  @DisplayName("Promise 9: a JDK class is not made or loaded even if the schema has a field for it")
  void platformClassesAreNotMade(String json) {
    Channel<@Nullable Loader> channel = Channel.value("value", Loader.class);

    assertThat(refusal(channel, holding(json)).code()).isEqualTo("SG-302");
  }

  @Test
  void deepTextIsATypedErrorNotAStackOverflow() {
    int depth = 200_000;

    InvalidJsonException arrays = refusal(ANY, holding("[".repeat(depth) + "]".repeat(depth)));
    InvalidJsonException objects =
        refusal(ANY, holding("{\"a\":".repeat(depth) + "1" + "}".repeat(depth)));
    InvalidJsonException unknown = refusal(
        ANY,
        bytes("{\"v\":1,\"channels\":{\"other\":" + "[".repeat(depth) + "]".repeat(depth) + "}}"));

    assertThat(List.of(arrays, objects, unknown))
        .allSatisfy(refused -> assertThat(refused)
            .hasMessageContaining("nested more than")
            .extracting(InvalidJsonException::code)
            .isEqualTo("SG-302"));
  }

  record Node(@Nullable Node next) {}

  @Test
  void textThatIsTooDeepForTheStackOfItsThreadIsATypedErrorToo() throws InterruptedException {
    Channel<@Nullable Node> channel = Channel.value("value", Node.class);
    byte[] deep = holding("{\"next\":".repeat(500) + "null" + "}".repeat(500));
    JsonCodec codec = JsonCodec.of(StateSchema.of(channel));
    Throwable[] thrown = new Throwable[1];

    Thread small = new Thread(null, () -> codec.decode(deep), "small", 160 * 1024);
    small.setUncaughtExceptionHandler((thread, failure) -> thrown[0] = failure);
    small.start();
    small.join();

    assertThat(thrown[0])
        .isInstanceOf(InvalidJsonException.class)
        .hasMessageContaining("the stack");
    assertThat(codec.encode(codec.decode(deep))).isEqualTo(deep);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "1",
        "{",
        "{\"v\":1",
        "{\"v\":1,\"channels\"",
        "{\"v\":1,\"channels\":[]}",
        "{\"v\":1,\"channels\":{\"value\":1}} 2",
        "{\"v\":1,\"channels\":{\"value\":tru}}",
        "{\"v\":1,\"other\":{}}",
        "{\"v\":1,\"channels\":{},\"versions\":{\"value\":-1}}",
        "{\"v\":1,\"channels\":{},\"versions\":{\"value\":\"1\"}}",
        "{\"v\":1,\"channels\":{},\"versions\":3}",
        "\u001f\u008b garbage"
      })
  void brokenTextIsATypedError(String text) {
    assertThat(refusal(ANY, bytes(text)).code()).isEqualTo("SG-302");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"v\":2,\"channels\":{}}",
        "{\"v\":\"1\",\"channels\":{}}",
        "{\"channels\":{},\"v\":1}",
        "{\"v\":99999999999,\"channels\":{}}"
      })
  void anUnknownFormatIsATypedError(String text) {
    assertThat(refusal(ANY, bytes(text)).code()).isEqualTo("SG-303");
  }

  @Test
  void textOfAnotherTypeIsRefusedByChannelAndPathWithoutTheValue() {
    record Item(String name, Instant at) {}

    record Box(List<Item> items) {}

    Channel<@Nullable Box> channel = Channel.value("value", Box.class);

    InvalidJsonException refused =
        refusal(channel, holding("{\"items\":[{\"name\":\"a\"},{\"at\":\"my secret\"}]}"));

    assertThat(refused.code()).isEqualTo("SG-302");
    assertThat(refused.channel()).contains("value");
    assertThat(refused.path()).isEqualTo(".items[1].at");
    assertThat(refused)
        .hasMessageContaining("expected a value of type Instant.")
        .hasMessageNotContaining("secret");
    assertThat(refused).hasStackTraceContaining("InvalidJsonException");
    assertThat(stackTrace(refused)).doesNotContain("secret");
  }

  @Test
  void aPartOfAnotherTypeIsRefusedByItsFieldWithoutTheValue() {
    InvalidJsonException refused =
        refusal(ANY, "{\"v\":1,\"channels\":[\"my secret\"]}".getBytes(StandardCharsets.UTF_8));

    assertThat(refused.code()).isEqualTo("SG-302");
    assertThat(refused)
        .hasMessageContaining(
            "The stored document is invalid: expected an object at field 'channels'.")
        .hasMessageNotContaining("secret");
  }

  private static String stackTrace(Throwable failure) {
    java.io.StringWriter text = new java.io.StringWriter();
    failure.printStackTrace(new java.io.PrintWriter(text));
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"5\"", "5.5", "true", "[5]", "{}", "3000000000", "\"\""})
  void nothingIsBentIntoANumber(String json) {
    assertThat(refusal(Channel.value("value", Integer.class), holding(json)).code())
        .isEqualTo("SG-302");
  }

  @ParameterizedTest
  @ValueSource(strings = {"5", "5.5", "true", "[\"x\"]", "{}"})
  void nothingIsBentIntoText(String json) {
    assertThat(refusal(Channel.value("value", String.class), holding(json)).code())
        .isEqualTo("SG-302");
  }

  @Test
  void aNullWhereTheListHoldsNoneIsRefusedByPosition() {
    InvalidJsonException refused =
        refusal(Channel.list("value", String.class), holding("[\"a\",null]"));

    assertThat(refused.code()).isEqualTo("SG-302");
    assertThat(refused.path()).isEqualTo("[1]");
  }

  @Test
  void aRecordThatRefusesWhatWasStoredIsNamed() {
    InvalidJsonException refused =
        refusal(Channel.value("value", Positive.class), holding("{\"n\":-1}"));

    assertThat(refused.code()).isEqualTo("SG-302");
    assertThat(refused)
        .hasMessageContaining("the constructor of Positive refused a value.")
        .hasRootCauseInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anUnknownConstantIsRefused() {
    Channel<@Nullable Map<Thread.State, Integer>> channel =
        Channel.value("value", new TypeRef<Map<Thread.State, Integer>>() {});

    assertThat(refusal(channel, holding("{\"GONE\":1}")).code()).isEqualTo("SG-302");
    assertThat(refusal(Channel.value("value", Thread.State.class), holding("0")).code())
        .isEqualTo("SG-302");
  }
}
