/** The Maven and the Gradle build, read side by side and compared. */
@NullMarked
package io.superstep.build.gradle;

import org.jspecify.annotations.NullMarked;
