/** The promise that a test which was written is also run. */
@NullMarked
package io.superstep.build.surefire;

import org.jspecify.annotations.NullMarked;
