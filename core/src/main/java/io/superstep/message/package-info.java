/** What people, models and tools say to each other. */
@NullMarked
package io.superstep.message;

import org.jspecify.annotations.NullMarked;
