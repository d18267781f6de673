package io.github.reconciler4j.cache.internal;

import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Deflates and inflates with native compressors that are used again, because each holds up to 270 KB of memory outside
 * the heap. Safe for use by many threads; a few compressors are kept, as many as are needed at once are made.
 */
final class ZipPool {

    /** Above this level objects get 5 % smaller, and take half as long again. */
    private static final int LEVEL = 3;

    private static final int KEPT_DEFLATERS = 2;
    private static final int KEPT_INFLATERS = 4;
    private static final int CHUNK = 8 * 1024;
    private static final int MOST_KEPT = 256 * 1024;

    private final BlockingQueue<Squeezer> squeezers = new ArrayBlockingQueue<>(KEPT_DEFLATERS);
    private final BlockingQueue<Inflater> inflaters = new ArrayBlockingQueue<>(KEPT_INFLATERS);

    /**
     * Deflates.
     *
     * @param dictionary what the text is likely to resemble; may be empty
     * @param reserve how many bytes to leave free at the beginning of the result
     */
    byte[] deflate(byte[] text, int length, byte[] dictionary, int reserve) {
        Squeezer idle = squeezers.poll();
        Squeezer squeezer = idle != null ? idle : new Squeezer();
        try {
            return squeezer.squeeze(text, length, dictionary, reserve);
        } finally {
            if (!squeezers.offer(squeezer)) {
                squeezer.deflater.end();
            }
        }
    }

    /** The inverse of {@link #deflate}: inflates what follows the reserve into an array of the given length. */
    byte[] inflate(byte[] packed, int reserve, int length, byte[] dictionary) {
        Inflater idle = inflaters.poll();
        Inflater inflater = idle != null ? idle : new Inflater(true);
        try {
            inflater.reset();
            if (dictionary.length > 0) {
                inflater.setDictionary(dictionary);
            }
            inflater.setInput(packed, reserve, packed.length - reserve);
            byte[] text = new byte[length];
            int size = 0;
            while (size < length) {
                int count = inflater.inflate(text, size, length - size);
                if (count == 0) {
                    throw new IllegalStateException("A stored object is shorter than it was");
                }
                size += count;
            }
            return text;
        } catch (DataFormatException e) {
            throw new IllegalStateException("A stored object cannot be inflated", e);
        } finally {
            if (!inflaters.offer(inflater)) {
                inflater.end();
            }
        }
    }

    /** Gives back the memory of compressors that are not in use. */
    void close() {
        for (Squeezer squeezer = squeezers.poll(); squeezer != null; squeezer = squeezers.poll()) {
            squeezer.deflater.end();
        }
        for (Inflater inflater = inflaters.poll(); inflater != null; inflater = inflaters.poll()) {
            inflater.end();
        }
    }

    /** A deflater with room for what it makes. */
    private static final class Squeezer {

        private final Deflater deflater = new Deflater(LEVEL, true);
        private byte[] out = new byte[CHUNK];

        byte[] squeeze(byte[] text, int length, byte[] dictionary, int reserve) {
            deflater.reset();
            if (dictionary.length > 0) {
                deflater.setDictionary(dictionary);
            }
            deflater.setInput(text, 0, length);
            deflater.finish();
            int size = reserve;
            while (!deflater.finished()) {
                if (size == out.length) {
                    out = Arrays.copyOf(out, out.length * 2);
                }
                size += deflater.deflate(out, size, out.length - size);
            }
            byte[] packed = Arrays.copyOf(out, size);
            if (out.length > MOST_KEPT) {
                out = new byte[CHUNK];
            }
            return packed;
        }
    }
}
