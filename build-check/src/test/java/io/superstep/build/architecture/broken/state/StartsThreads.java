package io.superstep.build.architecture.broken.state;

import java.util.Timer;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

final class StartsThreads {
  void thread() {
    new Thread(() -> {}).start();
  }

  Executor executor() {
    return Executors.newSingleThreadExecutor();
  }

  void timer(Timer timer) {
    timer.cancel();
  }
}
