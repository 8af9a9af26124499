package io.superstep.reactor;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import com.github.benmanes.caffeine.cache.Weigher;
import java.time.Duration;
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

  private static Caffeine<Object, Object> plain(@Nullable Duration ttl, Ticker ticker) {
    Caffeine<Object, Object> builder =
        Caffeine.newBuilder().executor(Runnable::run).ticker(ticker);
    return ttl == null ? builder : builder.expireAfterWrite(ttl);
  }
}
