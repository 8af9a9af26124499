package io.superstep.build.architecture.broken.state;

import java.util.Properties;
import java.util.function.UnaryOperator;

final class AsksTheMachine {
  UnaryOperator<String> environment() {
    return System::getenv;
  }

  String property() {
    return System.getProperty("user.home", "");
  }

  Properties properties() {
    return System.getProperties();
  }
}
