package io.github.reconciler4j.controllers.internal.deployment;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares pod templates and makes names of them. */
final class PodTemplates {

    static final String HASH_LABEL = "pod-template-hash";

    private static final int MAX_NAME_LENGTH = 253;
    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

    private PodTemplates() {}

    /** Return whether two templates make the same pods. The label with the hash is in one of them only. */
    static boolean areEqual(PodTemplateSpec a, PodTemplateSpec b) {
        return Objects.equals(a.getSpec(), b.getSpec())
                && withoutHash(a.getMetadata()).equals(withoutHash(b.getMetadata()));
    }

    private static ObjectMeta withoutHash(@Nullable ObjectMeta metadata) {
        return metadata == null
                ? new ObjectMeta()
                : new ObjectMetaBuilder(metadata).removeFromLabels(HASH_LABEL).build();
    }

    /**
     * Return a short text that depends on the template alone, so that a controller that creates a ReplicaSet twice finds
     * the first one by its name. The collision count makes another text when two templates have the same one.
     */
    static String hash(PodTemplateSpec template, @Nullable Integer collisionCount) {
        String text = Serialization.asJson(template) + (collisionCount == null ? "" : "#" + collisionCount);
        int hash = 0x811c9dc5; // FNV-1a
        for (byte part : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (part & 0xff)) * 0x01000193;
        }
        StringBuilder encoded = new StringBuilder();
        for (char digit : Integer.toUnsignedString(hash).toCharArray()) {
            encoded.append(LETTERS.charAt(digit % LETTERS.length())); // no vowels: no words by accident
        }
        return encoded.toString();
    }

    /** Return the name of a deployment's ReplicaSet, shortened before the hash if it would be too long. */
    static String replicaSetName(String deployment, String hash) {
        int room = MAX_NAME_LENGTH - 1 - hash.length();
        return (deployment.length() > room && room > 0 ? deployment.substring(0, room) : deployment) + "-" + hash;
    }
}
