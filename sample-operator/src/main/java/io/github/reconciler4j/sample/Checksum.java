package io.github.reconciler4j.sample;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Computes a checksum of the entries of a map, which does not depend on their order. */
final class Checksum {

    private static final int LENGTH = 32;

    private Checksum() {}

    static String of(@Nullable Map<String, String> entries) {
        MessageDigest digest = sha256();
        new TreeMap<>(entries == null ? Map.of() : entries).forEach((key, value) -> {
            update(digest, key);
            update(digest, value);
        });
        return HexFormat.of().formatHex(digest.digest()).substring(0, LENGTH);
    }

    /** The length goes first, so that no two different maps give the same bytes. */
    private static void update(MessageDigest digest, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        digest.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
        digest.update(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform must have SHA-256", e);
        }
    }
}
