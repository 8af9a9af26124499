/** Classes that each break one rule, so that the rule is seen to bite. */
@NullMarked
package io.superstep.build.architecture.broken.reactor.micrometer;

import org.jspecify.annotations.NullMarked;
