package io.superstep.reactor;

import java.util.Objects;

/**
 * The store refused something that a nested run had to write down. That fails the whole run: no
 * node around has failed, so none is tried again, and no handler is asked.
 */
final class Refusal extends RuntimeException {

  private static final long serialVersionUID = 1L;

  Refusal(Throwable cause) {
    super(null, cause, false, false);
  }

  /** What the store said. */
  Throwable reason() {
    return Objects.requireNonNull(getCause());
  }
}
