package io.superstep.build.architecture.broken.reactor;

final class Sleeps {
  void pause() throws InterruptedException {
    Thread.sleep(1);
  }
}
