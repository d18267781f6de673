package io.github.reconciler4j.cache.internal;

import java.nio.charset.StandardCharsets;

/**
 * Makes equal strings one string. It remembers a fixed number of them, so that it can neither leak nor grow; strings
 * that come often are nearly always shared. Safe for use by many threads: a race costs at most one more copy.
 */
final class StringPool {

    /** Longer strings are not shared. */
    static final int LONGEST = 80;

    private static final int SLOTS = 4096;

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
        String known = slots[slot];
        if (known != null && equal(known, ascii, start, length)) {
            return known;
        }
        String fresh = new String(ascii, start, length, StandardCharsets.ISO_8859_1);
        slots[slot] = fresh;
        return fresh;
    }

    /** The string, or an equal one. */
    String share(String text) {
        if (text.length() > LONGEST) {
            return text;
        }
        int slot = slot(text.hashCode());
        String known = slots[slot];
        if (text.equals(known)) {
            return known;
        }
        slots[slot] = text;
        return text;
    }

    private static int slot(int hash) {
        return (hash ^ hash >>> 15) & SLOTS - 1;
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
