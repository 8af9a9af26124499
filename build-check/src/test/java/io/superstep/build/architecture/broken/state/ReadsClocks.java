package io.superstep.build.architecture.broken.state;

import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.chrono.JapaneseDate;
import java.util.Date;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

@SuppressWarnings("JavaUtilDate") // It stands here to be refused by our rule as well.
final class ReadsClocks {
  Instant now() {
    return Instant.now();
  }

  Supplier<Instant> nowByReference() {
    return Instant::now;
  }

  JapaneseDate nowInAnotherCalendar() {
    return JapaneseDate.now(ZoneOffset.UTC);
  }

  Date newDate() {
    return new Date();
  }

  Supplier<Date> newDateByReference() {
    return Date::new;
  }

  Instant clock(Clock clock) {
    return clock.instant();
  }

  Instant instantSource(InstantSource source) {
    return source.instant();
  }

  long milliseconds() {
    return System.currentTimeMillis();
  }

  LongSupplier nanoseconds() {
    return System::nanoTime;
  }
}
