package io.github.reconciler4j.cache.internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Objects by which to choose a dictionary and codes: first those for the one, then those for the other. */
final class PackSamples {

    /** Twice as much makes objects two per cent smaller. */
    private static final int DICTIONARY_BYTES = 8 * 1024;

    private static final int OTHER_BYTES = 4 * 1024;

    private final Bytes dictionary = new Bytes(1024);
    private final List<Bytes> others = new ArrayList<>();
    private int otherBytes;

    void add(Bytes json) {
        if (dictionary.size() < DICTIONARY_BYTES) {
            dictionary.append(json);
        } else {
            int size = Math.min(json.size(), PackDictionary.MOST_BYTES);
            Bytes copy = new Bytes(size);
            copy.append(json.array(), 0, size);
            others.add(copy);
            otherBytes += size;
        }
    }

    boolean areEnough() {
        return otherBytes >= OTHER_BYTES;
    }

    /** A form for objects like these. */
    PackedForm form(PackerPool pool) {
        int from = Math.max(0, dictionary.size() - PackDictionary.MOST_BYTES);
        return PackedForm.create(Arrays.copyOfRange(dictionary.array(), from, dictionary.size()), others, pool);
    }
}
