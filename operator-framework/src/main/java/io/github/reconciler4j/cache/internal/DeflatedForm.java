package io.github.reconciler4j.cache.internal;

/**
 * Keeps bodies deflated against a dictionary. A dictionary lives as long as an entry refers to this form. Immutable and
 * safe for use by many threads.
 */
final class DeflatedForm implements BodyForm {

    /** How many bytes the length takes before the deflated text. */
    private static final int LENGTH_BYTES = 4;

    private final byte[] dictionary;
    private final ZipPool pool;

    DeflatedForm(byte[] dictionary, ZipPool pool) {
        this.dictionary = dictionary;
        this.pool = pool;
    }

    /** What is kept of a text: its length, then the deflated text. */
    byte[] encode(Bytes json) {
        byte[] packed = pool.deflate(json.array(), json.size(), dictionary, LENGTH_BYTES);
        for (int i = 0; i < LENGTH_BYTES; i++) {
            packed[i] = (byte) (json.size() >>> 8 * i);
        }
        return packed;
    }

    @Override
    public byte[] decode(Object body) {
        byte[] packed = (byte[]) body;
        int length = 0;
        for (int i = 0; i < LENGTH_BYTES; i++) {
            length |= (packed[i] & 0xff) << 8 * i;
        }
        return pool.inflate(packed, LENGTH_BYTES, length, dictionary);
    }
}
