package io.superstep.state;

import io.superstep.message.Message;
import io.superstep.message.Message.Remove;
import io.superstep.value.FrozenList;
import io.superstep.value.ValueType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Folds messages into a conversation by their ids: a known id is replaced where it stands, an
 * unknown one and a message without an id are appended, {@link Remove} takes out. Of several
 * messages with one id in an update the last one counts.
 */
final class MessageFold extends DeclaringReducer<List<Message>>
    implements NormalForm<List<Message>>, Merging<List<Message>> {

  static final MessageFold INSTANCE = new MessageFold();

  private static final Function<Message, @Nullable Object> ID = Message::id;
  static final ValueType<List<Message>> MESSAGES = ValueType.listOf(ValueType.of(Message.class));

  private MessageFold() {}

  @Override
  public Effect<List<Message>> effect(@Nullable List<Message> current, List<Message> update) {
    int start = behindLastRemoveAll(update);
    if (start > 0) {
      return Effect.replace(reduce(List.of(), update.subList(start, update.size())));
    }
    FrozenList<Message> old =
        (FrozenList<Message>) MESSAGES.freeze(current == null ? List.of() : current);
    if (update.size() == 1) { // as in most steps
      return effect(old, update.get(0), update);
    }
    TreeSet<Integer> removed = new TreeSet<>();
    TreeMap<Integer, Message> replaced = new TreeMap<>();
    Map<Object, Message> added = new LinkedHashMap<>();
    for (Message message : update) {
      String id = message.id();
      int position = position(message, old);
      if (message instanceof Remove remove) {
        added.remove(remove.id());
        if (position >= 0) {
          removed.add(position);
        }
      } else if (position >= 0 && !removed.contains(position)) {
        replaced.put(position, message);
      } else {
        added.put(id == null ? new Object() : id, message);
      }
    }
    // if nothing was left out, the update is what is added, and frozen already
    List<Message> behind = added.size() == update.size() ? update : List.copyOf(added.values());
    return effect(old.size(), removed, replaced, behind);
  }

  /** What {@code message} does, which is all of {@code update}. */
  private static Effect<List<Message>> effect(
      FrozenList<Message> old, Message message, List<Message> update) {
    int position = position(message, old);
    boolean isRemove = message instanceof Remove;
    if (position < 0) {
      return isRemove ? Effect.nothing() : Effect.append(update);
    }
    SortedSet<Integer> removed = new TreeSet<>();
    SortedMap<Integer, Message> replaced = new TreeMap<>();
    if (isRemove) {
      removed.add(position);
    } else {
      replaced.put(position, message);
    }
    return new Effect.Edit<>(removed, replaced, new TreeMap<>());
  }

  private static int position(Message message, FrozenList<Message> old) {
    String id = message.id();
    return id == null ? -1 : old.positionOf(id, ID);
  }

  @Override
  public List<Message> normal(List<Message> value) {
    return reduce(List.of(), value);
  }

  /**
   * Goes by ids: what they have added, replaced and removed, unless we have done something else
   * with the same message. One without an id is new if there are more like it than there were; if
   * there are fewer, nobody can tell which of ours is meant.
   */
  @Override
  public @Nullable Effect<List<Message>> merged(
      @Nullable List<Message> base, @Nullable List<Message> ours, @Nullable List<Message> theirs) {
    Map<String, Message> before = byId(base);
    Map<String, Message> here = byId(ours);
    Map<String, Message> there = byId(theirs);
    Map<Message, Integer> nameless = nameless(base);
    List<Message> update = new ArrayList<>();
    for (Message other : orEmpty(theirs)) {
      String id = other.id();
      if (id == null) {
        if (nameless.merge(other, -1, Integer::sum) < 0) {
          update.add(other);
        }
      } else if (!other.equals(before.get(id)) && !other.equals(here.get(id))) {
        if (!Objects.equals(here.get(id), before.get(id))) {
          return null;
        }
        update.add(other);
      }
    }
    for (Map.Entry<String, Message> old : before.entrySet()) {
      Message own = here.get(old.getKey());
      if (own != null && !there.containsKey(old.getKey())) {
        if (!own.equals(old.getValue())) {
          return null;
        }
        update.add(Message.remove(old.getKey()));
      }
    }
    boolean lost = nameless.values().stream().anyMatch(left -> left > 0);
    return lost ? null : effect(ours, update);
  }

  private static Map<String, Message> byId(@Nullable List<Message> messages) {
    Map<String, Message> byId = new LinkedHashMap<>();
    for (Message message : orEmpty(messages)) {
      String id = message.id();
      if (id != null) {
        byId.put(id, message);
      }
    }
    return byId;
  }

  /** How often each message without an id is there. */
  private static Map<Message, Integer> nameless(@Nullable List<Message> messages) {
    Map<Message, Integer> nameless = new HashMap<>();
    for (Message message : orEmpty(messages)) {
      if (message.id() == null) {
        nameless.merge(message, 1, Integer::sum);
      }
    }
    return nameless;
  }

  private static List<Message> orEmpty(@Nullable List<Message> messages) {
    return messages == null ? List.of() : messages;
  }

  private static int behindLastRemoveAll(List<Message> update) {
    for (int position = update.size() - 1; position >= 0; position--) {
      if (update.get(position) instanceof Remove remove && remove.isAll()) {
        return position + 1;
      }
    }
    return 0;
  }

  private static Effect<List<Message>> effect(
      int size,
      SortedSet<Integer> removed,
      SortedMap<Integer, Message> replaced,
      List<Message> added) {
    if (removed.isEmpty() && replaced.isEmpty()) {
      return Effect.append(added);
    }
    TreeMap<Integer, Message> replacedAfter = new TreeMap<>();
    replaced.forEach((position, message) -> {
      if (!removed.contains(position)) {
        replacedAfter.put(position - removed.headSet(position).size(), message);
      }
    });
    TreeMap<Integer, Message> inserted = new TreeMap<>();
    for (Message message : added) {
      inserted.put(size - removed.size() + inserted.size(), message);
    }
    return new Effect.Edit<>(removed, replacedAfter, inserted);
  }
}
