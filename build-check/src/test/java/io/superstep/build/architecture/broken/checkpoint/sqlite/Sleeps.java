package io.superstep.build.architecture.broken.checkpoint.sqlite;

final class Sleeps {
  void pause() throws InterruptedException {
    Thread.sleep(1);
  }
}
