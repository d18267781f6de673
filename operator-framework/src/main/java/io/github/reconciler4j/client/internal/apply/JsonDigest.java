package io.github.reconciler4j.client.internal.apply;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Digests of JSON that do not depend on the order of members: SipHash-2-4 of 128 bits. Its key is random, so objects of equal
 * digests cannot be made on purpose, and digests of two processes differ. SHA-256 takes four times as long without the second
 * compiler of the JVM.
 */
final class JsonDigest {

    private static final long FIRST_KEY;
    private static final long SECOND_KEY;

    static {
        SecureRandom random = new SecureRandom();
        FIRST_KEY = random.nextLong();
        SECOND_KEY = random.nextLong();
    }

    /** A multiple of a word. */
    private static final int BUFFER_SIZE = 512;

    private final byte[] buffer = new byte[BUFFER_SIZE];
    private int length;
    private long total;
    private long v0;
    private long v1;
    private long v2;
    private long v3;

    JsonDigest(long firstKey, long secondKey) {
        this.v0 = firstKey ^ 0x736f6d6570736575L;
        this.v1 = secondKey ^ 0x646f72616e646f6dL ^ 0xee; // 0xee and 0xdd below are those of the form of 128 bits
        this.v2 = firstKey ^ 0x6c7967656e657261L;
        this.v3 = secondKey ^ 0x7465646279746573L;
    }

    private JsonDigest() {
        this(FIRST_KEY, SECOND_KEY);
    }

    /** Return the digest of a tree and a text. */
    static Value of(JsonNode tree, String text) {
        JsonDigest digest = new JsonDigest();
        digest.text(text);
        digest.node(tree);
        return digest.value();
    }

    /**
     * Return the digest of those parts of {@code actual} that {@code mask} has too, to compare it with others of the same mask.
     * Members of objects are compared by name; everything else, lists included, is taken as a whole from {@code actual}.
     */
    static Value ofMasked(JsonNode actual, JsonNode mask) {
        JsonDigest digest = new JsonDigest();
        digest.masked(actual, mask);
        return digest.value();
    }

    /** Return the digest of all bytes so far, and take no more. */
    Value value() {
        Arrays.fill(buffer, length, length + Long.BYTES - length % Long.BYTES, (byte) 0);
        length += Long.BYTES - length % Long.BYTES;
        buffer[length - 1] = (byte) total;
        absorb();
        v2 ^= 0xee;
        long high = finish();
        v1 ^= 0xdd;
        return new Value(high, finish());
    }

    private long finish() {
        rounds(2);
        rounds(2);
        return v0 ^ v1 ^ v2 ^ v3;
    }

    private void absorb() {
        for (int i = 0; i < length; i += Long.BYTES) {
            long word = word(i);
            v3 ^= word;
            rounds(2);
            v0 ^= word;
        }
        length = 0;
    }

    private long word(int start) {
        long word = 0;
        for (int i = start + Long.BYTES - 1; i >= start; i--) {
            word = word << Byte.SIZE | buffer[i] & 0xFF;
        }
        return word;
    }

    private void rounds(int count) {
        long a = v0;
        long b = v1;
        long c = v2;
        long d = v3;
        for (int i = 0; i < count; i++) {
            a += b;
            b = Long.rotateLeft(b, 13) ^ a;
            a = Long.rotateLeft(a, 32);
            c += d;
            d = Long.rotateLeft(d, 16) ^ c;
            a += d;
            d = Long.rotateLeft(d, 21) ^ a;
            c += b;
            b = Long.rotateLeft(b, 17) ^ c;
            c = Long.rotateLeft(c, 32);
        }
        v0 = a;
        v1 = b;
        v2 = c;
        v3 = d;
    }

    private void masked(@Nullable JsonNode actual, JsonNode mask) {
        if (actual == null || !actual.isObject() || !mask.isObject()) {
            node(actual);
            return;
        }
        put('{'); // names and end are those of the mask
        for (String name : names(mask)) {
            masked(actual.get(name), mask.path(name));
        }
    }

    private void node(@Nullable JsonNode node) {
        if (node == null || node.isNull()) {
            put('0');
        } else if (node.isObject()) {
            put('{');
            for (String name : names(node)) {
                text(name);
                node(node.get(name));
            }
            put('}');
        } else if (node.isArray()) {
            put('[');
            node.forEach(this::node);
            put(']');
        } else {
            put(node.isTextual() ? 's' : 'v');
            text(node.asText());
        }
    }

    void put(int value) {
        total++;
        buffer[length++] = (byte) value;
        if (length == BUFFER_SIZE) {
            absorb();
        }
    }

    void put(byte[] bytes) {
        total += bytes.length;
        for (int from = 0; from < bytes.length; ) {
            int count = Math.min(BUFFER_SIZE - length, bytes.length - from);
            System.arraycopy(bytes, from, buffer, length, count);
            length += count;
            from += count;
            if (length == BUFFER_SIZE) {
                absorb();
            }
        }
    }

    private void text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            put(bytes.length >> shift);
        }
        put(bytes);
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>(object.size());
        object.fieldNames().forEachRemaining(names::add);
        Collections.sort(names);
        return names;
    }

    /**
     * A digest.
     *
     * @param high the first half
     * @param low the second half
     */
    record Value(long high, long low) {}
}
