package io.superstep.json;

import static io.superstep.json.Texts.bytes;
import static io.superstep.json.Texts.fold;
import static io.superstep.json.Texts.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.superstep.state.Channel;
import io.superstep.state.State;
import io.superstep.state.StateSchema;
import io.superstep.state.Update;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Currency;
import java.util.List;
import java.util.Objects;
import javax.crypto.AEADBadTagException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

class JsonOptionsTests {

  /** A type that Jackson cannot read by itself: no properties, no creator. */
  static final class Money {

    private final BigDecimal amount;
    private final Currency currency;

    private Money(BigDecimal amount, Currency currency) {
      this.amount = amount;
      this.currency = currency;
    }

    static Money parse(String text) {
      String[] parts = text.split(" ", 2);
      return new Money(new BigDecimal(parts[0]), Currency.getInstance(parts[1]));
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Money money
          && amount.equals(money.amount)
          && currency.equals(money.currency);
    }

    @Override
    public int hashCode() {
      return Objects.hash(amount, currency);
    }

    @Override
    public String toString() {
      return amount + " " + currency;
    }
  }

  record Invoice(Money total, List<Money> lines) {}

  private static SimpleModule money() {
    return new SimpleModule("money")
        .addSerializer(new StdSerializer<Money>(Money.class) {
          @Override
          public void serialize(Money money, JsonGenerator out, SerializationContext context) {
            out.writeString(money.toString());
          }
        })
        .addDeserializer(Money.class, new StdDeserializer<Money>(Money.class) {
          @Override
          public Money deserialize(JsonParser in, DeserializationContext context) {
            return Money.parse(in.getString());
          }
        });
  }

  @Test
  void aModuleTeachesTheCodecATypeAlsoInsideOthers() {
    Channel<@Nullable Invoice> invoice = Channel.value("invoice", Invoice.class);
    StateSchema schema = StateSchema.of(invoice);
    Money ten = Money.parse("10.00 EUR");
    State state = fold(schema.start(), Update.of(invoice, new Invoice(ten, List.of(ten))));
    JsonCodec codec = JsonCodec.builder(schema).module(money()).build();

    byte[] bytes = codec.encode(state);

    assertThat(text(bytes)).contains("{\"total\":\"10.00 EUR\",\"lines\":[\"10.00 EUR\"]}");
    assertThat(codec.decode(bytes)).isEqualTo(state);
  }

  @Test
  void withoutTheModuleTheTypeIsRefused() {
    Channel<@Nullable Money> price = Channel.value("price", Money.class);
    StateSchema schema = StateSchema.of(price);

    InvalidJsonException refused =
        catchThrowableOfType(InvalidJsonException.class, () -> JsonCodec.of(schema));

    assertThat(refused.code()).isEqualTo("SG-306");
    assertThat(refused).hasMessageContaining(Money.class.getName()).hasMessageContaining("module");
  }

  /** Puts a letter before the bytes, and takes only that one off again. */
  private record Mark(char letter) implements ByteStage {

    @Override
    public byte[] apply(byte[] bytes) {
      return bytes(letter + text(bytes));
    }

    @Override
    public byte[] undo(byte[] stored) {
      if (stored[0] != letter) {
        throw new IllegalArgumentException("not marked with " + letter);
      }
      return Arrays.copyOfRange(stored, 1, stored.length);
    }
  }

  @Test
  void stagesAreAppliedInOrderAndUndoneInReverse() {
    StateSchema schema = StateSchema.of(Channel.text("note"));
    JsonCodec codec =
        JsonCodec.builder(schema).stage(new Mark('a')).stage(new Mark('b')).build();

    byte[] bytes = codec.encode(schema.start());

    assertThat(text(bytes)).isEqualTo("ba{\"v\":1,\"channels\":{\"note\":\"\"}}");
    assertThat(codec.decode(bytes)).isEqualTo(schema.start());
  }

  @Test
  void aStageThatFailsInAWayThatNobodyHasDeclaredIsATypedError() {
    StateSchema schema = StateSchema.of(Channel.text("note"));
    byte[] plain = JsonCodec.of(schema).encode(schema.start());
    JsonCodec codec = JsonCodec.builder(schema).stage(new Sealed()).build();

    for (ThrowingCallable use :
        List.<ThrowingCallable>of(() -> codec.decode(plain), () -> codec.encode(schema.start()))) {
      InvalidJsonException refused = catchThrowableOfType(InvalidJsonException.class, use);
      assertThat(refused.code()).isEqualTo("SG-305");
      assertThat(refused)
          .hasMessageContaining("AEADBadTagException")
          .hasCauseInstanceOf(AEADBadTagException.class);
    }
  }

  /** Fails as a cipher with a wrong key does in Kotlin, where nobody declares what is thrown. */
  private record Sealed() implements ByteStage {

    @Override
    public byte[] apply(byte[] bytes) {
      throw undeclared(new AEADBadTagException());
    }

    @Override
    public byte[] undo(byte[] stored) {
      throw undeclared(new AEADBadTagException());
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException undeclared(Throwable thrown) throws E {
      throw (E) thrown;
    }
  }

  @Test
  void aStageThatFailsIsATypedError() {
    StateSchema schema = StateSchema.of(Channel.text("note"));
    byte[] plain = JsonCodec.of(schema).encode(schema.start());
    JsonCodec codec = JsonCodec.builder(schema).stage(new Mark('a')).build();

    InvalidJsonException refused =
        catchThrowableOfType(InvalidJsonException.class, () -> codec.decode(plain));

    assertThat(refused.code()).isEqualTo("SG-305");
    assertThat(refused)
        .hasMessageContaining("the stage Mark")
        .hasCauseInstanceOf(IllegalArgumentException.class);
  }
}
