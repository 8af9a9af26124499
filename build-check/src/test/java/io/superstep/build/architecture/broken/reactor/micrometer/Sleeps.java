package io.superstep.build.architecture.broken.reactor.micrometer;

public final class Sleeps {
  void pause() throws InterruptedException {
    Thread.sleep(1);
  }
}
