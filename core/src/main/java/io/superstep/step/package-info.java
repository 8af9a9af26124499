/** The algorithm of a superstep as pure functions: what is due, and what follows from it. */
@NullMarked
package io.superstep.step;

import org.jspecify.annotations.NullMarked;
