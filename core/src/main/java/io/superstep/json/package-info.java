/** How state becomes text that lasts, and text becomes state again. */
@NullMarked
package io.superstep.json;

import org.jspecify.annotations.NullMarked;
