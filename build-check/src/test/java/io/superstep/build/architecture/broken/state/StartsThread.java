package io.superstep.build.architecture.broken.state;

final class StartsThread {
  void run() {
    new Thread(() -> {}).start();
  }
}
