/** What went wrong, where, and how to put it right. */
@NullMarked
package io.superstep.error;

import org.jspecify.annotations.NullMarked;
