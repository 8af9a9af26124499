package io.superstep.graph;

/** What a node does when its turn comes. */
public sealed interface NodeBody {

  /** What the builder calls it. */
  String kind();

  /** It returns a publisher, which is subscribed to on the caller's thread. */
  record Reactive(ContextualAction action) implements NodeBody {

    @Override
    public String kind() {
      return "node";
    }
  }

  /** It is a plain, quick function, called on the caller's thread. */
  record Computed(ContextualComputation function) implements NodeBody {

    @Override
    public String kind() {
      return "compute";
    }
  }

  /** It is a function that may block, and is called where blocking is allowed. */
  record Blocking(ContextualComputation function) implements NodeBody {

    @Override
    public String kind() {
      return "blocking";
    }
  }

  /** It is a graph of its own. */
  record Nested(Subgraph subgraph) implements NodeBody {

    @Override
    public String kind() {
      return "subgraph";
    }
  }
}
