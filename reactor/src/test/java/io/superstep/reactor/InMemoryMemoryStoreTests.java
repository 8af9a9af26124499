package io.superstep.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.superstep.memory.InvalidMemoryException;
import io.superstep.memory.MemoryItem;
import io.superstep.memory.MemoryQuery;
import io.superstep.memory.MemoryStore;
import io.superstep.memory.MemoryWrite;
import io.superstep.memory.Namespace;
import io.superstep.memory.Outbox;
import io.superstep.memory.Writer;
import io.superstep.testkit.MemoryStoreContract;
import io.superstep.testkit.MovingClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

class InMemoryMemoryStoreTests extends MemoryStoreContract {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Namespace NOTES = Namespace.of("notes");

  private final MovingClock clock = new MovingClock(Instant.EPOCH);

  @Override
  protected MemoryStore store() {
    return InMemoryMemoryStore.builder().clock(clock).build();
  }

  @Override
  protected Instant now() {
    return clock.instant();
  }

  @Override
  protected void pass(Duration time) {
    clock.pass(time);
  }

  private static MemoryWrite.Put note(String key) {
    return MemoryWrite.put(NOTES, key, Map.of("text", key));
  }

  private void write(InMemoryMemoryStore store, String key) {
    store.write(note(key), now()).block(PATIENCE);
  }

  private static List<String> keys(InMemoryMemoryStore store) {
    return store.search(MemoryQuery.ALL).map(MemoryItem::key).collectList().block(PATIENCE);
  }

  @Test
  @DisplayName("E24 no more items are kept than asked for: those that were not used for longest go")
  void boundedItems() {
    InMemoryMemoryStore store =
        InMemoryMemoryStore.builder().clock(clock).maxItems(3).build();
    for (String key : List.of("a", "b", "c")) {
      write(store, key);
    }
    store.get(NOTES, "a").block(PATIENCE);
    write(store, "b");

    write(store, "d");
    assertThat(keys(store)).containsExactly("a", "b", "d");
    assertThat(keys(store)).as("to be found is no use").containsExactly("a", "b", "d");
    write(store, "e");
    assertThat(keys(store)).containsExactly("b", "d", "e");
    assertThat(store.get(NOTES, "a").blockOptional(PATIENCE)).isEmpty();
  }

  @Test
  @DisplayName("E24 whoever's items had to go, it is known what was applied")
  void unboundedMarkers() {
    InMemoryMemoryStore store =
        InMemoryMemoryStore.builder().clock(clock).maxItems(1).build();
    List<Outbox> outboxes = IntStream.range(0, 1_000)
        .mapToObj(thread ->
            new Outbox(new Writer("t" + thread, 1, 1), now(), List.of(note("k" + thread))))
        .toList();
    for (Outbox outbox : outboxes) {
      assertThat(store.apply(outbox).block(PATIENCE)).isTrue();
    }

    for (Outbox outbox : outboxes) {
      assertThat(store.apply(outbox).block(PATIENCE)).isFalse();
    }
    assertThat(keys(store)).containsExactly("k999");
  }

  @Test
  @DisplayName("E24 an outbox larger than the store leaves what it wrote last")
  void outboxBeyondTheBound() {
    InMemoryMemoryStore store =
        InMemoryMemoryStore.builder().clock(clock).maxItems(2).build();
    write(store, "x");

    List<MemoryWrite> writes = List.of(note("a"), note("b"), note("c"), note("a"));
    store.apply(new Outbox(new Writer("t", 1, 1), now(), writes)).block(PATIENCE);

    assertThat(keys(store)).containsExactly("a", "c");
  }

  @Test
  @DisplayName("E24 a search shows outboxes as wholes")
  void searchIsASnapshot() {
    InMemoryMemoryStore store = new InMemoryMemoryStore();
    Mono<Void> writing = Flux.range(1, 300)
        .concatMap(number -> store.apply(new Outbox(
            new Writer("t", number, 1),
            Instant.EPOCH,
            List.of(
                MemoryWrite.put(NOTES, "a", Map.of("number", number)),
                MemoryWrite.put(NOTES.child("b"), "z", Map.of("number", number))))))
        .then()
        .subscribeOn(Schedulers.boundedElastic());
    Flux<List<Object>> reading = Flux.range(0, 300)
        .concatMap(round -> store
            .search(MemoryQuery.ALL)
            .map(item -> item.value().get("number"))
            .collectList())
        .subscribeOn(Schedulers.boundedElastic());

    List<List<Object>> seen = Flux.merge(writing.thenMany(Flux.empty()), reading, reading)
        .collectList()
        .block(PATIENCE);

    assertThat(seen)
        .hasSize(600)
        .allSatisfy(
            numbers -> assertThat(List.copyOf(numbers).stream().distinct()).hasSizeLessThan(2));
  }

  @Test
  @DisplayName("E24 a search is not disturbed by what is written while it is delivered")
  void writtenMeanwhile() {
    InMemoryMemoryStore store = InMemoryMemoryStore.builder().clock(clock).build();
    write(store, "a");
    write(store, "c");

    StepVerifier.create(store.search(MemoryQuery.ALL).map(MemoryItem::key), 0)
        .expectSubscription()
        .thenRequest(1)
        .expectNext("a")
        .then(() -> write(store, "b"))
        .then(() -> store.write(MemoryWrite.remove(NOTES, "c"), now()).block(PATIENCE))
        .thenRequest(1)
        .expectNext("c")
        .expectComplete()
        .verify(PATIENCE);
    assertThat(keys(store)).containsExactly("a", "b");
  }

  @Test
  @DisplayName("E24 how large a value may be can be said")
  void valueSize() {
    InMemoryMemoryStore store =
        InMemoryMemoryStore.builder().clock(clock).maxValueSize(100).build();

    assertThat(store.maxValueSize()).isEqualTo(100);
    assertThat(new InMemoryMemoryStore().maxValueSize()).isEqualTo(1 << 20);
    write(store, "x".repeat(50));
    assertThatThrownBy(() -> write(store, "y".repeat(100)))
        .isInstanceOf(InvalidMemoryException.class)
        .hasMessageContaining("SG-432")
        .hasMessageContaining("the limit of the memory store is 100.");
    assertThat(keys(store)).hasSize(1);
  }

  @Test
  @DisplayName("E12 each option can be set once, to something that makes sense")
  void options() {
    assertThatIllegalStateException()
        .isThrownBy(() -> InMemoryMemoryStore.builder().maxItems(1).maxItems(2))
        .withMessage("maxItems was already set to 1.");
    assertThatIllegalStateException()
        .isThrownBy(() -> InMemoryMemoryStore.builder().clock(clock).clock(clock));
    assertThatIllegalStateException()
        .isThrownBy(() -> InMemoryMemoryStore.builder().maxValueSize(1).maxValueSize(2));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> InMemoryMemoryStore.builder().maxItems(0))
        .withMessage("maxItems must be at least 1, and was 0.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> InMemoryMemoryStore.builder().maxValueSize(-1));
  }
}
