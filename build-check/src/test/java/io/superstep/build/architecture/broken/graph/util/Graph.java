package io.superstep.build.architecture.broken.graph.util;

final class Graph {}
