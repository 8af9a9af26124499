package io.superstep.build.architecture.broken.graph;

final class GraphImpl {}
