package io.github.reconciler4j.cache.internal.storage;

import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Encodes bodies against a {@link Dictionary}. What it does resembles deflating, but the places of all texts in the dictionary are known
 * when it is created, and so are the codes. A deflater finds out both for each body, which takes more time than the rest. Thread-safe.
 */
final class DictionaryEncoder {

    private static final int HASH_BITS = 14;
    private static final int BODY_HASH_BITS = 11;
    private static final int SPREAD = 0x9E3779B1;

    /** How many places with the same hash are compared, and from which length on no longer part is searched for. */
    private static final int MAX_PLACES = 8;

    private static final int LONG = 32;

    /** How many of the bytes of a repeated part are places that can be repeated again. */
    private static final int STEP = 8;

    /** What counts for a symbol in an example counts more than the one that each symbol gets. */
    private static final int USUAL_PAGE = 8;

    private static final int USUAL_BODY = 16;

    private static final int KEPT = 2;
    private static final BlockingQueue<Workspace> IDLE = new ArrayBlockingQueue<>(KEPT);

    private final Dictionary dictionary;

    /** The last place of each hash, and for each place the one before it, both plus 1. */
    private final char[] places = new char[1 << HASH_BITS];

    private final char[] earlier;

    /**
     * Create an encoder, and its dictionary.
     *
     * @param text what bodies are likely to resemble; shorter than 64 KB. Its second half is the example that codes are made for.
     */
    DictionaryEncoder(byte[] text) {
        this.earlier = new char[text.length];
        int half = text.length / 2;
        addPlaces(text, 0, half);
        Counts counts = new Counts(text.length);
        Workspace example = new Workspace();
        example.load(new byte[0], text, text.length);
        example.split(half, this, counts);
        addPlaces(text, half, text.length);
        this.dictionary = new Dictionary(text, counts.symbols, counts.pages);
    }

    private void addPlaces(byte[] text, int from, int to) {
        for (int place = from; place <= to - Dictionary.MIN_LENGTH; place++) {
            int hash = hash(four(text, place), HASH_BITS);
            earlier[place] = places[hash];
            places[hash] = (char) (place + 1);
        }
    }

    /** Return what decodes the bodies. */
    Dictionary dictionary() {
        return dictionary;
    }

    /** Return whether a body is short enough. */
    boolean fits(int length) {
        return dictionary.text.length + length <= Dictionary.MAX_POSITION;
    }

    /** Encode a body that {@link #fits}. */
    byte[] encode(byte[] body, int length) {
        Workspace idle = IDLE.poll();
        Workspace workspace = idle != null ? idle : new Workspace();
        workspace.load(dictionary.text, body, length);
        workspace.output.start(dictionary, length);
        workspace.split(dictionary.text.length, this, workspace.output);
        byte[] encoded = workspace.output.end();
        IDLE.offer(workspace);
        return encoded;
    }

    private static int four(byte[] text, int at) {
        return text[at] << 24 | (text[at + 1] & 0xff) << 16 | (text[at + 2] & 0xff) << 8 | text[at + 3] & 0xff;
    }

    private static int hash(int four, int bits) {
        return four * SPREAD >>> Integer.SIZE - bits;
    }

    /** Takes a body in parts. */
    private abstract static class Parts {

        abstract void single(byte value);

        /** Take a part that is repeated from a position in dictionary and body. */
        abstract void repeated(int length, int position);
    }

    /** Counts what occurs. */
    private static final class Counts extends Parts {

        private final int[] symbols = new int[Dictionary.SYMBOLS];
        private final int[] pages = new int[Dictionary.PAGES];

        Counts(int dictionarySize) {
            Arrays.fill(symbols, 1);
            Arrays.fill(pages, 1);
            int usual = Math.min(Dictionary.PAGES, (dictionarySize >> 8) + USUAL_BODY);
            Arrays.fill(pages, 0, usual, USUAL_PAGE);
        }

        @Override
        void single(byte value) {
            symbols[value & 0xff]++;
        }

        @Override
        void repeated(int length, int position) {
            symbols[Dictionary.symbol(length)]++;
            pages[position >> 8]++;
        }
    }

    /** Writes the codes of what occurs, the lowest bits of each byte first. */
    private static final class BitWriter extends Parts {

        private byte[] out = new byte[0];
        private int size;
        private long bits;
        private int count;
        private Dictionary.Code symbols = new Dictionary.Code(new int[] {1, 1});
        private Dictionary.Code pages = symbols;

        void start(Dictionary dictionary, int length) {
            int most = Dictionary.HEAD + length * Dictionary.Code.MAX_BITS / Byte.SIZE + Long.BYTES;
            if (out.length < most) {
                out = new byte[most];
            }
            symbols = dictionary.symbols;
            pages = dictionary.pages;
            size = 0;
            bits = 0;
            count = 0;
            writeInt(length);
        }

        @Override
        void single(byte value) {
            write(symbols, value & 0xff);
        }

        @Override
        void repeated(int length, int position) {
            write(symbols, Dictionary.symbol(length));
            int more = Dictionary.lengthBits(length);
            if (more > 0) {
                write(length - Dictionary.shortest(more), more);
            }
            write(pages, position >> 8);
            write(position & 0xff, Byte.SIZE);
        }

        private void write(Dictionary.Code code, int symbol) {
            write(code.code(symbol), code.length(symbol));
        }

        private void write(int value, int length) {
            bits |= (long) value << count;
            count += length;
            if (count >= Integer.SIZE) {
                writeInt((int) bits);
                bits >>>= Integer.SIZE;
                count -= Integer.SIZE;
            }
        }

        private void writeInt(int value) {
            out[size] = (byte) value;
            out[size + 1] = (byte) (value >> 8);
            out[size + 2] = (byte) (value >> 16);
            out[size + 3] = (byte) (value >> 24);
            size += Integer.BYTES;
        }

        byte[] end() {
            int end = size + (count + Byte.SIZE - 1) / Byte.SIZE;
            writeInt((int) bits);
            return Arrays.copyOf(out, end);
        }
    }

    /** The memory that encoding needs. Confined to one thread at a time. */
    private static final class Workspace {

        private static final int MAX_SEEN = 1 << 30;

        private final BitWriter output = new BitWriter();
        private byte[] window = new byte[0];
        private int end;

        /** The last place of each hash in the body, plus all that was in use before; so it need not be cleared. */
        private final int[] bodyPlaces = new int[1 << BODY_HASH_BITS];

        private int seen = 1;

        void load(byte[] dictionary, byte[] body, int length) {
            end = dictionary.length + length;
            if (window.length < end) {
                window = new byte[end];
            }
            System.arraycopy(dictionary, 0, window, 0, dictionary.length);
            System.arraycopy(body, 0, window, dictionary.length, length);
        }

        /** Find the parts of what starts at a position and is repeated from before or from the dictionary. */
        void split(int start, DictionaryEncoder encoder, Parts parts) {
            seen = seen > MAX_SEEN ? clear() : seen;
            int at = start;
            while (at <= end - Dictionary.MIN_LENGTH) {
                int four = four(window, at);
                int longest = Dictionary.MIN_LENGTH - 1;
                int from = 0;
                int tries = MAX_PLACES;
                for (int place = encoder.places[hash(four, HASH_BITS)];
                        place != 0 && tries > 0 && longest < LONG;
                        place = encoder.earlier[place - 1], tries--) {
                    int length = common(place - 1, start, at, four, longest);
                    if (length > longest) {
                        longest = length;
                        from = place - 1;
                    }
                }
                int hash = hash(four, BODY_HASH_BITS);
                int own = bodyPlaces[hash] - seen;
                if (own >= start && longest < LONG) {
                    int length = common(own, end, at, four, longest);
                    if (length > longest) {
                        longest = length;
                        from = own;
                    }
                }
                bodyPlaces[hash] = seen + at;
                if (longest < Dictionary.MIN_LENGTH) {
                    parts.single(window[at++]);
                } else {
                    parts.repeated(longest, from);
                    addPlaces(at + 1, at + longest);
                    at += longest;
                }
            }
            while (at < end) {
                parts.single(window[at++]);
            }
            seen += end;
        }

        private int clear() {
            Arrays.fill(bodyPlaces, 0);
            return 1;
        }

        private void addPlaces(int from, int to) {
            int last = Math.min(to, end - Dictionary.MIN_LENGTH);
            for (int place = from; place < last; place += STEP) {
                bodyPlaces[hash(four(window, place), BODY_HASH_BITS)] = seen + place;
            }
        }

        /** Return how much is equal at two places, the first of which ends before a limit; 0 if it is not longer than what is known. */
        private int common(int place, int limit, int at, int four, int known) {
            int most = Math.min(limit - place, end - at);
            if (most <= known || window[place + known] != window[at + known] || four(window, place) != four) {
                return 0;
            }
            int different = Arrays.mismatch(window, place, place + most, window, at, at + most);
            return different < 0 ? most : different;
        }
    }
}
