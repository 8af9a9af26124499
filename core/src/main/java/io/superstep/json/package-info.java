/** How state becomes text that lasts, and state again; and how events become text to be seen. */
@NullMarked
package io.superstep.json;

import org.jspecify.annotations.NullMarked;
