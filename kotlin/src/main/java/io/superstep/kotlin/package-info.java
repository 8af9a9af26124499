/** The Kotlin dialect: graphs as a DSL, suspending nodes, events as a {@code Flow}. */
@NullMarked
package io.superstep.kotlin;

import org.jspecify.annotations.NullMarked;
