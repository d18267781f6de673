package io.github.reconciler4j.client.internal.apply;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Digests of JSON that do not depend on the order of members; 128 bits of SHA-256. */
final class JsonDigest {

    private final MessageDigest digest;

    private JsonDigest() {
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    /** Return the digest of a tree and a text. */
    static Value of(JsonNode tree, String text) {
        JsonDigest digest = new JsonDigest();
        digest.text(text);
        digest.node(tree);
        return digest.value();
    }

    /**
     * Return the digest of those parts of {@code actual} that {@code mask} has too. Members of objects are compared by name;
     * everything else, lists included, is taken as a whole from {@code actual}.
     */
    static Value ofMasked(JsonNode actual, JsonNode mask) {
        JsonDigest digest = new JsonDigest();
        digest.masked(actual, mask);
        return digest.value();
    }

    private Value value() {
        ByteBuffer bytes = ByteBuffer.wrap(digest.digest());
        return new Value(bytes.getLong(), bytes.getLong());
    }

    private void masked(@Nullable JsonNode actual, JsonNode mask) {
        if (actual == null || !actual.isObject() || !mask.isObject()) {
            node(actual);
            return;
        }
        digest.update((byte) '{');
        for (String name : names(mask)) {
            text(name);
            masked(actual.get(name), mask.path(name));
        }
        digest.update((byte) '}');
    }

    private void node(@Nullable JsonNode node) {
        if (node == null || node.isNull()) {
            digest.update((byte) '0');
        } else if (node.isObject()) {
            digest.update((byte) '{');
            for (String name : names(node)) {
                text(name);
                node(node.get(name));
            }
            digest.update((byte) '}');
        } else if (node.isArray()) {
            digest.update((byte) '[');
            node.forEach(this::node);
            digest.update((byte) ']');
        } else {
            digest.update((byte) (node.isTextual() ? 's' : 'v'));
            text(node.asText());
        }
    }

    private void text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(4).putInt(bytes.length).flip());
        digest.update(bytes);
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
