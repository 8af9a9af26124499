package io.superstep.build.architecture.broken.state;

final class Prints {
  void output() {
    System.out.println("state");
  }

  void error() {
    System.err.println("state");
  }

  void stackTrace(Exception exception) {
    exception.printStackTrace();
  }
}
