package io.superstep.checkpoint.redis;

import io.superstep.event.EventLog;
import io.superstep.testkit.EventLogContract;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

class RedisEventLogTests extends EventLogContract {

  private final List<RedisSpace> spaces = new ArrayList<>();

  RedisSpace.Builder space() {
    return RedisSpace.builder(RedisServers.standalone());
  }

  @Override
  protected EventLog log() {
    RedisSpace space = space().prefix(RedisServers.newPrefix()).build();
    spaces.add(space);
    return RedisEventLog.of(space);
  }

  @AfterEach
  void close() {
    spaces.forEach(RedisSpace::close);
  }
}
