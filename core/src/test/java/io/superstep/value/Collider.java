package io.superstep.value;

/** A key of which many have the same hash: {@code mask} says which bits of the id count. */
record Collider(int id, int mask) {

  @Override
  public int hashCode() {
    return id & mask;
  }
}
