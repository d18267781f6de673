package io.github.reconciler4j.cache.internal;

/**
 * Makes equal strings one string. It remembers a fixed number of them, so that it can neither leak nor grow; strings
 * that come often are nearly always shared. Safe for use by many threads: a race costs at most one more copy.
 */
final class StringPool {

    private static final int SLOTS = 4096;
    /** Longer strings are not shared. */
    static final int LONGEST = 80;

    private final String[] slots = new String[SLOTS];

    /** A string of this content. */
    String share(char[] text, int start, int length) {
        if (length == 0) {
            return "";
        }
        if (length > LONGEST) {
            return new String(text, start, length);
        }
        int hash = 0;
        for (int i = start; i < start + length; i++) {
            hash = 31 * hash + text[i];
        }
        int slot = (hash ^ hash >>> 15) & SLOTS - 1;
        String known = slots[slot];
        if (known != null && equal(known, text, start, length)) {
            return known;
        }
        String fresh = new String(text, start, length);
        slots[slot] = fresh;
        return fresh;
    }

    private static boolean equal(String known, char[] text, int start, int length) {
        if (known.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (known.charAt(i) != text[start + i]) {
                return false;
            }
        }
        return true;
    }
}
