package io.superstep.build.architecture.broken.state;

final class Prints {
  void print() {
    System.out.println("state");
  }
}
