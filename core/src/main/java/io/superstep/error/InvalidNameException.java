package io.superstep.error;

/**
 * Thrown if a name, a reason, a thread id or an owner of leases is missing or cannot be stored;
 * nothing was written.
 */
public final class InvalidNameException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  InvalidNameException(String what, String violation, String fix) {
    super(new Problem("SG-417", "The " + what + " " + violation + ".", "the " + what, fix), null);
  }
}
