package io.github.reconciler4j.cache.internal.json;

import java.nio.charset.StandardCharsets;

/**
 * Replaces equal strings by one instance. Remembers a fixed number of them, so it can neither leak nor grow; strings that
 * occur often are nearly always shared. Thread-safe without locks: a race costs at most one more copy.
 *
 * @since 0.1.0
 */
public final class StringInterner {

    /** The maximum length of shared strings. */
    public static final int MAX_LENGTH = 80;

    private static final int SLOTS = 8192;
    /** How many strings with the same slot are remembered. */
    private static final int WAYS = 4;

    private static final int SPREAD = 0x9E3779B9;

    private final String[] slots = new String[SLOTS];

    /** Create an empty interner. */
    public StringInterner() {}

    /** Return a string of these ASCII characters. */
    public String share(byte[] ascii, int start, int length) {
        if (length == 0) {
            return "";
        }
        if (length > MAX_LENGTH) {
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

    /** Return the string or an equal one. */
    public String share(String text) {
        if (text.length() > MAX_LENGTH) {
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

    /** Remember a string in place of the oldest one with the same slot. */
    private String remember(int slot, String fresh) {
        System.arraycopy(slots, slot, slots, slot + 1, WAYS - 1);
        slots[slot] = fresh;
        return fresh;
    }

    /** Return the first slot of strings with this hash; strings that differ in their last characters only are spread. */
    private static int slot(int hash) {
        return (hash * SPREAD >>> 16) & SLOTS - WAYS;
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
