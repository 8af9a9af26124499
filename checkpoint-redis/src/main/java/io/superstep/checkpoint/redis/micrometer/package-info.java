/** What Micrometer can see of Redis; all else works without it. */
@NullMarked
package io.superstep.checkpoint.redis.micrometer;

import org.jspecify.annotations.NullMarked;
