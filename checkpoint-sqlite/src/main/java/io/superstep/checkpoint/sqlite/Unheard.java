package io.superstep.checkpoint.sqlite;

import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** Lets something happen that nobody waits for; what goes wrong with it is told to Reactor. */
final class Unheard extends BaseSubscriber<Object> {

  private final SqliteDatabase database;

  Unheard(SqliteDatabase database) {
    this.database = database;
  }

  /** Does something that must not concern whoever does it, whatever comes of it. */
  static void safely(Runnable something) {
    try {
      something.run();
    } catch (RuntimeException | Error failure) {
      Operators.onErrorDropped(failure, Context.empty());
    }
  }

  @Override
  protected void hookOnError(Throwable failure) {
    if (!database.isClosed()) { // then it was too late, and is done the next time
      Operators.onErrorDropped(failure, currentContext());
    }
  }
}
