package io.superstep.checkpoint.sqlite;

import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** Lets something happen that nobody waits for; what goes wrong with it is told to Reactor. */
final class Unheard extends BaseSubscriber<Object> {

  private final SqliteDatabase database;

  Unheard(SqliteDatabase database) {
    this.database = database;
  }

  /**
   * Calls somebody back, whatever comes of it: the JVM threads of a file go on with what others
   * have asked for.
   *
   * @param context that of whoever is called, which may say where errors go
   */
  static void safely(ContextView context, Runnable call) {
    try {
      call.run();
    } catch (Throwable thrown) { // also what nobody has declared, as in Kotlin
      drop(context, thrown);
    }
  }

  /** Tells Reactor what nobody else can be told. */
  static void drop(ContextView context, Throwable thrown) {
    try {
      Operators.onErrorDropped(thrown, Context.of(context));
    } catch (Throwable bubbled) { // there are hooks that throw what they are told
      Thread current = Thread.currentThread();
      current.getUncaughtExceptionHandler().uncaughtException(current, bubbled);
    }
  }

  @Override
  protected void hookOnError(Throwable failure) {
    if (!database.isClosed()) { // then it was too late, and is done the next time
      Operators.onErrorDropped(failure, currentContext());
    }
  }
}
