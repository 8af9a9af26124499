package io.superstep.reactor;

import io.superstep.error.Attribution;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The name of this process, which is the default owner of leases: the host name and the process id,
 * such as {@code web-7:4711}.
 *
 * <p>The host name is read from the environment or, on Linux, from the kernel. It is not resolved
 * by a name service, which could block. Without a usable name it is {@code localhost}.
 */
final class ProcessName {

  private static final Path KERNEL = Path.of("/proc/sys/kernel/hostname");

  /** The maximum length of a host name, which leaves room for a colon and any process id. */
  private static final int MAX_HOST = Attribution.MAX_OWNER_LENGTH - 20;

  private static final String NAME = of(
      List.of(
          () -> System.getenv("HOSTNAME"),
          () -> System.getenv("COMPUTERNAME"),
          ProcessName::kernelName),
      () -> ProcessHandle.current().pid());

  private ProcessName() {}

  /** Returns the name, which is determined once per JVM. */
  static String get() {
    return NAME;
  }

  /** Returns a name of the first usable one of {@code hosts}; never fails. */
  static String of(List<Supplier<@Nullable String>> hosts, LongSupplier process) {
    String suffix = suffix(process);
    for (Supplier<@Nullable String> host : hosts) {
      String name = nameOrNull(host, suffix);
      if (name != null) {
        return name;
      }
    }
    return "localhost" + suffix;
  }

  private static String suffix(LongSupplier process) {
    try {
      return ":" + process.getAsLong();
    } catch (RuntimeException refused) { // by a security manager, or not supported
      return "";
    }
  }

  private static @Nullable String nameOrNull(Supplier<@Nullable String> host, String suffix) {
    try {
      String found = host.get();
      String name = found == null ? "" : found.strip();
      return name.isEmpty()
          ? null
          : Attribution.owner(name.substring(0, Math.min(name.length(), MAX_HOST)) + suffix);
    } catch (RuntimeException unusable) {
      return null;
    }
  }

  private static String kernelName() {
    try {
      return Files.readString(KERNEL);
    } catch (IOException notLinux) {
      throw new UncheckedIOException(notLinux);
    }
  }
}
