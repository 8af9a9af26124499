package io.superstep.reactor;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Locale;
import reactor.util.Logger;

/**
 * A logger of Reactor that keeps its lines: level, name and message with its arguments, and the
 * class of a logged exception.
 */
final class RecordingLogger {

  private RecordingLogger() {}

  static Logger of(String name, List<String> lines) {
    return (Logger) Proxy.newProxyInstance(
        Logger.class.getClassLoader(),
        new Class<?>[] {Logger.class},
        (proxy, method, arguments) -> {
          if (method.getName().equals("getName")) {
            return name;
          }
          if (method.getReturnType() == boolean.class) {
            return true;
          }
          String message = (String) arguments[0];
          if (arguments.length > 1 && arguments[1] instanceof Object[] parts) {
            for (Object part : parts) {
              message = message.replaceFirst("\\{}", String.valueOf(part));
            }
          }
          if (arguments.length > 1 && arguments[1] instanceof Throwable error) {
            message += " + " + error.getClass().getSimpleName();
          }
          lines.add(method.getName().toUpperCase(Locale.ROOT) + " " + name + ": " + message);
          return null;
        });
  }
}
