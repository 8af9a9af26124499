/** The papers, held to what they say. */
@NullMarked
package io.superstep.build.docs;

import org.jspecify.annotations.NullMarked;
