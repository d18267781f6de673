package io.github.reconciler4j.cache;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/**
 * One of several parts of equal size into which the objects of a kind are divided by a hash of their uids, so that
 * several processes can share the work. Servers that know shard selectors (alpha in Kubernetes 1.36, feature gate
 * {@code ShardedListAndWatch}) send only this part; from others everything comes, and the cache keeps only this part, so
 * that the result is the same and only the saving is smaller. Immutable.
 *
 * @param index which part, from 0
 * @param count how many parts there are, at least 1
 * @since 0.1.0
 */
public record Shard(int index, int count) {

    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final int HASH_BITS = 64;
    private static final int HEX = 16;

    /** Checks that there is such a part. */
    public Shard {
        if (count < 1 || index < 0 || index >= count) {
            throw new IllegalArgumentException(
                    "'index' must be from 0 to below 'count', was " + index + " of " + count);
        }
    }

    /** Whether an object with this uid belongs to the part. */
    public boolean contains(String uid) {
        BigInteger hash = new BigInteger(Long.toUnsignedString(hash(uid)));
        return hash.compareTo(bound(index)) >= 0 && hash.compareTo(bound(index + 1)) < 0;
    }

    /** The part in the words of the API server. */
    public String selector() {
        return "shardRange(object.metadata.uid, '" + hex(bound(index)) + "', '" + hex(bound(index + 1)) + "')";
    }

    /** FNV-1a with 64 bits, as the server takes it. */
    private static long hash(String uid) {
        long hash = FNV_OFFSET;
        for (byte next : uid.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ next & 0xff) * FNV_PRIME;
        }
        return hash;
    }

    private BigInteger bound(int part) {
        return BigInteger.ONE
                .shiftLeft(HASH_BITS)
                .multiply(BigInteger.valueOf(part))
                .divide(BigInteger.valueOf(count));
    }

    private static String hex(BigInteger bound) {
        String digits = bound.toString(HEX);
        return "0x" + "0".repeat(Math.max(0, HEX - digits.length())) + digits;
    }
}
