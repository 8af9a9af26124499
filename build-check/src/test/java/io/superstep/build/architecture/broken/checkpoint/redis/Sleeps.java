package io.superstep.build.architecture.broken.checkpoint.redis;

final class Sleeps {
  void pause() throws InterruptedException {
    Thread.sleep(1);
  }
}
