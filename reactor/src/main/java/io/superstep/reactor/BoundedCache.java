package io.superstep.reactor;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import com.github.benmanes.caffeine.cache.Weigher;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Makes caches that need no JVM thread of their own and go by a clock that is given. */
final class BoundedCache {

  private BoundedCache() {}

  /**
   * @param ttl how long an entry is kept after it was written; null for as long as there is room
   */
  static <K, V> Cache<K, V> of(long most, @Nullable Duration ttl, Ticker ticker) {
    return plain(ttl, ticker).maximumSize(most).build();
  }

  /**
   * As {@link #of}, by what the entries weigh together.
   *
   * @param weigher what an entry weighs when it is put in
   */
  static <K, V> Cache<K, V> weighed(
      long most, Weigher<K, V> weigher, @Nullable Duration ttl, Ticker ticker) {
    return plain(ttl, ticker).maximumWeight(most).weigher(weigher).build();
  }

  /**
   * As {@link #of}, but for entries that must stay. Whether an entry must is asked when it is
   * written, also with the value it had.
   *
   * @param counts whether an entry is one of those of which there may be only so many
   * @param ages whether an entry may get too old
   */
  static <K, V> Cache<K, V> pinning(
      long most, Predicate<V> counts, Predicate<V> ages, @Nullable Duration ttl, Ticker ticker) {
    Duration time = ttl == null ? Duration.ofNanos(Long.MAX_VALUE) : ttl;
    return plain(null, ticker)
        .maximumWeight(most)
        .weigher((K key, V value) -> counts.test(value) ? 1 : 0)
        .expireAfter(Expiry.<K, V>writing(
            (key, value) -> ages.test(value) ? time : Duration.ofNanos(Long.MAX_VALUE)))
        .build();
  }

  private static Caffeine<Object, Object> plain(@Nullable Duration ttl, Ticker ticker) {
    Caffeine<Object, Object> builder =
        Caffeine.newBuilder().executor(Runnable::run).ticker(ticker);
    return ttl == null ? builder : builder.expireAfterWrite(ttl);
  }
}
