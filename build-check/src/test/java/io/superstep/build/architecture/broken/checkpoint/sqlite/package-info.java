/** Classes that each break one rule, so that the rule is seen to bite. */
@NullMarked
package io.superstep.build.architecture.broken.checkpoint.sqlite;

import org.jspecify.annotations.NullMarked;
