package io.github.reconciler4j.cache.internal;

import java.util.Arrays;

/**
 * Packs texts: what stood in the dictionary or earlier in the text is written as a repetition, in codes that were chosen
 * for such texts. To objects of a few KB that resemble each other this does what deflating does, in little more than half
 * the time and with a twentieth less to keep, because neither is the dictionary gone through nor are codes made and
 * written for each of them. To be used by one thread.
 */
final class Packer {

    /** So many places of the dictionary are looked at for the longest repetition. */
    private static final int TRIES = 4;
    /** A repetition of this length is good enough. */
    private static final int LONG = 48;
    /** Every so many places within a repetition are remembered. */
    private static final int STRIDE = 3;
    /** A text of this size that does not get smaller by this factor may be better off with codes of its own. */
    private static final int OWN_CODES_FROM = 1024;

    private static final int GOOD_FACTOR = 3;
    private static final int MOST_KEPT = 256 * 1024;
    private static final int VERY_FAR = 1 << 30;

    private final BitWriter out = new BitWriter();
    private PackDictionary dictionary = new PackDictionary(new byte[0]);
    /** The dictionary, then the text. */
    private byte[] text = {};
    /** Where the text begins. */
    private int start;

    private int end;
    /** By hash: the last such place in the text, {@link #origin} added; what is less than that is of earlier texts. */
    private final int[] latest = new int[1 << PackDictionary.HASH_BITS];

    private int origin = 1;
    /** Where the repetition found last stood before. */
    private int found;

    /** Packs a text. */
    byte[] pack(Bytes json, PackDictionary given, PackCodes codes) {
        load(json, given);
        byte[] packed = write(codes, false);
        if (json.size() >= OWN_CODES_FROM && packed.length > json.size() / GOOD_FACTOR) {
            PackTokens.Counts counts = new PackTokens.Counts();
            walk(counts);
            byte[] other = write(counts.codes(), true);
            packed = other.length < packed.length ? other : packed;
        }
        forgetLarge();
        return packed;
    }

    /** Counts what a text is made of. */
    void count(Bytes json, PackDictionary given, PackTokens.Counts counts) {
        load(json, given);
        walk(counts);
        forgetLarge();
    }

    private void load(Bytes json, PackDictionary given) {
        start = given.size();
        end = start + json.size();
        boolean small = text.length < end;
        if (small) {
            text = new byte[end + end / 2];
        }
        if (small || dictionary != given) {
            dictionary = given;
            given.copyTo(0, text, 0, start);
        }
        System.arraycopy(json.array(), 0, text, start, json.size());
    }

    private void forgetLarge() {
        if (text.length > MOST_KEPT) {
            text = new byte[0];
            out.forget();
        }
    }

    private byte[] write(PackCodes codes, boolean own) {
        out.clear(2 * (end - start) + PackCodes.MOST_BYTES);
        PackCodes.writeHead(end - start, own, out);
        if (own) {
            codes.writeTo(out);
        }
        walk(new PackTokens.Writer(codes, out));
        return out.toArray();
    }

    private void walk(PackTokens tokens) {
        if (origin > VERY_FAR) {
            Arrays.fill(latest, 0);
            origin = 1;
        }
        final byte[] bytes = text;
        int lastHash = end - PackCodes.SHORTEST;
        int at = start;
        while (at <= lastHash) {
            int length = find(bytes, at);
            if (length < PackCodes.SHORTEST) {
                tokens.literal(bytes[at++] & 0xff);
                continue;
            }
            tokens.repetition(length, at - found);
            int after = at + length;
            for (int next = at + 1; next < after && next < lastHash; next += STRIDE) {
                latest[PackDictionary.hash(bytes, next)] = origin + next;
            }
            at = after;
        }
        while (at < end) {
            tokens.literal(bytes[at++] & 0xff);
        }
        origin += end;
    }

    /**
     * The length of the longest repetition that begins at a place, less than {@link PackCodes#SHORTEST} if there is none;
     * {@link #found} tells from where.
     */
    private int find(byte[] bytes, int at) {
        int hash = PackDictionary.hash(bytes, at);
        int limit = Math.min(end, at + PackCodes.MOST);
        int longest = PackCodes.SHORTEST - 1;
        int earlier = latest[hash] - origin;
        latest[hash] = origin + at;
        if (earlier >= start && at - earlier <= PackCodes.MOST) {
            int length = same(bytes, earlier, at, limit);
            if (length > longest) {
                longest = length;
                found = earlier;
            }
        }
        return at + longest < limit ? findInDictionary(bytes, at, limit, hash, longest) : longest;
    }

    /** Looks for a repetition that is longer than one that is known. */
    private int findInDictionary(byte[] bytes, int at, int limit, int hash, int known) {
        int longest = known;
        int least = Math.max(0, at - PackCodes.MOST);
        int place = dictionary.last(hash);
        for (int tries = TRIES; place >= least && tries > 0; tries--) {
            if (bytes[place + longest] == bytes[at + longest]) {
                int length = same(bytes, place, at, limit);
                if (length > longest) {
                    longest = length;
                    found = place;
                    if (length >= LONG || at + length == limit) {
                        return length;
                    }
                }
            }
            place = dictionary.before(place);
        }
        return longest;
    }

    private static int same(byte[] bytes, int one, int other, int limit) {
        int earlier = one;
        int at = other;
        while (at < limit && bytes[earlier] == bytes[at]) {
            earlier++;
            at++;
        }
        return at - other;
    }
}
