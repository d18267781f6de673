package io.github.reconciler4j.cache.internal;

/** Unpacks one text. To be used by one thread. */
final class Unpacker {

    private final BitReader from;
    private final PackDictionary dictionary;
    private final PackCodes codes;
    private final byte[] text;
    private int size;

    private Unpacker(byte[] packed, PackDictionary dictionary, PackCodes given) {
        this.from = new BitReader(packed);
        this.dictionary = dictionary;
        boolean own = PackCodes.readOwn(from);
        this.text = new byte[PackCodes.readSize(from)];
        this.codes = own ? PackCodes.readFrom(from) : given;
    }

    /** The text of which a {@link Packer} made this with the same dictionary and codes. */
    static byte[] unpack(byte[] packed, PackDictionary dictionary, PackCodes codes) {
        return new Unpacker(packed, dictionary, codes).unpack();
    }

    private byte[] unpack() {
        while (size < text.length) {
            int symbol = codes.literals().read(from);
            if (symbol < PackCodes.BYTES) {
                text[size++] = (byte) symbol;
            } else {
                int length = PackCodes.readNumber(symbol - PackCodes.BYTES, from) + PackCodes.SHORTEST;
                repeat(length, PackCodes.readNumber(codes.distances().read(from), from) + 1);
            }
        }
        return text;
    }

    private void repeat(int length, int distance) {
        int rest = length;
        int earlier = size - distance;
        if (earlier < 0) {
            int known = Math.min(rest, -earlier);
            dictionary.copyTo(dictionary.size() + earlier, text, size, known);
            size += known;
            rest -= known;
            earlier = 0;
        }
        while (rest-- > 0) { // what is repeated may be what is just being written
            text[size++] = text[earlier++];
        }
    }
}
