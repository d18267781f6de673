package io.github.reconciler4j.cache.random;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.reconciler4j.cache.ObjectTransform;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Transforms that a cache under test may have; those that fail change the object before. */
enum RandomTransform {
    NONE(null),
    CONTENT(object -> content(object).put("value", content(object).get("value") + "!")),
    LABELS(object -> {
        Map<String, Object> labels = labels(object);
        labels.remove("app");
        labels.put("seen", "yes");
    }),
    FAILING(object -> {
        labels(object).put("seen", "yes");
        if (name(object).compareTo("c") < 0) {
            throw new IllegalStateException("does not like it");
        }
    }),
    RENAMING(object -> {
        labels(object).put("seen", "yes");
        if (name(object).compareTo("c") > 0) {
            part(object, "metadata").put("name", "other");
        }
    }),
    FORGETTING(object -> part(object, "metadata").remove("ownerReferences"));

    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final @Nullable ObjectTransform transform;

    RandomTransform(@Nullable ObjectTransform transform) {
        this.transform = transform;
    }

    Optional<ObjectTransform> transform() {
        return Optional.ofNullable(transform);
    }

    /** What is to be kept of an object. */
    JsonNode keeps(JsonNode object, boolean lastApplied) {
        Map<String, Object> before = map(object);
        if (!lastApplied && part(before, "metadata").get("annotations") instanceof Map<?, ?> annotations) {
            annotations.remove(LAST_APPLIED);
        }
        Map<String, Object> after = map(MAPPER.valueToTree(before));
        boolean applies = transform != null;
        try {
            if (transform != null) {
                transform.transform(after);
            }
        } catch (RuntimeException e) {
            applies = false;
        }
        return MAPPER.valueToTree(applies && name(after).equals(name(before)) ? after : before);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(JsonNode object) {
        return MAPPER.convertValue(object, LinkedHashMap.class);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> part(Map<String, Object> object, String name) {
        return (Map<String, Object>) object.get(name);
    }

    private static String name(Map<String, Object> object) {
        return (String) part(object, "metadata").get("name");
    }

    private static Map<String, Object> content(Map<String, Object> object) {
        return part(object, object.containsKey("data") ? "data" : "spec");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> labels(Map<String, Object> object) {
        return (Map<String, Object>)
                part(object, "metadata").computeIfAbsent("labels", absent -> new LinkedHashMap<>());
    }
}
