package io.superstep.state;

import io.superstep.value.ValueType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values and versions of all channels, by ordinal, in pages: changing one of a thousand
 * channels copies its page and the list of pages, not a thousand references.
 */
final class Slots {

  private static final int BITS = 5;
  private static final int PAGE = 1 << BITS;
  private static final int MASK = PAGE - 1;

  private final Page[] pages;

  private Slots(Page[] pages) {
    this.pages = pages;
  }

  /** Slots that hold {@code values}, each changed as often as {@code versions} says. */
  static Slots of(@Nullable Object[] values, int[] versions) {
    Page[] pages = new Page[(values.length + MASK) >>> BITS];
    for (int page = 0; page < pages.length; page++) {
      int length = Math.min(PAGE, values.length - (page << BITS));
      @Nullable Object[] slice = new @Nullable Object[length];
      System.arraycopy(values, page << BITS, slice, 0, length);
      pages[page] =
          new Page(slice, Arrays.copyOfRange(versions, page << BITS, (page << BITS) + length));
    }
    return new Slots(pages);
  }

  @Nullable
  Object value(int ordinal) {
    return pages[ordinal >>> BITS].values[ordinal & MASK];
  }

  int version(int ordinal) {
    return pages[ordinal >>> BITS].versions[ordinal & MASK];
  }

  /** Whether both hold the same values, whatever their versions. */
  boolean sameValues(Slots other) {
    if (pages.length != other.pages.length) {
      return false;
    }
    for (int page = 0; page < pages.length; page++) {
      if (pages[page] != other.pages[page]
          && !ValueType.same(
              Arrays.asList(pages[page].values), Arrays.asList(other.pages[page].values))) {
        return false;
      }
    }
    return true;
  }

  Editor edit() {
    return new Editor(pages);
  }

  private static final class Page {

    private final @Nullable Object[] values;
    private final int[] versions;

    Page(@Nullable Object[] values, int[] versions) {
      this.values = values;
      this.versions = versions;
    }

    Page copy() {
      return new Page(values.clone(), versions.clone());
    }
  }

  /** Slots in the making; used by one thread, once. */
  static final class Editor {

    private final Page[] before;
    private Page[] pages;

    private Editor(Page[] before) {
      this.before = before;
      this.pages = before;
    }

    @Nullable
    Object value(int ordinal) {
      return pages[ordinal >>> BITS].values[ordinal & MASK];
    }

    /** Sets what a channel holds, and counts one change of it however often it is set here. */
    void set(int ordinal, @Nullable Object value) {
      Page page = writable(ordinal >>> BITS);
      page.values[ordinal & MASK] = value;
      page.versions[ordinal & MASK] = before[ordinal >>> BITS].versions[ordinal & MASK] + 1;
    }

    private Page writable(int page) {
      if (pages == before) {
        pages = before.clone();
      }
      if (pages[page] == before[page]) {
        pages[page] = before[page].copy();
      }
      return pages[page];
    }

    Slots done() {
      return new Slots(pages);
    }
  }
}
