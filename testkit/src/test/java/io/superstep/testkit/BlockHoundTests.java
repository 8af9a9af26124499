package io.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import reactor.blockhound.BlockingOperationError;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The build's own proof that a blocking call on a thread that must not block fails a test. */
class BlockHoundTests {

  @Test
  void aBlockingCallOnAParallelThreadIsAnError() {
    Callable<String> blocking = () -> {
      Thread.sleep(1);
      return "slept";
    };

    assertThatThrownBy(
            () -> Mono.fromCallable(blocking).subscribeOn(Schedulers.parallel()).block())
        .hasCauseInstanceOf(BlockingOperationError.class);
  }
}
