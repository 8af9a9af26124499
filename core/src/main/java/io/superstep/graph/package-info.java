/** What a graph is: nodes and the ways between them, checked once, shared and drawn. */
@NullMarked
package io.superstep.graph;

import org.jspecify.annotations.NullMarked;
