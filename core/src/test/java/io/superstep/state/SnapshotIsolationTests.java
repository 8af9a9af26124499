package io.superstep.state;

import static io.superstep.state.StateTests.fold;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Old snapshots are read, and folded again, by many threads while new ones are made. */
@Timeout(20)
class SnapshotIsolationTests {

  private static final int READERS = 6;
  private static final int STEPS = 300;

  private static final ListChannel<Integer> LOG = Channel.list("log", Integer.class);
  private static final ListChannel<Message> CHAT = Channel.messages("chat");
  private static final ListChannel<Integer> NEWEST =
      Channel.newestByKey("newest", Integer.class, number -> number % 50, number -> number);
  private static final Channel<Set<Integer>> SEEN = Channel.set("seen", Integer.class);
  private static final Channel<Map<String, @Nullable Object>> TREE = Channel.deepMap("tree");
  private static final StateSchema SCHEMA = StateSchema.of(LOG, CHAT, NEWEST, SEEN, TREE);

  private final ExecutorService threads = Executors.newFixedThreadPool(READERS + 2);

  @AfterEach
  void stop() throws InterruptedException {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
  }

  /** What step {@code i} writes; everything a snapshot holds follows from its number. */
  private static Update step(int i) {
    return Update.append(LOG, i)
        .and(Update.append(CHAT, chat(i)))
        .and(Update.append(NEWEST, i))
        .and(SEEN, Set.of(i / 2))
        .and(TREE, Map.of("k" + i % 10, Map.of("v", i)));
  }

  /** Every third step replaces the message of the step before. */
  private static Message chat(int i) {
    return Message.human("said in " + i).withId("m" + (i % 3 == 2 ? i - 1 : i));
  }

  /** The state after {@code steps} steps, with what is wrong about it, if anything is. */
  private record Snapshot(int steps, State state) {

    @Nullable
    String wrong() {
      List<Integer> log = state.get(LOG);
      if (log.size() != steps) {
        return "log of " + steps + " holds " + log.size();
      }
      int next = 0;
      for (int number : log) {
        if (number != next || log.get(next) != next) {
          return "log of " + steps + " holds " + number + " at " + next;
        }
        next++;
      }
      int replaced = steps / 3;
      List<Message> chat = state.get(CHAT);
      if (chat.size() != steps - replaced) {
        return "chat of " + steps + " holds " + chat.size();
      }
      if (steps > 0 && !chat.get(chat.size() - 1).content().equals("said in " + (steps - 1))) {
        return "chat of " + steps + " ends with " + chat.get(chat.size() - 1);
      }
      List<Integer> newest = state.get(NEWEST);
      for (int i = 0; i < newest.size(); i++) {
        if (newest.get(i) != Math.max(0, steps - 50) + i) {
          return "newest of " + steps + " holds " + newest.get(i) + " at " + i;
        }
      }
      if (newest.size() != Math.min(50, steps)) {
        return "newest of " + steps + " holds " + newest.size();
      }
      if (state.get(SEEN).size() != (steps + 1) / 2
          || (steps > 0 && !state.get(SEEN).contains((steps - 1) / 2))) {
        return "seen of " + steps + " holds " + state.get(SEEN);
      }
      if (steps > 0
          && !state.get(TREE).get("k" + (steps - 1) % 10).equals(Map.of("v", steps - 1))) {
        return "tree of " + steps + " holds " + state.get(TREE);
      }
      return null;
    }
  }

  @Test
  void everyReaderSeesTheContentsOfItsOwnSnapshotWhileFoldsGoOn() throws Exception {
    List<Snapshot> made = new ArrayList<>();
    AtomicReference<List<Snapshot>> published =
        new AtomicReference<>(List.of(new Snapshot(0, SCHEMA.start())));
    AtomicBoolean done = new AtomicBoolean();
    ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    CountDownLatch ready = new CountDownLatch(READERS);
    List<Future<Integer>> readers = new ArrayList<>();
    for (int reader = 0; reader < READERS; reader++) {
      int seed = reader;
      readers.add(threads.submit(() -> {
        java.util.Random random = new java.util.Random(seed);
        int read = 0;
        ready.countDown();
        do {
          List<Snapshot> snapshots = published.get();
          Snapshot snapshot = snapshots.get(random.nextInt(snapshots.size()));
          // Half of the readers fold as well: looking up ids fills the index of a shared snapshot.
          Snapshot checked = seed % 2 == 0
              ? snapshot
              : new Snapshot(snapshot.steps() + 1, fold(snapshot.state(), step(snapshot.steps())));
          String complaint = checked.wrong();
          if (complaint != null) {
            wrong.add(complaint);
          }
          read++;
        } while (!done.get());
        return read;
      }));
    }

    ready.await();
    State state = SCHEMA.start();
    for (int i = 0; i < STEPS; i++) {
      made.add(new Snapshot(i, state));
      published.set(List.copyOf(made));
      state = fold(state, step(i));
    }
    done.set(true);
    for (Future<Integer> reader : readers) {
      assertThat(reader.get()).isPositive();
    }

    assertThat(wrong).isEmpty();
    for (Snapshot snapshot : made) {
      assertThat(snapshot.wrong()).isNull();
    }
    assertThat(new Snapshot(STEPS, state).wrong()).isNull();
  }

  /** An equal state whose lists are new, without an index. */
  private static State rebuilt(State state) {
    return fold(
        SCHEMA.start(),
        Update.overwrite(CHAT, new ArrayList<>(state.get(CHAT)))
            .and(Update.overwrite(NEWEST, new ArrayList<>(state.get(NEWEST))))
            .and(LOG, state.get(LOG))
            .and(SEEN, state.get(SEEN))
            .and(TREE, state.get(TREE)));
  }

  @Test
  void manyThreadsThatFoldTheSameSnapshotAllGetTheSame() throws Exception {
    State shared = SCHEMA.start();
    for (int i = 0; i < 200; i++) {
      shared = fold(shared, step(i));
    }
    State base = shared;

    for (int round = 0; round < 50; round++) {
      // Rebuilt in each round, so that the threads race for an index that nobody has built yet.
      State fresh = rebuilt(base);
      CountDownLatch start = new CountDownLatch(1);
      Callable<State> folding = () -> {
        start.await();
        return fold(
            fresh, Update.append(CHAT, chat(101), chat(200)).and(Update.append(NEWEST, 200, 3)));
      };
      List<Future<State>> folds = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        folds.add(threads.submit(folding));
      }
      start.countDown();

      State expected =
          fold(base, Update.append(CHAT, chat(101), chat(200)).and(Update.append(NEWEST, 200, 3)));
      for (Future<State> folded : folds) {
        assertThat(folded.get().equals(expected)).isTrue();
      }
      assertThat(fresh.equals(base)).isTrue();
    }
  }
}
