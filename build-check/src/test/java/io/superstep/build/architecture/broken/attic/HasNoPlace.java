package io.superstep.build.architecture.broken.attic;

final class HasNoPlace {}
