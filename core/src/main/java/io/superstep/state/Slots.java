package io.superstep.state;

import io.superstep.value.ValueType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values and versions of all channels, by ordinal.
 *
 * <p>Few channels are one page, and a change copies it. Many are pages: changing one of a thousand
 * channels copies its page and the list of pages, not a thousand references.
 */
abstract sealed class Slots {

  private static final int BITS = 5;
  private static final int PAGE = 1 << BITS;
  private static final int MASK = PAGE - 1;

  /** Slots that hold {@code values}, each changed as often as {@code versions} says. */
  static Slots of(@Nullable Object[] values, int[] versions) {
    if (values.length <= PAGE) {
      return new Page(values.clone(), versions.clone());
    }
    Page[] pages = new Page[(values.length + MASK) >>> BITS];
    for (int page = 0; page < pages.length; page++) {
      int from = page << BITS;
      int length = Math.min(PAGE, values.length - from);
      @Nullable Object[] slice = new @Nullable Object[length];
      System.arraycopy(values, from, slice, 0, length);
      pages[page] = new Page(slice, Arrays.copyOfRange(versions, from, from + length));
    }
    return new Pages(pages);
  }

  /** What a channel holds. */
  abstract @Nullable Object value(int ordinal);

  /** How often a channel was changed. */
  abstract int version(int ordinal);

  /** Whether both, which are of schemas with equal channels, hold the same values. */
  abstract boolean sameValues(Slots other);

  /** A copy that nobody else has and that {@link #set} may change. */
  abstract Slots copy();

  /** Sets what a channel holds and how often it was changed, in a copy of {@code before}. */
  abstract void set(int ordinal, @Nullable Object value, int version, Slots before);

  Editor edit() {
    return new Editor(this);
  }

  /** All channels, or a page of them. */
  private static final class Page extends Slots {

    private final @Nullable Object[] values;
    private final int[] versions;

    Page(@Nullable Object[] values, int[] versions) {
      this.values = values;
      this.versions = versions;
    }

    @Override
    @Nullable
    Object value(int ordinal) {
      return values[ordinal & MASK];
    }

    @Override
    int version(int ordinal) {
      return versions[ordinal & MASK];
    }

    @Override
    boolean sameValues(Slots other) {
      return this == other
          || (other instanceof Page page
              && ValueType.same(Arrays.asList(values), Arrays.asList(page.values)));
    }

    @Override
    Page copy() {
      return new Page(values.clone(), versions.clone());
    }

    @Override
    void set(int ordinal, @Nullable Object value, int version, Slots before) {
      values[ordinal & MASK] = value;
      versions[ordinal & MASK] = version;
    }
  }

  /** Many channels; a copy shares the pages that were not changed. */
  private static final class Pages extends Slots {

    private final Page[] pages;

    Pages(Page[] pages) {
      this.pages = pages;
    }

    @Override
    @Nullable
    Object value(int ordinal) {
      return pages[ordinal >>> BITS].value(ordinal);
    }

    @Override
    int version(int ordinal) {
      return pages[ordinal >>> BITS].version(ordinal);
    }

    @Override
    boolean sameValues(Slots other) {
      if (!(other instanceof Pages many) || pages.length != many.pages.length) {
        return false;
      }
      for (int page = 0; page < pages.length; page++) {
        if (!pages[page].sameValues(many.pages[page])) {
          return false;
        }
      }
      return true;
    }

    @Override
    Pages copy() {
      return new Pages(pages.clone());
    }

    @Override
    void set(int ordinal, @Nullable Object value, int version, Slots before) {
      int page = ordinal >>> BITS;
      if (pages[page] == ((Pages) before).pages[page]) {
        pages[page] = pages[page].copy();
      }
      pages[page].set(ordinal, value, version, before);
    }
  }

  /** Slots in the making; used by one thread, once. */
  static final class Editor {

    private final Slots before;
    private Slots slots;

    private Editor(Slots before) {
      this.before = before;
      this.slots = before;
    }

    @Nullable
    Object value(int ordinal) {
      return slots.value(ordinal);
    }

    /** Sets what a channel holds, and counts one change of it however often it is set here. */
    void set(int ordinal, @Nullable Object value) {
      writable().set(ordinal, value, before.version(ordinal) + 1, before);
    }

    /** Sets what a channel holds as if it had never been changed. */
    void reset(int ordinal, @Nullable Object value) {
      writable().set(ordinal, value, 0, before);
    }

    private Slots writable() {
      if (slots == before) {
        slots = before.copy();
      }
      return slots;
    }

    Slots done() {
      return slots;
    }
  }
}
