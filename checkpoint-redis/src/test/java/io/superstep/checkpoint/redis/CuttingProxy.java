package io.superstep.checkpoint.redis;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Stands between a client and Redis, and cuts the line at the command that a test names. */
final class CuttingProxy implements AutoCloseable {

  /** What becomes of a command. */
  enum Fate {
    /** It is passed on, and so is its reply. */
    PASSES,
    /** The line is cut, and Redis never hears of it. */
    NEVER_ARRIVES,
    /** The same, as by a server that takes its leave. */
    IS_HUNG_UP_ON,
    /** Half of it arrives, then the line is cut. */
    BREAKS_OFF,
    /** Redis does it, and the line is cut before the reply is there. */
    IS_NOT_ANSWERED,
    /** Redis never hears of it, and the line stays: as if it were slow for ever. */
    HANGS,
    /** It is refused as by a server that has just been started. */
    IS_TOO_EARLY
  }

  private static final Set<Fate> CUTTING =
      EnumSet.of(Fate.NEVER_ARRIVES, Fate.IS_HUNG_UP_ON, Fate.BREAKS_OFF, Fate.IS_NOT_ANSWERED);
  private static final byte[] LOADING =
      "-LOADING Redis is loading the dataset in memory\r\n".getBytes(StandardCharsets.US_ASCII);

  private final ServerSocket server;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile Function<String, Fate> fates = command -> Fate.PASSES;
  private volatile int target;
  private volatile boolean closed;

  CuttingProxy(int target) {
    this.target = target;
    try {
      this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** Who connects from now on is led to another server. */
  void redirect(int other) {
    target = other;
  }

  /**
   * From now on the fate of each command, by its name in capitals and what comes first behind it.
   * The line stands still until that is decided.
   */
  void decide(Function<String, Fate> next) {
    fates = next;
  }

  /** Cuts all lines there are. */
  void cut() {
    open.forEach(CuttingProxy::reset);
  }

  private void accept() {
    while (!closed) {
      try {
        Socket client = server.accept();
        Socket redis = new Socket(InetAddress.getLoopbackAddress(), target);
        client.setTcpNoDelay(true);
        redis.setTcpNoDelay(true);
        open.add(client);
        open.add(redis);
        start(() -> pump(client, redis));
        start(() -> answer(redis, client));
      } catch (IOException over) {
        // whoever connects is turned away, or we were closed
      }
    }
  }

  private void pump(Socket client, Socket redis) {
    try {
      InputStream in = new BufferedInputStream(client.getInputStream());
      OutputStream out = redis.getOutputStream();
      for (byte[] command = next(in); command.length > 0; command = next(in)) {
        Fate fate = fates.apply(name(command));
        switch (fate) {
          case PASSES -> out.write(command);
          case BREAKS_OFF -> out.write(command, 0, command.length / 2);
          case IS_HUNG_UP_ON -> client.close();
          case IS_TOO_EARLY -> client.getOutputStream().write(LOADING);
          case IS_NOT_ANSWERED -> {
            open.remove(client); // so that the answer finds nobody
            reset(client);
            out.write(command);
            out.flush();
            settle(redis);
          }
          default -> {}
        }
        out.flush();
        if (CUTTING.contains(fate)) {
          break;
        }
      }
    } catch (IOException over) {
      // either side has gone
    } finally {
      reset(client);
      reset(redis);
    }
  }

  /** Redis does what it has read when it reads the end of the line. */
  private static void settle(Socket redis) throws IOException {
    redis.shutdownOutput();
    InputStream rest = redis.getInputStream();
    while (rest.read() >= 0) {
      // until Redis closes
    }
  }

  private static void answer(Socket redis, Socket client) {
    byte[] buffer = new byte[1 << 16];
    try {
      InputStream in = redis.getInputStream();
      OutputStream out = client.getOutputStream();
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        out.write(buffer, 0, length);
        out.flush();
      }
      reset(client);
    } catch (IOException over) {
      // either side has gone
    }
  }

  /** One command as it stands; nothing at the end. */
  private static byte[] next(InputStream in) throws IOException {
    ByteArrayOutputStream command = new ByteArrayOutputStream();
    int parts = number(in, command);
    for (int part = 0; part < parts; part++) {
      int length = number(in, command) + 2;
      command.write(in.readNBytes(length));
    }
    return command.toByteArray();
  }

  private static int number(InputStream in, ByteArrayOutputStream copy) throws IOException {
    StringBuilder digits = new StringBuilder();
    for (int each = in.read(); each >= 0; each = in.read()) {
      copy.write(each);
      if (each == '\n') {
        return Integer.parseInt(digits.substring(1).strip());
      }
      digits.append((char) each);
    }
    copy.reset();
    return 0;
  }

  private static String name(byte[] command) {
    String[] parts = new String(command, StandardCharsets.ISO_8859_1).split("\r\n", 6);
    String name = parts[2].toUpperCase(Locale.ROOT);
    return parts.length > 5 ? name + " " + parts[4] : name;
  }

  private static void reset(Socket socket) {
    try {
      if (!socket.isClosed()) {
        socket.setSoLinger(true, 0); // a reset, and no polite end
        socket.close();
      }
    } catch (IOException gone) {
      // that is what was wanted
    }
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "cutting-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    closed = true;
    try {
      server.close();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    cut();
  }
}
