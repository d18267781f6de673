package io.github.reconciler4j.cache.internal.storage;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.reconciler4j.cache.ObjectTransform;
import io.github.reconciler4j.cache.internal.json.ItemReader;
import io.github.reconciler4j.cache.internal.json.JsonReader;
import io.github.reconciler4j.scheme.KindInfo;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies a user's transform to objects. If it fails, the object is kept as it was received. Confined to one thread.
 *
 * @since 0.1.0
 */
public final class Transformer {

    private static final Logger LOG = LoggerFactory.getLogger(Transformer.class);
    private static final TypeReference<Map<String, Object>> TREE = new TypeReference<>() {};
    private static final List<String> IDENTITY = List.of("name", "namespace", "uid", "resourceVersion");

    private final KindInfo kind;
    private final ObjectTransform transform;
    private final ObjectMapper mapper;
    private boolean warned;

    /**
     * Create it.
     *
     * @param bodies whether objects come with their bodies; a transform of bodies may fail on metadata alone
     */
    public Transformer(KindInfo kind, ObjectTransform transform, ObjectMapper mapper, boolean bodies) {
        this.kind = kind;
        this.transform = transform;
        this.mapper = mapper;
        this.warned = !bodies;
    }

    /** Return what a transform must not change. */
    private static List<String> identity(Map<String, Object> tree) {
        Map<?, ?> metadata = tree.get("metadata") instanceof Map<?, ?> map ? map : Map.of();
        return IDENTITY.stream()
                .map(field -> String.valueOf(metadata.get(field)))
                .toList();
    }

    /** Replace the object that was read last; false if the transform failed and the object stays as it is. */
    boolean transform(ItemReader items) throws IOException {
        byte[] changed;
        try {
            Map<String, Object> tree =
                    mapper.readValue(items.object().array(), 0, items.object().size(), TREE);
            List<String> identity = identity(tree);
            run(tree);
            if (!identity(tree).equals(identity)) {
                throw new ChangedIdentityException();
            }
            changed = mapper.writeValueAsBytes(tree);
        } catch (Throwable e) { // an Error as well: it must not keep all other objects out
            warn(e);
            return false;
        }
        items.read(new JsonReader(changed, changed.length));
        return true;
    }

    /** Run the user's code. An interrupt that it causes must not end the request that is being read. */
    private void run(Map<String, Object> tree) {
        try {
            transform.transform(tree);
        } finally {
            Thread.interrupted();
        }
    }

    /** Messages of other exceptions may contain content of the object. */
    private void warn(Throwable failure) {
        if (!warned) {
            warned = true;
            LOG.warn(
                    "Transform of {} failed with {}; such objects are kept as they were received",
                    kind.resource(),
                    failure instanceof ChangedIdentityException
                            ? failure.getMessage()
                            : failure.getClass().getName());
        }
    }

    private static final class ChangedIdentityException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ChangedIdentityException() {
            super("it changed name, namespace, uid or resourceVersion");
        }
    }
}
