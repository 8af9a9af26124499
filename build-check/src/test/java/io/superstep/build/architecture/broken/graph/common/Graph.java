package io.superstep.build.architecture.broken.graph.common;

final class Graph {}
