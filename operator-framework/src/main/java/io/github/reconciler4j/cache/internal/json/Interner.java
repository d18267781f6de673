package io.github.reconciler4j.cache.internal.json;

import java.util.Arrays;

/**
 * Replaces equal values by one instance. Remembers a fixed number of them, so it can neither leak nor grow; equal values of
 * objects that follow each other are nearly always shared. Confined to one thread.
 */
final class Interner {

    private static final int SPREAD = 0x9E3779B9;

    private final Object[] slots;

    /** Create an interner that remembers at most this many values, a power of two. */
    Interner(int slots) {
        this.slots = new Object[slots];
    }

    /** Return the array or one with equal texts; neither may be changed. */
    String[] share(String[] texts) {
        if (texts.length == 0) {
            return ArrayMap.NONE;
        }
        int slot = slot(Arrays.hashCode(texts));
        if (slots[slot] instanceof String[] known && Arrays.equals(known, texts)) {
            return known;
        }
        slots[slot] = texts;
        return texts;
    }

    /** Return the value or an equal one. */
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
        return (hash * SPREAD >>> 16) & slots.length - 1;
    }
}
