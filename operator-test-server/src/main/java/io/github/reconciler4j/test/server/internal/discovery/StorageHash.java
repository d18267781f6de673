package io.github.reconciler4j.test.server.internal.discovery;

import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/** The short text by which clients see that a resource is stored in another version than before. */
final class StorageHash {
    private static final int BYTES = 8;

    private StorageHash() {}

    static String of(ResourceType type) {
        String what = type.group() + "/" + type.storageVersion() + "/" + type.kind();
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(what.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(Arrays.copyOf(digest, BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
