package io.github.reconciler4j.cache.internal.storage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.cache.internal.json.ByteBuilder;
import io.github.reconciler4j.cache.internal.json.MutableHeader;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Encodes bodies against a dictionary of their kind: a few whole objects, because objects of a kind resemble each other.
 * A first dictionary is taken early. Later, at growing distances, a candidate made of recent objects is tried beside it on
 * some objects, and replaces it if it is clearly better. Entries keep the dictionary they were encoded with, so readers
 * notice nothing, and a dictionary that no entry needs any more is garbage. Bodies before the first dictionary, very long ones, and
 * those that do not resemble it are deflated. Thread-safe.
 *
 * @since 0.1.0
 */
public final class CompactEncoder implements BodyEncoder {

    private static final int DICTIONARY_BYTES = 16 * 1024;

    private static final int MAX_DICTIONARY_BYTES = 32 * 1024;

    /** With fewer objects, a dictionary and the tables of its encoder take more memory than they save. */
    private static final int OBJECTS_BEFORE_FIRST = 64;

    private static final int FIRST_WINDOW = 512;
    private static final int LAST_WINDOW = 8 * 1024;
    private static final int SAMPLE_DISTANCE = 37;
    private static final int TRIALS = 32;
    private static final double BETTER = 0.93;
    /** How many bytes the length takes before the deflated text. */
    private static final int LENGTH_BYTES = 4;

    private final ReentrantLock lock = new ReentrantLock();
    private final Deflated deflated;
    private volatile @Nullable DictionaryEncoder current;

    @GuardedBy("lock")
    private @Nullable DictionaryEncoder candidate;

    @GuardedBy("lock")
    private @Nullable ByteBuilder samples = new ByteBuilder(1024);

    @GuardedBy("lock")
    private boolean first = true;

    @GuardedBy("lock")
    private int count;

    @GuardedBy("lock")
    private int window = FIRST_WINDOW;

    @GuardedBy("lock")
    private int trials;

    @GuardedBy("lock")
    private long encodedByCurrent;

    @GuardedBy("lock")
    private long encodedByCandidate;

    /** Create an encoder that has no dictionary yet. */
    public CompactEncoder(DeflaterPool pool) {
        this.deflated = new Deflated(pool);
    }

    @Override
    public Entry encode(MutableHeader header, ByteBuilder json) {
        DictionaryEncoder encoder = current;
        if (encoder == null || !encoder.fits(json.size())) {
            return encoded(header, json, deflated.encode(json), deflated);
        }
        byte[] body = encoder.encode(json.array(), json.size());
        if (body.length > json.size() / 2) {
            byte[] alone = deflated.encode(json);
            if (alone.length < body.length) {
                return encoded(header, json, alone, deflated);
            }
        }
        return encoded(header, json, body, encoder.dictionary());
    }

    private Entry encoded(MutableHeader header, ByteBuilder json, byte[] body, BodyForm form) {
        learn(json, body.length);
        return body.length < json.size()
                ? new Entry(header, body, form)
                : new Entry(header, json.toArray(), BodyForm.PLAIN);
    }

    private void learn(ByteBuilder json, int size) {
        lock.lock();
        try {
            count++;
            sample(json);
            tryCandidate(json, size);
            if (count == window) {
                count = 0;
                window = Math.min(window * 2, LAST_WINDOW);
                samples = new ByteBuilder(1024);
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void sample(ByteBuilder json) {
        ByteBuilder taken = samples;
        if (taken == null || (first ? count < OBJECTS_BEFORE_FIRST : count % SAMPLE_DISTANCE != 0)) {
            return;
        }
        taken.append(json);
        if (taken.size() < DICTIONARY_BYTES / 2) {
            return;
        }
        int bytes = taken.size() == json.size() ? MAX_DICTIONARY_BYTES : DICTIONARY_BYTES;
        int start = Math.max(0, taken.size() - bytes);
        DictionaryEncoder encoder = new DictionaryEncoder(Arrays.copyOfRange(taken.array(), start, taken.size()));
        samples = null;
        if (first) {
            first = false;
            current = encoder;
        } else {
            candidate = encoder;
            trials = 0;
            encodedByCurrent = 0;
            encodedByCandidate = 0;
        }
    }

    @GuardedBy("lock")
    private void tryCandidate(ByteBuilder json, int size) {
        DictionaryEncoder encoder = candidate;
        if (encoder == null || !encoder.fits(json.size())) {
            return;
        }
        encodedByCurrent += size;
        encodedByCandidate += encoder.encode(json.array(), json.size()).length;
        if (++trials == TRIALS) {
            candidate = null;
            if (encodedByCandidate < encodedByCurrent * BETTER) {
                current = encoder;
            }
        }
    }

    /** Bodies deflated one by one. */
    private record Deflated(DeflaterPool pool) implements BodyForm {

        /** Return the length of a text, then the deflated text. */
        byte[] encode(ByteBuilder json) {
            byte[] deflated = pool.deflate(json.array(), json.size(), LENGTH_BYTES);
            for (int i = 0; i < LENGTH_BYTES; i++) {
                deflated[i] = (byte) (json.size() >>> 8 * i);
            }
            return deflated;
        }

        @Override
        public byte[] decode(Object body) {
            byte[] deflated = (byte[]) body;
            int length = 0;
            for (int i = 0; i < LENGTH_BYTES; i++) {
                length |= (deflated[i] & 0xff) << 8 * i;
            }
            return pool.inflate(deflated, LENGTH_BYTES, length);
        }
    }

    /**
     * Deflates and inflates with native compressors that are reused, because each takes up to 270 KB outside the heap. Keeps a
     * few compressors and creates as many as are needed at the same time. Thread-safe.
     *
     * @since 0.1.0
     */
    public static final class DeflaterPool implements AutoCloseable {

        /** Higher levels make objects 5 % smaller and take half as long again. */
        private static final int LEVEL = 3;

        private static final int KEPT_DEFLATERS = 2;
        private static final int KEPT_INFLATERS = 4;
        private static final int CHUNK = 8 * 1024;
        private static final int MAX_KEPT_BYTES = 256 * 1024;

        private final BlockingQueue<PooledDeflater> deflaters = new ArrayBlockingQueue<>(KEPT_DEFLATERS);
        private final BlockingQueue<Inflater> inflaters = new ArrayBlockingQueue<>(KEPT_INFLATERS);

        /** Create an empty pool. */
        public DeflaterPool() {}

        /**
         * Deflate a text.
         *
         * @param reserve how many bytes to leave free at the start of the result
         */
        byte[] deflate(byte[] text, int length, int reserve) {
            PooledDeflater idle = deflaters.poll();
            PooledDeflater deflater = idle != null ? idle : new PooledDeflater();
            try {
                return deflater.deflate(text, length, reserve);
            } finally {
                if (!deflaters.offer(deflater)) {
                    deflater.end();
                }
            }
        }

        /** Inflate what follows the reserve into an array of the given length; the inverse of {@link #deflate}. */
        byte[] inflate(byte[] deflated, int reserve, int length) {
            Inflater idle = inflaters.poll();
            Inflater inflater = idle != null ? idle : new Inflater(true);
            try {
                inflater.reset();
                inflater.setInput(deflated, reserve, deflated.length - reserve);
                byte[] text = new byte[length];
                int size = 0;
                while (size < length) {
                    int count = inflater.inflate(text, size, length - size);
                    if (count == 0) {
                        throw new IllegalStateException("A stored object is shorter than when it was stored");
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

        /** Free the memory of compressors that are not in use. */
        @Override
        public void close() {
            for (PooledDeflater deflater = deflaters.poll(); deflater != null; deflater = deflaters.poll()) {
                deflater.end();
            }
            for (Inflater inflater = inflaters.poll(); inflater != null; inflater = inflaters.poll()) {
                inflater.end();
            }
        }

        /** A deflater with a buffer for its output. */
        private static final class PooledDeflater {

            private final Deflater deflater = new Deflater(LEVEL, true);
            private byte[] out = new byte[CHUNK];

            byte[] deflate(byte[] text, int length, int reserve) {
                deflater.reset();
                deflater.setInput(text, 0, length);
                deflater.finish();
                int size = reserve;
                while (!deflater.finished()) {
                    if (size == out.length) {
                        out = Arrays.copyOf(out, out.length * 2);
                    }
                    size += deflater.deflate(out, size, out.length - size);
                }
                byte[] deflated = Arrays.copyOf(out, size);
                if (out.length > MAX_KEPT_BYTES) {
                    out = new byte[CHUNK];
                }
                return deflated;
            }

            void end() {
                deflater.end();
            }
        }
    }
}
