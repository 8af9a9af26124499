package io.superstep.build.architecture.broken.graph.impl;

final class Graph {}
