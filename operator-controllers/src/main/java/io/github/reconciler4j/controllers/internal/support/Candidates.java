package io.github.reconciler4j.controllers.internal.support;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.OwnerRef;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the objects of a kind that an owner has to look at: its own, and those without a controller, which it may adopt.
 * An index keeps it from reading all other objects of the namespace.
 *
 * <p>Safe for use by many threads.
 *
 * @param <T> the kind
 * @since 0.1.0
 */
public final class Candidates<T extends HasMetadata> {

    private static final String ORPHANS = "orphans";

    private final Client client;
    private final Cache cache;
    private final Class<T> type;
    private volatile boolean indexed;

    /** Create one for a kind. Its first use adds the index to the cache, so that a controller that is not built adds none. */
    public Candidates(Client client, Cache cache, Class<T> type) {
        this.client = client;
        this.cache = cache;
        this.type = type;
    }

    private void addIndex() {
        try {
            cache.informer(type).addIndex(ORPHANS, object -> {
                ObjectHeader header = object.header();
                return isOrphan(header) ? List.of(header.key().namespace()) : List.of();
            });
        } catch (IllegalStateException e) {
            // Another controller has added it for the same kind.
        }
        indexed = true;
    }

    /** Return whether an object has no controller. */
    public static boolean isOrphan(ObjectHeader header) {
        return header.ownerReferences().stream().noneMatch(OwnerRef::controller);
    }

    /** Return the objects that an owner may claim. */
    public List<T> of(HasMetadata owner) {
        if (!indexed) {
            addIndex();
        }
        String namespace = owner.getMetadata().getNamespace();
        List<T> candidates = new ArrayList<>(client.listOwned(owner, type));
        candidates.removeIf(object -> OwnerReferences.controllerOf(object).isEmpty()); // which comes with the orphans
        candidates.addAll(client.list(
                Kind.of(type), Selection.inNamespace(namespace).withFieldSelector(ORPHANS + "=" + namespace)));
        return candidates;
    }
}
