package io.superstep.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.superstep.memory.Address;
import io.superstep.memory.InvalidMemoryException;
import io.superstep.memory.MemoryItem;
import io.superstep.memory.MemoryQuery;
import io.superstep.memory.MemoryStore;
import io.superstep.memory.MemoryWrite;
import io.superstep.memory.Namespace;
import io.superstep.memory.Outbox;
import io.superstep.memory.Writer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * What every store of memory has to do. The tests of a store extend it and say how to make an empty
 * one.
 *
 * <p>The clock of the store is moved by {@link #pass}.
 */
public abstract class MemoryStoreContract {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Namespace ADA = Namespace.of("users", "ada");
  private static final Namespace BOB = Namespace.of("users", "bob");

  /** An empty store without limits of its own, whose clock stands still but for {@link #pass}. */
  protected abstract MemoryStore store();

  /** What the clock of the store that {@link #store} made last says. */
  protected abstract Instant now();

  /** Lets {@code time} go by for the store that {@link #store} made last. */
  protected abstract void pass(Duration time);

  private static <T> @Nullable T one(Publisher<T> publisher) {
    return Mono.from(publisher).block(PATIENCE);
  }

  private static <T> T some(Publisher<T> publisher) {
    return Objects.requireNonNull(one(publisher));
  }

  private static List<MemoryItem> all(MemoryStore store, MemoryQuery query) {
    return Objects.requireNonNull(Flux.from(store.search(query)).collectList().block(PATIENCE));
  }

  private static List<String> keys(MemoryStore store, MemoryQuery query) {
    return all(store, query).stream().map(MemoryItem::key).toList();
  }

  private static List<Address> addresses(MemoryStore store, MemoryQuery query) {
    return all(store, query).stream().map(MemoryItem::address).toList();
  }

  private static MemoryWrite.Put text(Namespace namespace, String key, String text) {
    return MemoryWrite.put(namespace, key, Map.of("text", text));
  }

  private void put(MemoryStore store, MemoryWrite write) {
    one(store.write(write, now()));
  }

  /** The text that stands at a key of Ada's; null if there is none. */
  private static @Nullable Object textAt(MemoryStore store, String key) {
    MemoryItem item = one(store.get(ADA, key));
    return item == null ? null : item.value().get("text");
  }

  private static Outbox outbox(
      String thread, long sequence, long fence, Instant time, MemoryWrite... writes) {
    return new Outbox(new Writer(thread, sequence, fence), time, List.of(writes));
  }

  private Outbox outbox(String thread, long sequence, MemoryWrite... writes) {
    return outbox(thread, sequence, 1, now(), writes);
  }

  @Test
  @DisplayName("E24 an item comes back with its address, its value and its times")
  void savesItems() {
    MemoryStore store = store();
    Instant time = now().plusNanos(123_456_000);
    MemoryWrite write = text(ADA, "name", "Ada").lasting(Duration.ofHours(1));
    one(store.write(write, time));

    MemoryItem item = some(store.get(ADA, "name"));
    assertEquals(
        new MemoryItem(
            ADA, "name", Map.of("text", "Ada"), time, time.plus(Duration.ofHours(1)), null),
        item);
    assertEquals(List.of(item), all(store, MemoryQuery.ALL));
    assertNull(one(store.get(BOB, "name")));
    assertNull(one(store.get(ADA, "nam")));
    assertNull(one(store.get(Namespace.ROOT, "name")));
  }

  @Test
  @DisplayName("E24 all plain data comes back as it was")
  void plainData() {
    MemoryStore store = store();
    Map<String, @Nullable Object> value = new LinkedHashMap<>();
    value.put("null", null);
    value.put("", "an empty name");
    value.put("text", "line\nand \"quote\" \\ \u0000 é 漢字 \uD83D\uDE80 \uFFFF");
    value.put("no text", "");
    value.put("booleans", List.of(true, false));
    value.put(
        "numbers",
        Arrays.asList(
            (byte) -1,
            (short) 300,
            0,
            Integer.MIN_VALUE,
            Long.MAX_VALUE,
            1L,
            1.5f,
            -0.0,
            Double.MIN_VALUE,
            Double.MAX_VALUE));
    value.put(
        "big",
        List.of(
            BigInteger.TWO.pow(200),
            new BigDecimal("1.10"),
            new BigDecimal("123456789012345678901234567890.123456789")));
    value.put("empty", List.of(List.of(), Map.of()));
    value.put("nested", Map.of("a", List.of(Map.of("b", Arrays.asList(1, null)))));
    value.put("$type", "no name of a class");
    value.put("dotted.name/with%signs", 1);

    put(store, MemoryWrite.put(ADA, "all", value));
    put(store, MemoryWrite.put(ADA, "none", Map.of()));

    Map<String, @Nullable Object> loaded = some(store.get(ADA, "all")).value();
    assertEquals(value, loaded);
    assertEquals(List.copyOf(value.keySet()), List.copyOf(loaded.keySet()), "in their order");
    assertEquals(Map.of(), some(store.get(ADA, "none")).value());
    assertEquals(value, all(store, MemoryQuery.ALL).get(0).value());
  }

  @Test
  @DisplayName("E24 nothing that is handed in or out can be changed afterwards")
  void frozen() {
    MemoryStore store = store();
    Map<String, @Nullable Object> value = new LinkedHashMap<>(Map.of("list", new ArrayList<>()));
    put(store, MemoryWrite.put(ADA, "k", value));
    value.put("more", 1);

    Map<String, @Nullable Object> loaded = some(store.get(ADA, "k")).value();
    assertEquals(Map.of("list", List.of()), loaded);
    assertThrows(UnsupportedOperationException.class, () -> loaded.put("more", 1));
  }

  @Test
  @DisplayName("E24 names and keys may have any characters")
  void strangeNames() {
    MemoryStore store = store();
    List<Address> strange = new ArrayList<>();
    List<String> texts = List.of(
        "a/b",
        "a",
        "%",
        "%2F",
        "*",
        "?",
        "[a]",
        "{a}",
        ":",
        " ",
        "\n",
        "'",
        "\"",
        "\\",
        "\u0000",
        "é",
        "漢字",
        "\uD83D\uDE80",
        "..",
        "_");
    for (String text : texts) {
      strange.add(new Address(Namespace.of(text), text));
      strange.add(new Address(Namespace.of("users", text, "b"), text));
    }
    strange.add(new Address(Namespace.ROOT, "in no namespace"));
    String longest = "漢".repeat(Namespace.MAX_NAME_LENGTH);
    Namespace deepest = Namespace.ROOT;
    for (int depth = 0; depth < Namespace.MAX_DEPTH; depth++) {
      deepest = deepest.child(longest);
    }
    strange.add(new Address(deepest, "漢".repeat(Address.MAX_KEY_LENGTH)));
    for (Address address : strange) {
      put(store, MemoryWrite.put(address.namespace(), address.key(), Map.of("at", address.key())));
    }

    for (Address address : strange) {
      MemoryItem item = some(store.get(address.namespace(), address.key()));
      assertEquals(address, item.address());
      assertEquals(Map.of("at", address.key()), item.value());
      assertTrue(keys(store, MemoryQuery.below(address.namespace())).contains(address.key()));
    }
    assertEquals(strange.stream().sorted().toList(), addresses(store, MemoryQuery.ALL));
  }

  @Test
  @DisplayName("E24 an item is written over and removed")
  void overwrites() {
    MemoryStore store = store();
    put(store, text(ADA, "k", "old").lasting(Duration.ofHours(1)));
    pass(Duration.ofMinutes(1));
    put(store, text(ADA, "k", "new"));

    MemoryItem item = some(store.get(ADA, "k"));
    assertEquals(new MemoryItem(ADA, "k", Map.of("text", "new"), now(), null, null), item);
    pass(Duration.ofDays(1));
    assertEquals("new", textAt(store, "k"), "the time of the old one does not count");

    MemoryWrite remove = MemoryWrite.remove(ADA, "k");
    put(store, remove);
    assertNull(one(store.get(ADA, "k")));
    assertEquals(List.of(), all(store, MemoryQuery.ALL));
    put(store, remove);
    put(store, MemoryWrite.remove(BOB, "never was"));
    assertEquals(List.of(), all(store, MemoryQuery.ALL));
  }

  @Test
  @DisplayName("E24 what has expired is forgotten, pruned or not")
  void expiry() {
    MemoryStore store = store();
    put(store, text(ADA, "hour", "x").lasting(Duration.ofHours(1)));
    put(store, text(ADA, "day", "x").lasting(Duration.ofDays(1)));
    put(store, text(ADA, "ever", "x"));
    put(store, text(ADA, "eon", "x").lasting(Duration.ofSeconds(Long.MAX_VALUE)));

    pass(Duration.ofHours(1).minusMillis(1));
    assertEquals(List.of("day", "eon", "ever", "hour"), keys(store, MemoryQuery.ALL));
    pass(Duration.ofMillis(1));
    assertNull(one(store.get(ADA, "hour")), "at the very moment");
    assertEquals(List.of("day", "eon", "ever"), keys(store, MemoryQuery.ALL));
    assertEquals(List.of("day"), keys(store, MemoryQuery.ALL.limit(1)));

    put(store, text(ADA, "hour", "again"));
    pass(Duration.ofDays(2));
    assertEquals(List.of("eon", "ever", "hour"), keys(store, MemoryQuery.ALL));
  }

  @Test
  @DisplayName("E24 a limit counts only what has not expired")
  void limitOfTheLiving() {
    MemoryStore store = store();
    for (int number = 0; number < 10; number++) {
      put(store, text(ADA, "a" + number, "x").lasting(Duration.ofHours(1)));
    }
    put(store, text(ADA, "b", "x"));
    pass(Duration.ofHours(2));

    assertEquals(List.of("b"), keys(store, MemoryQuery.ALL.limit(1)));
  }

  @Test
  @DisplayName("E24 pruning removes what has expired and says how many")
  void prunes() {
    MemoryStore store = store();
    put(store, text(ADA, "hour", "x").lasting(Duration.ofHours(1)));
    put(store, text(BOB, "hour", "x").lasting(Duration.ofHours(1)));
    put(store, text(ADA, "day", "x").lasting(Duration.ofDays(1)));
    put(store, text(ADA, "ever", "x"));

    assertEquals(0, some(store.prune(now())));
    pass(Duration.ofHours(2));
    assertEquals(0, some(store.prune(now().minus(Duration.ofHours(2)))), "by the time it is given");
    assertEquals(2, some(store.prune(now())));
    assertEquals(0, some(store.prune(now())), "repeated");
    assertEquals(List.of("day", "ever"), keys(store, MemoryQuery.ALL));
    assertEquals(0, some(store().prune(now())), "of an empty store");
  }

  @Test
  @DisplayName("E24 a search finds what is in a namespace and below it, whole names only")
  void namespaces() {
    MemoryStore store = store();
    for (Namespace namespace : List.of(
        Namespace.of("users", "1"),
        Namespace.of("users", "10"),
        Namespace.of("users", "1", "likes"),
        Namespace.of("users", "1-a"),
        Namespace.of("users"),
        Namespace.of("users/1"),
        Namespace.of("users", "1/x"),
        Namespace.ROOT)) {
      put(store, text(namespace, "k", "x"));
    }

    assertEquals(
        List.of(
            new Address(Namespace.of("users", "1"), "k"),
            new Address(Namespace.of("users", "1", "likes"), "k")),
        addresses(store, MemoryQuery.below(Namespace.of("users", "1"))));
    assertEquals(6, all(store, MemoryQuery.below(Namespace.of("users"))).size());
    assertEquals(8, all(store, MemoryQuery.below(Namespace.ROOT)).size());
    assertEquals(List.of(), all(store, MemoryQuery.below(Namespace.of("user"))));
    assertEquals(List.of(), all(store, MemoryQuery.below(Namespace.of("users", "2"))));
  }

  @Test
  @DisplayName("E24 a search finds keys by how they start")
  void keyPrefixes() {
    MemoryStore store = store();
    for (String key : List.of("food/tea", "food/rice", "food", "foo", "mood", "Food/tea")) {
      put(store, text(ADA, key, "x"));
      put(store, text(ADA.child("inner"), key, "x"));
    }

    MemoryQuery query = MemoryQuery.below(ADA);
    assertEquals(
        List.of("food/rice", "food/tea", "food/rice", "food/tea"),
        keys(store, query.keyPrefix("food/")));
    assertEquals(
        List.of("food", "food/rice", "food/tea"),
        keys(store, MemoryQuery.below(ADA.child("inner")).keyPrefix("food")));
    assertEquals(List.of(), all(store, query.keyPrefix("food/tea/")));
    assertEquals(List.of(), all(store, query.keyPrefix("%")));
  }

  @Test
  @DisplayName("E24 a search finds values by their fields")
  void fields() {
    MemoryStore store = store();
    Map<String, @Nullable Object> unknown = new LinkedHashMap<>();
    unknown.put("kind", "fact");
    unknown.put("age", null);
    put(store, MemoryWrite.put(ADA, "1", Map.of("kind", "fact", "age", 42, "tags", List.of("a"))));
    put(store, MemoryWrite.put(ADA, "2", Map.of("kind", "fact", "age", 43)));
    put(store, MemoryWrite.put(ADA, "3", Map.of("kind", "wish", "age", 42)));
    put(store, MemoryWrite.put(ADA, "4", unknown));
    put(store, MemoryWrite.put(ADA, "5", Map.of("kind.of", "fact")));
    put(store, MemoryWrite.put(BOB, "6", Map.of("kind", "fact", "age", 42)));

    MemoryQuery query = MemoryQuery.below(ADA);
    assertEquals(List.of("1", "2", "4"), keys(store, query.where("kind", "fact")));
    assertEquals(List.of("1"), keys(store, query.where("kind", "fact").where("age", 42)));
    assertEquals(List.of("1", "3"), keys(store, query.where("age", 42L)));
    assertEquals(List.of("1", "3"), keys(store, query.where("age", new BigDecimal("42.0"))));
    assertEquals(List.of("4"), keys(store, query.where("age", null)));
    assertEquals(List.of("1"), keys(store, query.where("tags", List.of("a"))));
    assertEquals(List.of(), keys(store, query.where("tags", "a")));
    assertEquals(List.of(), keys(store, query.where("age", "42")));
    assertEquals(List.of("3"), keys(store, query.where("kind", "wish").limit(1)));
  }

  @Test
  @DisplayName("E24 a search is ordered and comes in pages, each once")
  void pages() {
    MemoryStore store = store();
    List<Address> expected = new ArrayList<>();
    for (String name : List.of("a", "b", "a-b", "漢", "\uD83D\uDE80")) {
      for (String key : List.of("k", "k1", "k-", "K", "é", "\uFF5E", "\uD83D\uDE80")) {
        expected.add(new Address(Namespace.of("n", name), key));
      }
    }
    Collections.sort(expected);
    List<Address> backwards = new ArrayList<>(expected);
    Collections.reverse(backwards);
    backwards.forEach(address -> put(store, text(address.namespace(), address.key(), "x")));
    put(store, text(ADA, "elsewhere", "x"));

    MemoryQuery query = MemoryQuery.below(Namespace.of("n"));
    assertEquals(expected, addresses(store, query));
    for (int size : new int[] {1, 3, 7, 100}) {
      List<Address> seen = new ArrayList<>();
      List<Address> page = addresses(store, query.limit(size));
      while (!page.isEmpty() && seen.size() <= expected.size()) {
        assertTrue(page.size() <= size);
        seen.addAll(page);
        page = addresses(store, query.limit(size).after(page.get(page.size() - 1)));
      }
      assertEquals(expected, seen, "in pages of " + size);
    }
  }

  @Test
  @DisplayName("E24 a page begins behind any address, also where nothing stands")
  void pagesAfterAnyAddress() {
    MemoryStore store = store();
    for (String key : List.of("b", "d", "f")) {
      put(store, text(ADA, key, "x"));
      put(store, text(BOB, key, "x"));
    }
    MemoryQuery ada = MemoryQuery.below(ADA);
    MemoryQuery both = MemoryQuery.below(Namespace.of("users"));

    assertEquals(List.of("d", "f"), keys(store, ada.after(new Address(ADA, "c"))));
    put(store, MemoryWrite.remove(ADA, "b"));
    assertEquals(List.of("d", "f"), keys(store, ada.after(new Address(ADA, "b"))), "was removed");
    assertEquals(List.of(), keys(store, ada.after(new Address(ADA, "f"))));
    assertEquals(List.of("b", "d", "f"), keys(store, both.after(new Address(ADA, "f"))));
    assertEquals(List.of(), keys(store, both.after(new Address(BOB, "f"))));
    assertEquals(List.of(), keys(store, ada.after(new Address(BOB, "a"))), "beyond the namespace");
    assertEquals(
        List.of("d", "f"), keys(store, ada.after(new Address(Namespace.ROOT, "x"))), "before it");
    assertEquals(
        List.of("d"),
        keys(store, both.keyPrefix("d").after(new Address(BOB, "a"))),
        "before the first key that starts so");
    assertEquals(
        List.of("d", "d"),
        keys(store, both.keyPrefix("d").after(new Address(ADA, "c"))),
        "with keys that start so");
    assertEquals(
        List.of("d"), keys(store, both.keyPrefix("d").after(new Address(ADA, "e"))), "or behind");
  }

  @Test
  @DisplayName("E24 a search brings no more than is asked for, and nothing before")
  void demand() {
    MemoryStore store = store();
    Publisher<MemoryItem> search = store.search(MemoryQuery.ALL);
    for (int number = 0; number < 100; number++) {
      put(store, text(ADA, "k" + number, "x"));
    }

    List<MemoryItem> seen = Objects.requireNonNull(
        Flux.from(search).limitRate(3).take(10, true).collectList().block(PATIENCE));
    assertEquals(all(store, MemoryQuery.ALL.limit(10)), seen, "what was there when it was asked");

    List<MemoryItem> brought = Collections.synchronizedList(new ArrayList<>());
    Mono<Void> five = Mono.create(sink -> Flux.from(search).subscribe(new BaseSubscriber<>() {
      @Override
      protected void hookOnSubscribe(Subscription subscription) {
        subscription.request(5);
      }

      @Override
      protected void hookOnNext(MemoryItem item) {
        brought.add(item);
        if (brought.size() == 5) {
          sink.success();
        }
      }

      @Override
      protected void hookOnComplete() {
        sink.error(new AssertionError("There is more."));
      }

      @Override
      protected void hookOnError(Throwable failure) {
        sink.error(failure);
      }
    }));
    five.block(PATIENCE);
    assertEquals(all(store, MemoryQuery.ALL.limit(5)), List.copyOf(brought));
  }

  @Test
  @DisplayName("E24 nothing is written before somebody subscribes")
  void cold() {
    MemoryStore store = store();
    Publisher<Void> write = store.write(text(ADA, "k", "x"), now());
    Publisher<Boolean> apply = store.apply(outbox("t", 1, text(ADA, "l", "x")));

    assertEquals(List.of(), all(store, MemoryQuery.ALL));
    one(write);
    assertTrue(some(apply));
    assertEquals(List.of("k", "l"), keys(store, MemoryQuery.ALL));
    assertFalse(some(apply), "subscribed to again");
  }

  @Test
  @DisplayName("E24 an outbox is written as a whole, in its order, with who wrote it and when")
  void appliesOutboxes() {
    MemoryStore store = store();
    put(store, text(ADA, "gone", "x"));
    Instant time = now().minus(Duration.ofMinutes(5));
    Outbox outbox = outbox(
        "t",
        7,
        3,
        time,
        text(ADA, "k", "first"),
        text(ADA, "k", "last").lasting(Duration.ofHours(1)),
        MemoryWrite.remove(ADA, "gone"),
        text(BOB, "back", "x"),
        MemoryWrite.remove(BOB, "back"),
        MemoryWrite.remove(BOB, "again"),
        text(BOB, "again", "x"));

    assertTrue(some(store.apply(outbox)));

    Writer writer = new Writer("t", 7, 3);
    assertEquals(
        List.of(
            new MemoryItem(
                ADA, "k", Map.of("text", "last"), time, time.plus(Duration.ofHours(1)), writer),
            new MemoryItem(BOB, "again", Map.of("text", "x"), time, null, writer)),
        all(store, MemoryQuery.ALL));
    put(store, text(ADA, "k", "direct"));
    assertNull(some(store.get(ADA, "k")).writer());
  }

  @Test
  @DisplayName("E24 a repeated outbox changes nothing, whoever has written since")
  void appliesOnce() {
    MemoryStore store = store();
    Outbox first = outbox("t", 1, text(ADA, "k", "one"), text(ADA, "gone", "x"));
    Outbox second = outbox("t", 2, text(ADA, "k", "two"), MemoryWrite.remove(ADA, "gone"));
    assertTrue(some(store.apply(first)));
    assertFalse(some(store.apply(first)));
    assertTrue(some(store.apply(second)));

    assertFalse(some(store.apply(first)), "an older one");
    assertFalse(some(store.apply(second)));
    assertEquals("two", textAt(store, "k"));
    assertNull(textAt(store, "gone"));

    put(store, text(ADA, "k", "direct"));
    put(store, text(ADA, "gone", "direct"));
    assertFalse(some(store.apply(second)));
    assertEquals("direct", textAt(store, "k"));
    assertEquals("direct", textAt(store, "gone"));
    assertTrue(some(store.apply(outbox("t", 9, text(ADA, "k", "nine")))), "not each step has one");
    assertEquals("nine", textAt(store, "k"));
  }

  @Test
  @DisplayName("E24 two threads write to one key, and what is repeated stays without effect")
  void interleavedThreads() {
    MemoryStore store = store();
    Outbox a1 = outbox("a", 1, text(ADA, "k", "a1"), text(ADA, "a", "a1"));
    Outbox b1 = outbox("b", 1, text(ADA, "k", "b1"), text(ADA, "b", "b1"));
    Outbox a2 = outbox("a", 2, text(ADA, "k", "a2"));
    List<Outbox> applied = new ArrayList<>();
    for (Outbox next : List.of(a1, b1, a2)) {
      assertTrue(some(store.apply(next)));
      applied.add(next);
      MemoryItem shared = some(store.get(ADA, "k"));
      assertEquals(next.writer(), shared.writer());
      for (Outbox again : applied) {
        assertFalse(some(store.apply(again)));
        assertEquals(shared, some(store.get(ADA, "k")));
      }
    }

    assertEquals("a2", textAt(store, "k"));
    assertEquals("a1", textAt(store, "a"));
    assertEquals("b1", textAt(store, "b"));
    assertEquals(new Writer("a", 2, 1), some(store.get(ADA, "k")).writer());
  }

  @Test
  @DisplayName("E24 a thread that was removed and begun anew is heard, its old outboxes are not")
  void begunAnew() {
    MemoryStore store = store();
    Outbox old = outbox("t", 9, 1, now(), text(ADA, "k", "old"));
    Outbox anew = outbox("t", 1, 2, now(), text(ADA, "k", "new"));
    assertTrue(some(store.apply(old)));
    assertTrue(some(store.apply(anew)));

    assertFalse(some(store.apply(old)));
    assertFalse(some(store.apply(anew)));
    assertFalse(some(store.apply(outbox("t", 10, 1, now(), text(ADA, "k", "never was")))));
    assertEquals("new", textAt(store, "k"));
    assertTrue(some(store.apply(outbox("t", 2, 2, now(), text(ADA, "k", "next")))));
    assertTrue(some(store.apply(outbox("t", 3, 12, now(), text(ADA, "k", "taken over")))));
    assertEquals("taken over", textAt(store, "k"));
  }

  @Test
  @DisplayName("E24 applied late, an outbox gives the times that it would have given")
  void appliedLate() {
    MemoryStore store = store();
    put(store, text(ADA, "gone", "older"));
    Instant committed = now();
    Outbox outbox = outbox(
        "t",
        1,
        1,
        committed,
        text(ADA, "k", "x").lasting(Duration.ofHours(2)),
        text(ADA, "gone", "x").lasting(Duration.ofHours(1)));
    pass(Duration.ofHours(1));

    assertTrue(some(store.apply(outbox)));

    MemoryItem item = some(store.get(ADA, "k"));
    assertEquals(committed, item.written());
    assertEquals(committed.plus(Duration.ofHours(2)), item.expires());
    assertNull(textAt(store, "gone"), "its time was up when it came");
    pass(Duration.ofHours(1));
    assertFalse(some(store.apply(outbox)));
    assertEquals(List.of(), all(store, MemoryQuery.ALL));
  }

  @Test
  @DisplayName("E24 what was pruned does not come back when its outbox does")
  void markersOutliveItems() {
    MemoryStore store = store();
    Outbox outbox = outbox("t", 1, text(ADA, "k", "x").lasting(Duration.ofHours(1)));
    assertTrue(some(store.apply(outbox)));
    pass(Duration.ofHours(1));
    assertEquals(1, some(store.prune(now())));
    put(store, text(ADA, "k", "other"));

    assertFalse(some(store.apply(outbox)));
    assertEquals("other", textAt(store, "k"));
  }

  @Test
  @DisplayName("E24 an outbox without writes is one all the same")
  void emptyOutbox() {
    MemoryStore store = store();

    assertTrue(some(store.apply(outbox("t", 2))));
    assertFalse(some(store.apply(outbox("t", 1, text(ADA, "k", "x")))));
    assertEquals(List.of(), all(store, MemoryQuery.ALL));
  }

  @Test
  @DisplayName("E24 an outbox that races with itself is applied once")
  void racesWithItself() {
    MemoryStore store = store();
    for (int round = 1; round <= 50; round++) {
      Outbox outbox = outbox("t", round, text(ADA, "k", "t" + round));
      Outbox later = outbox("other", round, text(ADA, "k", "other" + round));
      Mono<Boolean> apply = Mono.from(store.apply(outbox));
      // Whoever finds it applied, the other thread writes; a repetition behind that would show.
      List<Boolean> results = Objects.requireNonNull(Flux.range(0, 8)
          .flatMap(racer -> apply
              .delayUntil(applied -> store.apply(later))
              .concatWith(apply)
              .subscribeOn(Schedulers.boundedElastic()))
          .collectList()
          .block(PATIENCE));

      assertEquals(1, results.stream().filter(applied -> applied).count());
      assertEquals(16, results.size());
      assertEquals("other" + round, textAt(store, "k"));
    }
  }

  @Test
  @DisplayName("E24 who reads sees all of an outbox or nothing of it")
  void atomicForReaders() {
    MemoryStore store = store();
    Mono<Void> writing = Flux.range(1, 200)
        .concatMap(number -> store.apply(outbox(
            "t",
            number,
            MemoryWrite.put(ADA, "a", Map.of("number", number)),
            MemoryWrite.put(BOB, "z", Map.of("number", number)))))
        .then()
        .subscribeOn(Schedulers.boundedElastic());
    // What is read first is never newer than what is read second, whichever is written first.
    Flux<Boolean> reading = Flux.range(0, 100)
        .concatMap(round -> Flux.concat(
            isNoNewer(number(store, ADA, "a"), number(store, BOB, "z")),
            isNoNewer(number(store, BOB, "z"), number(store, ADA, "a"))))
        .subscribeOn(Schedulers.boundedElastic());

    List<Boolean> consistent =
        Objects.requireNonNull(Flux.merge(writing.thenMany(Flux.empty()), reading, reading)
            .collectList()
            .block(PATIENCE));
    assertEquals(400, consistent.size());
    assertTrue(consistent.stream().allMatch(each -> each));
    assertEquals(200, some(store.get(BOB, "z")).value().get("number"));
  }

  private static Mono<Boolean> isNoNewer(Mono<Integer> first, Mono<Integer> second) {
    return first.flatMap(one -> second.map(other -> one <= other));
  }

  private static Mono<Integer> number(MemoryStore store, Namespace namespace, String key) {
    return Mono.from(store.get(namespace, key))
        .map(item -> (Integer) Objects.requireNonNull(item.value().get("number")))
        .defaultIfEmpty(0);
  }

  @Test
  @DisplayName("E24 outboxes of many threads are all applied, each once")
  void manyThreads() {
    MemoryStore store = store();
    List<Outbox> outboxes = IntStream.range(0, 20)
        .boxed()
        .flatMap(thread -> IntStream.rangeClosed(1, 10)
            .mapToObj(step -> outbox(
                "t" + thread,
                step,
                text(ADA.child("t" + thread), "step " + step, "x"),
                text(ADA, "shared", "x"))))
        .toList();
    long applied = Objects.requireNonNull(Flux.fromIterable(outboxes)
        .groupBy(Outbox::thread)
        .flatMap(
            thread -> thread
                .publishOn(Schedulers.boundedElastic())
                .concatMap(outbox ->
                    Flux.concat(store.apply(outbox), store.apply(outbox), store.apply(outbox))),
            20)
        .filter(first -> first)
        .count()
        .block(PATIENCE));

    assertEquals(200, applied);
    assertEquals(201, all(store, MemoryQuery.below(ADA)).size());
  }

  @Test
  @DisplayName("E24 a value that is too large is refused, and nothing is written")
  void tooLarge() {
    MemoryStore store = store();
    String most = "x".repeat((int) store.maxValueSize() - 100);
    MemoryWrite large = text(ADA, "large", most + "x".repeat(200));
    put(store, text(ADA, "k", "before"));
    Outbox bad = outbox("t", 1, text(ADA, "k", "after"), large, MemoryWrite.remove(ADA, "k"));

    assertEquals(
        "SG-432",
        assertThrows(InvalidMemoryException.class, () -> put(store, large)).code());
    assertEquals(
        "SG-432",
        assertThrows(InvalidMemoryException.class, () -> one(store.apply(bad))).code());
    assertEquals(List.of("k"), keys(store, MemoryQuery.ALL));
    assertEquals("before", textAt(store, "k"));

    assertTrue(some(store.apply(outbox("t", 1, text(ADA, "k", "after")))), "not marked either");
    put(store, text(ADA, "most", most));
    assertEquals(most, textAt(store, "most"));
    assertEquals("after", textAt(store, "k"));
  }

  @Test
  @DisplayName("E24 a key that cannot be one is refused when it is asked for")
  void badKeys() {
    MemoryStore store = store();
    for (String key : List.of("", "k".repeat(Address.MAX_KEY_LENGTH + 1), "\uD83D")) {
      InvalidMemoryException refused =
          assertThrows(InvalidMemoryException.class, () -> one(store.get(ADA, key)));
      assertEquals("SG-433", refused.code());
    }
  }
}
