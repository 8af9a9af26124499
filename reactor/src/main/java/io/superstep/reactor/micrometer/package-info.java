/** What Micrometer sees of runs; needs {@code io.micrometer:micrometer-observation}. */
@NullMarked
package io.superstep.reactor.micrometer;

import org.jspecify.annotations.NullMarked;
