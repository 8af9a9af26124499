/**
 * The architecture page as something that runs: the rules, the proof that they hold, and the proof
 * that they bite.
 */
@NullMarked
package io.superstep.build.architecture;

import org.jspecify.annotations.NullMarked;
