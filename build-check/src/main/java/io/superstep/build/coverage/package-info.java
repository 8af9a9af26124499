/** How much of each module its tests have seen. */
@NullMarked
package io.superstep.build.coverage;

import org.jspecify.annotations.NullMarked;
