package io.superstep.value;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.RandomAccess;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A list that cannot change and shares what it has in common with the lists made from it.
 *
 * <p>The elements stand in leaves of 32, all full but the last, the <em>tail</em>. The full leaves
 * hang in a trie of width 32. Replacing copies one path. The tail may have room behind the last
 * element: whoever appends first to the longest list that has this tail writes there, and others
 * copy it. So an older list never sees more than its own contents, and appending copies nothing
 * most of the time, and once in 32 times the path to the tail. Both cost the same whether the list
 * holds ten elements or a million.
 *
 * <p>A room that nobody has taken holds null, and is taken by compare-and-set. A null that is an
 * element would look like one, so it is only ever written to a tail that nobody else has.
 *
 * @param <E> what it holds
 */
public final class FrozenList<E extends @Nullable Object> extends AbstractList<E>
    implements RandomAccess {

  private static final int BITS = 5;
  private static final int WIDTH = 1 << BITS;
  private static final int MASK = WIDTH - 1;
  private static final @Nullable Object[] NO_LEAVES = {};

  /** How much room a tail has that is copied for the first time. */
  private static final int SMALLEST_ROOM = 4;

  private static final VarHandle ROOM = MethodHandles.arrayElementVarHandle(Object[].class);

  private final ValueType<?> type;
  private final int size;

  /** How many containers stand in each other, this one included. */
  private final int depth;

  /** About how many bytes all of it takes in storage; what stands there twice counts twice. */
  private final long weight;

  /** How far a position is shifted right to find its child of the root. */
  private final int shift;

  private final @Nullable Object[] root;
  private final @Nullable Object[] tail;

  /**
   * What is known of the keys of a prefix; a cache, so that racing threads at worst build it twice.
   */
  private @Nullable Keys<E> keys;

  private FrozenList(
      ValueType<?> type,
      int size,
      int depth,
      long weight,
      int shift,
      @Nullable Object[] root,
      @Nullable Object[] tail,
      @Nullable Keys<E> keys) {
    this.type = type;
    this.size = size;
    this.depth = depth;
    this.weight = weight;
    this.shift = shift;
    this.root = root;
    this.tail = tail;
    this.keys = keys;
  }

  /**
   * The list of {@code elements}, which are trusted to be frozen already; the array is given away.
   */
  static <E extends @Nullable Object> FrozenList<E> ofFrozen(
      ValueType<?> type, @Nullable Object[] elements) {
    int size = elements.length;
    int depth = deepest(1, elements, 0, size);
    long weight = heaviest(Freezing.CONTAINER, elements, 0, size);
    if (size <= WIDTH) {
      return new FrozenList<>(type, size, depth, weight, BITS, NO_LEAVES, elements, null);
    }
    int inTail = ((size - 1) & MASK) + 1;
    @Nullable Object[] tail = Arrays.copyOfRange(elements, size - inTail, size);
    @Nullable Object[] level = grouped(elements, size - inTail);
    int shift = BITS;
    while (level.length > WIDTH) {
      level = grouped(level, level.length);
      shift += BITS;
    }
    return new FrozenList<>(type, size, depth, weight, shift, level, tail, null);
  }

  private static int deepest(int depth, @Nullable Object[] elements, int from, int count) {
    int deepest = depth;
    for (int i = from; i < from + count; i++) {
      deepest = Math.max(deepest, Freezing.depth(elements[i]) + 1);
    }
    return deepest;
  }

  private static long heaviest(long weight, @Nullable Object[] elements, int from, int count) {
    long total = weight + (long) Freezing.ELEMENT * count;
    for (int i = from; i < from + count; i++) {
      total += Freezing.weight(elements[i]);
    }
    return total;
  }

  private static @Nullable Object[] grouped(@Nullable Object[] below, int length) {
    @Nullable Object[] groups = new @Nullable Object[(length + MASK) >>> BITS];
    for (int group = 0; group < groups.length; group++) {
      groups[group] =
          Arrays.copyOfRange(below, group << BITS, Math.min(length, (group + 1) << BITS));
    }
    return groups;
  }

  /** The type under which the elements were checked and frozen. */
  ValueType<?> type() {
    return type;
  }

  /** The same elements under a type that allows more. */
  FrozenList<E> as(ValueType<?> wider) {
    return type.equals(wider)
        ? this
        : new FrozenList<>(wider, size, depth, weight, shift, root, tail, keys);
  }

  int depth() {
    return depth;
  }

  long weight() {
    return weight;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public E get(int position) {
    if (position < 0 || position >= size) {
      throw new IndexOutOfBoundsException(
          "Position " + position + " is out of bounds of a list of size " + size + ".");
    }
    return Freezing.handOut(leaf(position)[position & MASK]);
  }

  /** What is in {@code lists}, which hold the same type, one after the other. */
  public static <E extends @Nullable Object> FrozenList<E> concat(List<FrozenList<E>> lists) {
    int size = 0;
    for (FrozenList<E> list : lists) {
      size += list.size;
    }
    @Nullable Object[] all = new @Nullable Object[size];
    int next = 0;
    for (FrozenList<E> list : lists) {
      next = list.copyTo(all, next);
    }
    return ofFrozen(lists.get(0).type, all);
  }

  /** This list with {@code more} behind it. */
  public FrozenList<E> append(Collection<? extends E> more) {
    if (more.isEmpty()) {
      return this;
    }
    @Nullable Object[] added = frozen(more);
    if (added.length > size) {
      @Nullable Object[] all = Arrays.copyOf(rawArray(), size + added.length);
      System.arraycopy(added, 0, all, size, added.length);
      return ofFrozen(type, all);
    }
    FrozenList<E> grown = this;
    for (int taken = 0; taken < added.length; ) {
      int fits = Math.min(WIDTH - (grown.size & MASK), added.length - taken);
      grown = grown.appended(added, taken, fits);
      taken += fits;
    }
    return grown;
  }

  /** Whether this list begins with all of {@code prefix}; what both share is not looked at. */
  public boolean startsWith(FrozenList<?> prefix) {
    if (prefix.size > size) {
      return false;
    }
    for (int position = 0; position < prefix.size; position += WIDTH) {
      @Nullable Object[] ours = leaf(position);
      @Nullable Object[] theirs = prefix.leaf(position);
      int count = Math.min(WIDTH, prefix.size - position);
      for (int index = 0; ours != theirs && index < count; index++) {
        if (!ValueType.same(ours[index], theirs[index])) {
          return false;
        }
      }
    }
    return true;
  }

  /** This list with other elements at some of its positions. */
  public FrozenList<E> replace(SortedMap<Integer, ? extends E> byPosition) {
    FrozenList<E> list = this;
    for (var entry : byPosition.entrySet()) {
      list = list.with(entry.getKey(), entry.getValue());
    }
    return list;
  }

  /** This list with what {@code change} makes of each element in its place. */
  public FrozenList<E> map(UnaryOperator<E> change) {
    @Nullable Object[] changed = rawArray();
    for (int i = 0; i < changed.length; i++) {
      E element = change.apply(Freezing.handOut(changed[i]));
      changed[i] = type.element().freeze(element, Long.MAX_VALUE);
    }
    return ofFrozen(type, changed);
  }

  /** This list without some of its positions. */
  public FrozenList<E> remove(SortedSet<Integer> positions) {
    if (!positions.isEmpty() && (positions.first() < 0 || positions.last() >= size)) {
      throw new IndexOutOfBoundsException(
          "Position " + positions + " is out of bounds of a list of size " + size + ".");
    }
    @Nullable Object[] kept = new @Nullable Object[size - positions.size()];
    @Nullable Object[] all = rawArray();
    int next = 0;
    for (int position = 0; position < size; position++) {
      if (!positions.contains(position)) {
        kept[next++] = all[position];
      }
    }
    return ofFrozen(type, kept);
  }

  /** This list with more elements, each at the position it has in the new list. */
  public FrozenList<E> insert(SortedMap<Integer, ? extends E> byPosition) {
    int length = size + byPosition.size();
    if (!byPosition.isEmpty() && (byPosition.firstKey() < 0 || byPosition.lastKey() >= length)) {
      throw new IndexOutOfBoundsException("Position " + byPosition.keySet()
          + " is out of bounds of a list of size " + length + ".");
    }
    @Nullable Object[] all = new @Nullable Object[length];
    @Nullable Object[] old = rawArray();
    @Nullable Object[] added = frozen(byPosition.values());
    int next = 0;
    int inserted = 0;
    for (int position = 0; position < length; position++) {
      all[position] = byPosition.containsKey(position) ? added[inserted++] : old[next++];
    }
    return ofFrozen(type, all);
  }

  /**
   * The position of the element whose key is {@code key}, or -1; of several the last one.
   *
   * <p>The keys are looked at on the first call and then only as far as the list has grown, so
   * looking up a key after each append costs what was appended.
   */
  public int positionOf(Object key, Function<? super E, @Nullable Object> keyOf) {
    Keys<E> known = keys;
    if (known == null || known.keyOf() != keyOf) {
      known = Keys.none(keyOf);
    }
    if (known.covered() < size) {
      known = known.upTo(this);
      keys = known;
    }
    return known.position(key, this);
  }

  private FrozenList<E> with(int position, E element) {
    if (position < 0 || position >= size) {
      throw new IndexOutOfBoundsException(
          "Position " + position + " is out of bounds of a list of size " + size + ".");
    }
    @Nullable Object frozen = type.element().freeze(element, Long.MAX_VALUE);
    @Nullable Object old = leaf(position)[position & MASK];
    int deep = Math.max(depth, Freezing.depth(frozen) + 1);
    long heavy = weight - Freezing.weight(old) + Freezing.weight(frozen);
    Keys<E> known = keys;
    Keys<E> kept = known != null && known.survive(get(position), element) ? known : null;
    if (position >= tailOffset()) {
      @Nullable Object[] newTail = Arrays.copyOf(tail, inTail());
      newTail[position & MASK] = frozen;
      return new FrozenList<>(type, size, deep, heavy, shift, root, newTail, kept);
    }
    @Nullable Object[] newRoot = replaced(root, shift, position, frozen);
    return new FrozenList<>(type, size, deep, heavy, shift, newRoot, tail, kept);
  }

  private static @Nullable Object[] replaced(
      @Nullable Object[] node, int level, int position, @Nullable Object element) {
    @Nullable Object[] copy = node.clone();
    int child = (position >>> level) & MASK;
    copy[child] =
        level == 0 ? element : replaced(node(node, child), level - BITS, position, element);
    return copy;
  }

  private @Nullable Object[] frozen(Collection<? extends E> elements) {
    if (elements instanceof FrozenList<?> list && list.type.equals(type)) {
      return list.size == list.tail.length ? list.tail : list.rawArray();
    }
    @Nullable Object[] array = elements.toArray();
    for (int i = 0; i < array.length; i++) {
      array[i] = type.element().freeze(array[i], Long.MAX_VALUE);
    }
    return array;
  }

  /** This list with so many more elements that its tail can hold, once it was moved if full. */
  private FrozenList<E> appended(@Nullable Object[] source, int from, int count) {
    int deep = deepest(depth, source, from, count);
    long heavy = heaviest(weight, source, from, count);
    if (size == 0 || inTail() < WIDTH) {
      @Nullable Object[] grown = grownTail(source, from, count);
      return new FrozenList<>(type, size + count, deep, heavy, shift, root, grown, keys);
    }
    @Nullable Object[] newTail = new @Nullable Object[WIDTH];
    System.arraycopy(source, from, newTail, 0, count);
    boolean rootIsFull = tailOffset() == 1 << (shift + BITS);
    @Nullable
    Object[] newRoot =
        rootIsFull ? new @Nullable Object[] {root, path(shift, tail)} : pushed(root, shift, tail);
    int newShift = rootIsFull ? shift + BITS : shift;
    return new FrozenList<>(type, size + count, deep, heavy, newShift, newRoot, newTail, keys);
  }

  /** The tail with more behind its last element: this one if there is room, else a copy. */
  private @Nullable Object[] grownTail(@Nullable Object[] source, int from, int count) {
    int used = inTail();
    if (used + count <= tail.length && isTaken(used, source, from, count)) {
      return tail;
    }
    int room = Math.min(WIDTH, Math.max(SMALLEST_ROOM, (used + count) * 2));
    @Nullable Object[] copy = new @Nullable Object[room];
    System.arraycopy(tail, 0, copy, 0, used);
    System.arraycopy(source, from, copy, used, count);
    return copy;
  }

  /** Whoever has the first place has all behind it, as nobody has a list that reaches further. */
  private boolean isTaken(int used, @Nullable Object[] source, int from, int count) {
    for (int i = from; i < from + count; i++) {
      if (source[i] == null) {
        return false;
      }
    }
    if (!ROOM.compareAndSet(tail, used, null, source[from])) {
      return false;
    }
    System.arraycopy(source, from + 1, tail, used + 1, count - 1);
    return true;
  }

  private @Nullable Object[] pushed(@Nullable Object[] node, int level, @Nullable Object[] leaf) {
    int child = (tailOffset() >>> level) & MASK;
    @Nullable Object[] copy = Arrays.copyOf(node, Math.max(node.length, child + 1));
    if (level == BITS) {
      copy[child] = leaf;
    } else {
      copy[child] = child < node.length
          ? pushed(node(node, child), level - BITS, leaf)
          : path(level - BITS, leaf);
    }
    return copy;
  }

  private static @Nullable Object[] path(int level, @Nullable Object[] leaf) {
    return level == 0 ? leaf : new @Nullable Object[] {path(level - BITS, leaf)};
  }

  /** How many elements stand in the leaves before the tail. */
  private int tailOffset() {
    return size == 0 ? 0 : (size - 1) & ~MASK;
  }

  private int inTail() {
    return size - tailOffset();
  }

  private @Nullable Object[] leaf(int position) {
    if (position >= tailOffset()) {
      return tail;
    }
    @Nullable Object[] node = root;
    for (int level = shift; level > 0; level -= BITS) {
      node = node(node, (position >>> level) & MASK);
    }
    return node;
  }

  @SuppressWarnings("NullAway") // inner nodes hold nodes only
  private static @Nullable Object[] node(@Nullable Object[] parent, int child) {
    return (@Nullable Object[]) parent[child];
  }

  private @Nullable Object[] rawArray() {
    if (size <= WIDTH) {
      return Arrays.copyOf(tail, size);
    }
    @Nullable Object[] all = new @Nullable Object[size];
    copyTo(all, 0);
    return all;
  }

  /** Copies all elements to {@code array}; says where there is room behind them. */
  private int copyTo(@Nullable Object[] array, int from) {
    for (int position = 0; position < size; position += WIDTH) {
      int count = Math.min(WIDTH, size - position);
      System.arraycopy(leaf(position), 0, array, from + position, count);
    }
    return from + size;
  }

  @Override
  @SuppressWarnings("NullAway") // null stands there only where E allows it
  public Object[] toArray() {
    @Nullable Object[] all = rawArray();
    for (int i = 0; i < all.length; i++) {
      all[i] = Freezing.handOut(all[i]);
    }
    return all;
  }

  @Override
  public void forEach(Consumer<? super E> action) {
    for (int position = 0; position < size; position += WIDTH) {
      @Nullable Object[] leaf = leaf(position);
      int count = Math.min(WIDTH, size - position);
      for (int i = 0; i < count; i++) {
        action.accept(Freezing.<E>handOut(leaf[i]));
      }
    }
  }

  @Override
  public Iterator<E> iterator() {
    return new Iterator<>() {
      private int next = 0;
      private @Nullable Object[] leaf = size == 0 ? tail : leaf(0);

      @Override
      public boolean hasNext() {
        return next < size;
      }

      @Override
      public E next() {
        if (next >= size) {
          throw new NoSuchElementException();
        }
        int inLeaf = next & MASK;
        if (inLeaf == 0) {
          leaf = leaf(next);
        }
        next++;
        return Freezing.handOut(leaf[inLeaf]);
      }
    };
  }
}
