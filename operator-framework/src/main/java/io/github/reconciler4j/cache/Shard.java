package io.github.reconciler4j.cache;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/**
 * One of several parts of equal size into which the objects of a kind are divided by a hash of their uids, so that several
 * processes can share the work. API servers that support shard selectors (alpha since Kubernetes 1.36, feature gate
 * {@code ShardedListAndWatch}) send only this part. Other API servers send all objects, and the cache stores only this part.
 * Immutable.
 *
 * @param index the number of the part, from 0
 * @param count the number of parts, at least 1
 * @since 0.1.0
 */
public record Shard(int index, int count) {

    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final int HASH_BITS = 64;
    private static final int HEX = 16;

    /** Create a shard and check its parameters. */
    public Shard {
        if (count < 1 || index < 0 || index >= count) {
            throw new IllegalArgumentException(
                    "'index' must be from 0 to below 'count', was " + index + " of " + count);
        }
    }

    /** Return whether an object with the given uid belongs to the part. */
    public boolean contains(String uid) {
        BigInteger hash = new BigInteger(Long.toUnsignedString(hash(uid)));
        return hash.compareTo(bound(index)) >= 0 && hash.compareTo(bound(index + 1)) < 0;
    }

    /** Return the part as a shard selector of the API server. */
    public String selector() {
        return "shardRange(object.metadata.uid, '" + hex(bound(index)) + "', '" + hex(bound(index + 1)) + "')";
    }

    /** Return the FNV-1a hash with 64 bits, as the API server computes it. */
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
