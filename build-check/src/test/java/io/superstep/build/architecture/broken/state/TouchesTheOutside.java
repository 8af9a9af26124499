package io.superstep.build.architecture.broken.state;

import java.io.InputStream;
import java.net.URI;
import java.nio.channels.Channel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

final class TouchesTheOutside {
  boolean file(Path path) {
    return Files.exists(path);
  }

  boolean channel(Channel channel) {
    return channel.isOpen();
  }

  InputStream stream() {
    return InputStream.nullInputStream();
  }

  URI network(String address) {
    return URI.create(address);
  }

  boolean process(Process process) {
    return process.isAlive();
  }

  ProcessBuilder processBuilder() {
    return new ProcessBuilder("true");
  }

  Optional<ProcessHandle> processHandle() {
    return ProcessHandle.of(1);
  }

  int runtime() {
    return Runtime.getRuntime().availableProcessors();
  }
}
