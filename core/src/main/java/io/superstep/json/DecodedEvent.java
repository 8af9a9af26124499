package io.superstep.json;

import io.superstep.event.GraphEvent;

/**
 * An event that was read.
 *
 * @param footing on which the next one is read
 */
public record DecodedEvent(GraphEvent event, Footing footing) {}
