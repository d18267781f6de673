package io.github.reconciler4j.cache.internal;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the dictionary of a kind: a few whole objects, because objects of a kind resemble each other. A first one is
 * taken early. Later, at growing distances, a candidate made of recent objects is tried beside it on some objects, and
 * takes its place if it is clearly better. Entries keep the dictionary they were made with, so readers notice nothing,
 * and one that no entry needs any more is collected as garbage.
 *
 * <p>Safe for use by many threads; {@code lock} guards all fields, {@code current} may also be read without it.
 */
final class DictionaryKeeper {

    /** A bigger dictionary shrinks objects by a few per cent more, but is read through for each of them. */
    private static final int DICTIONARY_BYTES = 8 * 1024;

    private static final int MOST_DICTIONARY_BYTES = 32 * 1024;
    private static final int OBJECTS_BEFORE_FIRST = 8;
    private static final int FIRST_WINDOW = 512;
    private static final int LAST_WINDOW = 8 * 1024;
    private static final int SAMPLE_DISTANCE = 37;
    private static final int TRIALS = 32;
    private static final double BETTER = 0.93;

    private final ZipPool pool;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile DeflatedForm current;
    private @Nullable DeflatedForm candidate;
    private @Nullable Bytes samples = new Bytes(1024);
    private boolean first = true;
    private int count;
    private int window = FIRST_WINDOW;
    private int trials;
    private long packedByCurrent;
    private long packedByCandidate;

    DictionaryKeeper(ZipPool pool) {
        this.pool = pool;
        this.current = new DeflatedForm(new byte[0], pool);
    }

    /** The form for new entries. */
    DeflatedForm current() {
        return current;
    }

    /** Takes note of an object that was encoded. */
    void encoded(Bytes json, int size) {
        lock.lock();
        try {
            count++;
            sample(json);
            tryCandidate(json, size);
            if (count == window) {
                count = 0;
                window = Math.min(window * 2, LAST_WINDOW);
                samples = new Bytes(1024);
            }
        } finally {
            lock.unlock();
        }
    }

    private void sample(Bytes json) {
        Bytes taken = samples;
        if (taken == null || (first ? count < OBJECTS_BEFORE_FIRST : count % SAMPLE_DISTANCE != 0)) {
            return;
        }
        taken.append(json);
        if (taken.size() < DICTIONARY_BYTES / 2) {
            return;
        }
        byte[] text = taken.array();
        int most = taken.size() == json.size() ? MOST_DICTIONARY_BYTES : DICTIONARY_BYTES;
        DeflatedForm form =
                new DeflatedForm(Arrays.copyOfRange(text, Math.max(0, taken.size() - most), taken.size()), pool);
        samples = null;
        if (first) {
            first = false;
            current = form;
        } else {
            candidate = form;
            trials = 0;
            packedByCurrent = 0;
            packedByCandidate = 0;
        }
    }

    private void tryCandidate(Bytes json, int size) {
        DeflatedForm form = candidate;
        if (form == null) {
            return;
        }
        packedByCurrent += size;
        packedByCandidate += form.encode(json).length;
        if (++trials == TRIALS) {
            candidate = null;
            if (packedByCandidate < packedByCurrent * BETTER) {
                current = form;
            }
        }
    }
}
