/** What a test of a graph, a node or a store leans on. */
@NullMarked
package io.superstep.testkit;

import org.jspecify.annotations.NullMarked;
