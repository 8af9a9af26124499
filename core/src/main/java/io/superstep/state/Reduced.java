package io.superstep.state;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says how writes to the channel of a record component are folded; without it the last value is
 * kept.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Reduced {

  By value();

  /** The ways of folding that a record component can choose from. */
  enum By {
    /** Numbers are added, texts joined, lists concatenated. */
    ADD,
    /** As {@link Channel#messages}. */
    MESSAGES,
    /** As {@link Channel#set}. */
    UNION,
    /** As {@link Channel#map}. */
    MERGE,
    /** As {@link Channel#deepMap}. */
    MERGE_DEEP,
    /** As {@link Channel#lastWins}. */
    LAST_WINS,
    /** As {@link Channel#writeOnce}. */
    WRITE_ONCE
  }
}
