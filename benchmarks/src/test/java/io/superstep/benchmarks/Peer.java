package io.superstep.benchmarks;

/** Where a peer comes from, as its archive says. */
final class Peer {

  private Peer() {}

  /** The name of the archive that {@code type} was loaded from, which ends with its version. */
  static String archiveOf(Class<?> type) {
    String path = type.getProtectionDomain().getCodeSource().getLocation().getPath();
    return path.substring(path.lastIndexOf('/') + 1).replace(".jar", "");
  }
}
