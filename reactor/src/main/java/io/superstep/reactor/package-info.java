/** When things happen: the one engine, and how it is called. */
@NullMarked
package io.superstep.reactor;

import org.jspecify.annotations.NullMarked;
