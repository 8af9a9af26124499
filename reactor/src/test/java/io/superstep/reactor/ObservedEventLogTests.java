package io.superstep.reactor;

import io.superstep.event.EventLog;
import io.superstep.testkit.EventLogContract;

/** A log whose calls are observed keeps the contract. */
class ObservedEventLogTests extends EventLogContract {

  @Override
  protected EventLog log() {
    return new ObservedEventLog(
        new InMemoryEventLog(), new ObservedCalls(new RecordingObserver(), "events"));
  }
}
