package io.github.reconciler4j.external;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.support.KubernetesJson;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What an owner remembers of its resource, in an annotation. Immutable. Texts that are not known are empty.
 *
 * @param owner the uid of the owner, so that a copy of the owner does not claim the resource
 * @param id what the provider called the resource
 * @param attempt a creation that was started and may be under way
 * @param earlier whether one before {@code attempt} may be under way, too
 * @param deletion a deletion that was started
 */
record ExternalRecord(
        String owner, String key, String variant, String id, String attempt, boolean earlier, String deletion) {

    /** JSON may need six characters for one of the id. */
    private static final int MAX_TEXT = 6 * ExternalIds.MAX_LENGTH + 10_000;

    /** The annotation cannot be used. */
    static final class UnclearRecordException extends Exception {
        private static final long serialVersionUID = 1L;

        UnclearRecordException(String message) {
            super(message);
        }
    }

    static ExternalRecord empty(HasMetadata owner, String key, String variant) {
        return new ExternalRecord(owner.getMetadata().getUid(), key, variant, "", "", false, "");
    }

    /** Read the record of an owner. What a person leaves out is completed from {@code fresh}. */
    static Optional<ExternalRecord> read(HasMetadata object, String annotation, ExternalRecord fresh)
            throws UnclearRecordException {
        Map<String, String> annotations =
                Objects.requireNonNullElse(object.getMetadata().getAnnotations(), Map.of());
        String text = annotations.getOrDefault(annotation, "");
        if (text.isBlank()) {
            return Optional.empty();
        }
        JsonNode tree = parse(text, annotation);
        String key = text(tree, "key");
        ExternalRecord record = new ExternalRecord(
                text(tree, "owner").isEmpty() ? fresh.owner : text(tree, "owner"),
                key.isEmpty() ? fresh.key : key,
                tree.has("variant") || !key.isEmpty() ? text(tree, "variant") : fresh.variant,
                text(tree, "id"),
                text(tree, "attempt"),
                tree.path("earlier").asBoolean(),
                text(tree, "deletion"));
        if (!record.owner.equals(fresh.owner)) {
            throw new UnclearRecordException("Annotation " + annotation
                    + " was copied from another object, whose resource it names. Remove it for a resource of its own, or"
                    + " remove \"owner\" from it to take over the resource of a deleted owner (R4J-281)");
        }
        return Optional.of(record);
    }

    private static JsonNode parse(String text, String annotation) throws UnclearRecordException {
        String problem = "Annotation " + annotation
                + " cannot be read. Correct it to {\"id\":\"...\"} with the id of the resource (R4J-282)";
        if (text.length() > MAX_TEXT) {
            throw new UnclearRecordException(problem);
        }
        try {
            JsonNode tree = KubernetesJson.mapper().readTree(text);
            if (tree == null || !tree.isObject()) {
                throw new UnclearRecordException(problem);
            }
            for (JsonNode value : tree) {
                if (!value.isTextual() && !value.isBoolean()) {
                    throw new UnclearRecordException(problem);
                }
            }
            return tree;
        } catch (JsonProcessingException e) {
            throw new UnclearRecordException(problem); // without the cause, which has the text
        }
    }

    private static String text(JsonNode tree, String field) {
        JsonNode value = tree.path(field);
        return value.isTextual() ? value.asText().strip() : "";
    }

    String json() {
        ObjectNode tree = KubernetesJson.mapper().createObjectNode();
        tree.put("owner", owner).put("key", key);
        putText(tree, "variant", variant);
        putText(tree, "id", id);
        putText(tree, "attempt", attempt);
        if (earlier) {
            tree.put("earlier", true);
        }
        putText(tree, "deletion", deletion);
        return tree.toString();
    }

    private static void putText(ObjectNode tree, String field, String value) {
        if (!value.isEmpty()) {
            tree.put(field, value);
        }
    }

    ExternalId external() {
        return new ExternalId(key, id, variant);
    }

    /** Return whether there may be a resource. */
    boolean isBegun() {
        return !attempt.isEmpty() || !id.isEmpty();
    }

    boolean isAttempted() {
        return !attempt.isEmpty();
    }

    boolean isDeleting() {
        return !deletion.isEmpty();
    }

    ExternalRecord started(String newAttempt, boolean others) {
        return new ExternalRecord(owner, key, variant, "", newAttempt, others, deletion);
    }

    ExternalRecord named(String newId) {
        return new ExternalRecord(owner, key, variant, newId, attempt, earlier, deletion);
    }

    ExternalRecord settled() {
        return new ExternalRecord(owner, key, variant, id, "", false, deletion);
    }

    ExternalRecord deleting(String newDeletion) {
        return new ExternalRecord(owner, key, variant, id, attempt, earlier, newDeletion);
    }
}
