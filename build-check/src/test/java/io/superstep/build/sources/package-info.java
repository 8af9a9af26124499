/** The source files of the build. */
@NullMarked
package io.superstep.build.sources;

import org.jspecify.annotations.NullMarked;
