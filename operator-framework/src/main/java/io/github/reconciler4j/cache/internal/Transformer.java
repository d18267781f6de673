package io.github.reconciler4j.cache.internal;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.reconciler4j.cache.ObjectTransform;
import io.github.reconciler4j.scheme.KindInfo;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applies the transform of a user to an object that was read. To be used by one thread. */
final class Transformer {

    private static final Logger LOG = LoggerFactory.getLogger(Transformer.class);
    private static final TypeReference<LinkedHashMap<String, Object>> TREE = new TypeReference<>() {};

    private static final List<String> IDENTITY = List.of("name", "namespace", "uid", "resourceVersion");

    private final KindInfo kind;
    private final ObjectTransform transform;
    private final ObjectMapper mapper;
    private boolean warned;

    Transformer(KindInfo kind, ObjectTransform transform, ObjectMapper mapper) {
        this.kind = kind;
        this.transform = transform;
        this.mapper = mapper;
    }

    /** What a transform must leave as it is. */
    private static List<String> identity(Map<String, Object> tree) {
        Map<?, ?> metadata = tree.get("metadata") instanceof Map<?, ?> map ? map : Map.of();
        return IDENTITY.stream()
                .map(field -> String.valueOf(metadata.get(field)))
                .toList();
    }

    /** Replaces the object; false if the transform failed and the object stays as it is. */
    boolean transform(ItemReader items) throws IOException {
        byte[] changed;
        try {
            Map<String, Object> tree =
                    mapper.readValue(items.object().array(), 0, items.object().size(), TREE);
            List<String> identity = identity(tree);
            run(tree);
            if (!identity(tree).equals(identity)) {
                throw new ChangedIdentity("it changed name, namespace, uid or resourceVersion");
            }
            changed = mapper.writeValueAsBytes(tree);
        } catch (Throwable e) { // also an Error: it must not keep all other objects out
            if (!warned) {
                warned = true;
                LOG.warn(
                        "The transform of {} failed with {}; such objects are kept as they came",
                        kind.resource(),
                        e instanceof ChangedIdentity
                                ? e.getMessage()
                                : e.getClass().getName());
            }
            return false;
        }
        items.read(new JsonScanner(changed, changed.length));
        return true;
    }

    /** Run the user's code. An interrupt that it leaves must not end the request that is being read. */
    private void run(Map<String, Object> tree) {
        try {
            transform.transform(tree);
        } finally {
            Thread.interrupted();
        }
    }

    /** Its message may be shown, that of others may have content of the object in it. */
    private static final class ChangedIdentity extends RuntimeException {

        private static final long serialVersionUID = 1L;

        ChangedIdentity(String message) {
            super(message);
        }
    }
}
