package io.github.reconciler4j.cache.internal;

import java.util.Arrays;

/**
 * Makes equal values of one kind one value. It remembers a fixed number of them, so it can neither leak nor grow; those
 * of objects that come soon after each other are nearly always shared. To be used by one thread.
 */
final class Sharing {

    private final Object[] slots;

    /**
     * Creates it.
     *
     * @param slots how many values it remembers at most, a power of two
     */
    Sharing(int slots) {
        this.slots = new Object[slots];
    }

    /** The array, or one with equal texts; none may be changed afterwards. */
    String[] share(String[] texts) {
        if (texts.length == 0) {
            return SmallMap.NONE;
        }
        int slot = slot(Arrays.hashCode(texts));
        if (slots[slot] instanceof String[] known && Arrays.equals(known, texts)) {
            return known;
        }
        slots[slot] = texts;
        return texts;
    }

    /** The value, or an equal one. */
    <T> T share(T value) {
        int slot = slot(value.hashCode());
        Object known = slots[slot];
        if (value.equals(known)) {
            @SuppressWarnings("unchecked") // equal values are of one class
            T same = (T) known;
            return same;
        }
        slots[slot] = value;
        return value;
    }

    private int slot(int hash) {
        return (hash * 0x9E3779B9 >>> 16) & slots.length - 1;
    }
}
