package io.superstep.state;

/** An update with the name of who wrote it: a node, or whoever acts from outside. */
public record Contribution(String writer, Update update) {}
