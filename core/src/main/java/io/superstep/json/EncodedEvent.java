package io.superstep.json;

/** An event as it is to be stored. */
public final class EncodedEvent {

  private final long number;
  private final byte[] bytes;
  private final boolean keyFrame;
  private final Footing footing;

  EncodedEvent(long number, byte[] bytes, boolean keyFrame, Footing footing) {
    this.number = number;
    this.bytes = bytes;
    this.keyFrame = keyFrame;
    this.footing = footing;
  }

  /** The number of the event. */
  public long number() {
    return number;
  }

  /** What is to be stored; whoever gets it may keep it. */
  public byte[] bytes() {
    return bytes;
  }

  /**
   * Whether neither this event nor any behind it builds on one before it. Whoever wants to read
   * from a cursor on begins with the last key frame that is not behind the next fact; and what is
   * trimmed has to be kept from the last key frame on that is not behind the first fact that stays.
   */
  public boolean isKeyFrame() {
    return keyFrame;
  }

  /** What the next event can build on, once this one was appended. */
  public Footing footing() {
    return footing;
  }
}
