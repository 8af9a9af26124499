package io.superstep.checkpoint.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

/**
 * What Redis does in one go: a script, and the digest by which Redis knows it.
 *
 * <p>A script makes all its checks before its first write, as Redis takes nothing back.
 */
record RedisScript(String name, String text, String digest) {

  /** The script in the file {@code name}, after the functions in the file {@code shared}. */
  static RedisScript of(String shared, String name) {
    String text = read(shared) + read(name);
    return new RedisScript(name, text, sha1(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static String read(String name) {
    try (InputStream file =
        Objects.requireNonNull(RedisScript.class.getResourceAsStream(name + ".lua"), name)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  static String sha1(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }
}
