package io.superstep.json;

import static io.superstep.json.Texts.fold;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.superstep.state.Channel;
import io.superstep.state.StateSchema;
import io.superstep.state.Update;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JsonRefusalTests {

  record Job(String name, @Nullable Thread worker) {}

  record Plan(List<Job> jobs, Map<String, @Nullable Object> notes) {}

  interface Open {}

  record Opened(int n) implements Open {}

  static class Base {
    public int n = 1;
  }

  static class Derived extends Base {
    public int more = 2;
  }

  static class Loop {
    public @Nullable Loop self;
  }

  static class Broken {
    public int getN() {
      throw new IllegalStateException("boom");
    }
  }

  static class Opaque {
    private final int hidden = 3;

    @Override
    public String toString() {
      return "Opaque" + hidden;
    }
  }

  record ByClass(@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) Object any) {}

  sealed interface Twins {
    record Same(int n) implements Twins {}

    interface Hidden {
      record Same(int n) implements Twins {}
    }
  }

  private static <T> InvalidJsonException refusal(Class<T> type, T value) {
    Channel<@Nullable T> channel = Channel.value("value", type);
    StateSchema schema = StateSchema.of(channel);
    return catchThrowableOfType(
        InvalidJsonException.class,
        () -> JsonCodec.of(schema).encode(fold(schema.start(), Update.of(channel, value))));
  }

  @Test
  @DisplayName("S2.12 a field holding a thread handle -> error naming field path and type")
  void aThreadInAFieldIsRefusedByPathAndType() {
    Plan plan =
        new Plan(List.of(new Job("a", null), new Job("b", Thread.currentThread())), Map.of());

    InvalidJsonException refused = refusal(Plan.class, plan);

    assertThat(refused.code()).isEqualTo("SG-301");
    assertThat(refused.channel()).contains("value");
    assertThat(refused.path()).isEqualTo(".jobs[1].worker");
    assertThat(refused)
        .hasMessageContaining("java.lang.Thread")
        .hasMessageContaining("channel 'value'.jobs[1].worker");
  }

  @Test
  @DisplayName("S2.12 a thread handle in a place without a type is refused the same way")
  void aThreadInAMapIsRefusedByPathAndType() {
    Map<String, @Nullable Object> notes =
        Map.of("deep", List.of(1, Map.of("handle", Thread.currentThread())));

    InvalidJsonException refused = refusal(Plan.class, new Plan(List.of(), notes));

    assertThat(refused.code()).isEqualTo("SG-301");
    assertThat(refused.path()).isEqualTo(".notes.deep[1].handle");
    assertThat(refused).hasMessageContaining("java.lang.Thread");
  }

  @Test
  void aRecordWhereNoTypeIsDeclaredIsRefusedNotTurnedIntoAMap() {
    InvalidJsonException refused = refusal(Object.class, new Opened(1));

    assertThat(refused.code()).isEqualTo("SG-301");
    assertThat(refused).hasMessageContaining(Opened.class.getName());
  }

  @Test
  void aClassBehindAnOpenInterfaceIsRefusedSinceItCouldNotBeRead() {
    assertThat(refusal(Open.class, new Opened(1)))
        .hasMessageContaining(Open.class.getName())
        .hasMessageContaining("is abstract, and not sealed");
  }

  @Test
  void aSubclassIsRefusedSinceItWouldComeBackAsLess() {
    assertThat(refusal(Base.class, new Derived())).hasMessageContaining(Derived.class.getName());
    assertThat(refusal(Base.class, new Base())).isNull();
  }

  @Test
  void aValueThatContainsItselfIsRefused() {
    Loop loop = new Loop();
    loop.self = new Loop();
    loop.self.self = loop;

    InvalidJsonException refused = refusal(Loop.class, loop);

    assertThat(refused.code()).isEqualTo("SG-301");
    assertThat(refused).hasMessageContaining(Loop.class.getName());
    assertThat(refused.path()).startsWith(".self.self").hasSizeLessThan(210);
  }

  @Test
  void aGetterThatFailsIsTheCause() {
    InvalidJsonException refused = refusal(Broken.class, new Broken());

    assertThat(refused.path()).isEqualTo(".n");
    assertThat(refused).hasRootCauseMessage("boom").hasMessageContaining(Broken.class.getName());
  }

  @Test
  void aClassWithoutPropertiesIsRefusedNotWrittenAsNothing() {
    assertThat(refusal(Opaque.class, new Opaque())).hasMessageContaining(Opaque.class.getName());
  }

  @Test
  void anEmptyOptionalInAChannelIsRefusedSinceItLooksLikeNull() {
    assertThat(refusal(Optional.class, Optional.empty()).code()).isEqualTo("SG-301");
  }

  @Test
  void aSortedMapWithKeysThatAreNotTextIsRefused() {
    record Sorted(TreeMap<Double, String> map) {}

    TreeMap<Double, String> map = new TreeMap<>(Map.of(1.5, "x"));

    assertThat(refusal(Sorted.class, new Sorted(map)).path()).isEqualTo(".map");
  }

  @Test
  void classNamesInTheDataAreRefusedWhenTheCodecIsBuilt() {
    Channel<@Nullable ByClass> channel = Channel.value("value", ByClass.class);

    InvalidJsonException refused = catchThrowableOfType(
        InvalidJsonException.class, () -> JsonCodec.of(StateSchema.of(channel)));

    assertThat(refused.code()).isEqualTo("SG-306");
    assertThat(refused.channel()).contains("value");
  }

  @Test
  void classesOfOneFamilyWithTheSameNameAreRefusedWhenTheCodecIsBuilt() {
    Channel<@Nullable Twins> channel = Channel.value("value", Twins.class);

    InvalidJsonException refused = catchThrowableOfType(
        InvalidJsonException.class, () -> JsonCodec.of(StateSchema.of(channel)));

    assertThat(refused.code()).isEqualTo("SG-306");
    assertThat(refused).hasMessageContaining("have the same name");
  }

  @Test
  void halfACharacterInAKeyIsRefusedSinceItCouldNotBeRead() {
    record Named(Map<String, Integer> map) {}

    assertThat(refusal(Named.class, new Named(Map.of("\ud83d", 1))).path()).isEqualTo(".map");
    assertThat(refusal(Named.class, new Named(Map.of("\ud83d\ude00", 1)))).isNull();
  }

  @Test
  void noValueIsInTheMessage() {
    Map<Object, Object> notes = new LinkedHashMap<>();
    notes.put("k", new ArrayList<>(List.of("my secret", new Opened(1))));

    assertThat(refusal(Object.class, notes)).hasMessageNotContaining("secret");
  }
}
