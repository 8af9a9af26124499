package io.superstep.json;

import io.superstep.state.Effect;
import io.superstep.state.State;
import io.superstep.value.InvalidValueException;
import io.superstep.value.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * Reads what {@link EffectWriter} wrote, if it can happen to the channel.
 *
 * @param state what it led to, if that is known; else null
 */
record EffectReader(
    ChannelText channel, Document document, @Nullable State state) {

  EffectReader(ChannelText channel, Document document) {
    this(channel, document, null);
  }

  /** Reads the effect that is due. */
  Effect<?> read() {
    List<Effect<@Nullable Object>> effects = new ArrayList<>();
    if (document.in().currentToken() == JsonToken.START_ARRAY) {
      while (document.in().nextToken() != JsonToken.END_ARRAY) {
        effects.add(untyped(read()));
      }
      return new Effect.Sequence<@Nullable Object>(effects);
    }
    document.readProperties(kind -> effects.add(untyped(readOne(kind))));
    if (effects.size() != 1) {
      throw document.mismatch("one effect");
    }
    return effects.get(0);
  }

  private Effect<?> readOne(String kind) {
    return switch (kind) {
      case EffectWriter.SET -> Effect.replace(channel.read(document.in()));
      case EffectWriter.NOTHING -> Effect.nothing();
      case EffectWriter.ADD -> new Effect.Add<>(read(Number.class));
      case EffectWriter.JOIN -> new Effect.Join(read(String.class));
      case EffectWriter.APPEND -> new Effect.Append<>((List<?>) read(List.class));
      case EffectWriter.UNION -> new Effect.Union<>((Set<?>) read(Set.class));
      case EffectWriter.MERGE -> new Effect.Merge<>((Map<?, ?>) read(Map.class), false);
      case EffectWriter.MERGE_DEEP -> new Effect.Merge<>((Map<?, ?>) read(Map.class), true);
      case EffectWriter.EDIT -> readEdit();
      case ChangesText.HELD -> readHeld();
      default -> throw document.mismatch("an effect");
    };
  }

  private Effect<?> readHeld() {
    if (state == null) {
      throw document.mismatch("an effect");
    }
    return Effect.<@Nullable Object>replace(state.get(channel.channel()));
  }

  /** Reads a value of the channel, which has to be a {@code kind}. */
  private <V> V read(Class<V> kind) {
    Object value = channel.read(document.in());
    if (!kind.isInstance(value)) {
      throw document.mismatch("an effect on " + kind.getSimpleName());
    }
    return kind.cast(value);
  }

  private Effect<?> readEdit() {
    Class<?> raw = channel.channel().type().raw();
    if (raw != List.class && raw != Object.class) {
      throw document.mismatch("an effect on " + raw.getSimpleName());
    }
    SortedSet<Integer> removed = new TreeSet<>();
    SortedMap<Integer, @Nullable Object> replaced = new TreeMap<>();
    SortedMap<Integer, @Nullable Object> inserted = new TreeMap<>();
    document.readProperties(part -> {
      switch (part) {
        case EffectWriter.REMOVED -> readPositions(removed);
        case EffectWriter.REPLACED -> readElements(replaced);
        case EffectWriter.INSERTED -> readElements(inserted);
        default -> throw document.mismatch("an edit");
      }
    });
    return frozen(new Effect.Edit<>(removed, replaced, inserted));
  }

  private void readPositions(SortedSet<Integer> positions) {
    if (document.in().currentToken() != JsonToken.START_ARRAY) {
      throw document.mismatch("positions");
    }
    while (document.in().nextToken() != JsonToken.END_ARRAY) {
      positions.add(document.count());
    }
  }

  private void readElements(SortedMap<Integer, @Nullable Object> elements) {
    document.readProperties(position -> {
      if (!position.matches("[0-9]{1,9}")) {
        throw document.mismatch("a position");
      }
      elements.put(Integer.valueOf(position), channel.readElement(document.in()));
    });
  }

  @SuppressWarnings("unchecked") // the check is what freezing does
  private Effect<?> frozen(Effect<?> effect) {
    try {
      return untyped(effect)
          .frozen((ValueType<@Nullable Object>) channel.channel().type(), Long.MAX_VALUE);
    } catch (InvalidValueException misfit) {
      throw Failures.reading(channel.name(), misfit);
    }
  }

  @SuppressWarnings("unchecked") // all effects are of one channel
  private static Effect<@Nullable Object> untyped(Effect<?> effect) {
    return (Effect<@Nullable Object>) effect;
  }
}
