package io.superstep.checkpoint.redis;

/** What is done with a thread in one go. */
final class ThreadScripts {

  static final RedisScript ACQUIRE = thread("acquire");
  static final RedisScript RENEW = thread("renew");
  static final RedisScript RELEASE = thread("release");
  static final RedisScript REQUEST = thread("request");
  static final RedisScript COMMIT = thread("commit");
  static final RedisScript SNAPSHOT = thread("snapshot");
  static final RedisScript RECORD = thread("record");
  static final RedisScript NOTES = thread("notes");
  static final RedisScript ANSWER = thread("answer");
  static final RedisScript ENQUEUE = thread("enqueue");
  static final RedisScript WAITING = thread("waiting");
  static final RedisScript LOAD = thread("load");
  static final RedisScript PAGE = thread("page");
  static final RedisScript LINES = thread("lines");
  static final RedisScript STATUS = thread("status");
  static final RedisScript SETTLE = thread("settle");
  static final RedisScript REMOVE = thread("remove");
  static final RedisScript PRUNE = thread("prune");
  static final RedisScript FORGET = thread("forget");
  static final RedisScript EXPORT = thread("export");

  private ThreadScripts() {}

  /** Reads the scripts now, rather than on a delivery thread, which must not block. */
  static void load() {}

  private static RedisScript thread(String name) {
    return RedisScript.of("thread", name);
  }
}
