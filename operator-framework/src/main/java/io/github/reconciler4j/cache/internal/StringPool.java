package io.github.reconciler4j.cache.internal;

import java.nio.charset.StandardCharsets;

/**
 * Makes equal strings one string. It remembers a fixed number of them, so that it can neither leak nor grow; strings
 * that come often are nearly always shared. Safe for use by many threads: a race costs at most one more copy.
 */
final class StringPool {

    /** Longer strings are not shared. */
    static final int LONGEST = 80;

    private static final int SLOTS = 8192;
    /** How many strings that would have the same slot are remembered. */
    private static final int WAYS = 4;

    private final String[] slots = new String[SLOTS];

    /** A string of these ASCII characters. */
    String share(byte[] ascii, int start, int length) {
        if (length == 0) {
            return "";
        }
        if (length > LONGEST) {
            return new String(ascii, start, length, StandardCharsets.ISO_8859_1);
        }
        int hash = 0;
        for (int i = start; i < start + length; i++) {
            hash = 31 * hash + ascii[i];
        }
        int slot = slot(hash);
        for (int i = 0; i < WAYS; i++) {
            String known = slots[slot + i];
            if (known != null && equal(known, ascii, start, length)) {
                return known;
            }
        }
        return remember(slot, new String(ascii, start, length, StandardCharsets.ISO_8859_1));
    }

    /** The string, or an equal one. */
    String share(String text) {
        if (text.length() > LONGEST) {
            return text;
        }
        int slot = slot(text.hashCode());
        for (int i = 0; i < WAYS; i++) {
            String known = slots[slot + i];
            if (text.equals(known)) {
                return known;
            }
        }
        return remember(slot, text);
    }

    /** Forgets the oldest of those that have the same place. */
    private String remember(int slot, String fresh) {
        System.arraycopy(slots, slot, slots, slot + 1, WAYS - 1);
        slots[slot] = fresh;
        return fresh;
    }

    /** The first of the slots in which strings of this hash are. */
    private static int slot(int hash) {
        int mixed = hash * 0x9E3779B9; // texts that differ in their last characters only are spread as well
        return (mixed >>> 16) & SLOTS - WAYS;
    }

    private static boolean equal(String known, byte[] ascii, int start, int length) {
        if (known.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (known.charAt(i) != ascii[start + i]) {
                return false;
            }
        }
        return true;
    }
}
