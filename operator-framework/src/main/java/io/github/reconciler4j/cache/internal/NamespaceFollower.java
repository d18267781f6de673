package io.github.reconciler4j.cache.internal;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.scheme.LabelSelector;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Has a kind watched in the namespaces whose labels match, as they come, go and change. Is a user of the cached
 * namespaces itself. Safe for use by many threads; {@code this} guards {@code followed}.
 */
final class NamespaceFollower {

    private final KindCache kind;
    private final CachedNamespaces wanted;
    private final LabelSelector labels;
    private final KindCache namespaces;
    private final DefaultSubscription<?> subscription;
    private final Runnable update = this::update;
    private @Nullable Set<String> followed;

    /** Begins to follow; the kind waits for the namespaces until they are known. */
    NamespaceFollower(KindCache kind, CachedNamespaces wanted, KindSlot namespaces) {
        this.kind = kind;
        this.wanted = wanted;
        this.labels = LabelSelector.parse(wanted.labelSelector());
        this.subscription = namespaces.subscribe(
                "namespaces of " + kind.info().resource(),
                namespaces.decoder(GenericKubernetesResource.class),
                event -> update());
        this.namespaces = subscription.kind();
        kind.state().waitsFor(this.namespaces.state());
        this.namespaces.state().follow(update);
        update();
    }

    private synchronized void update() {
        if (!namespaces.hasSynced()) {
            return;
        }
        Set<String> matching = new TreeSet<>();
        for (Entry entry : namespaces.store().list("")) {
            if (labels.matches(entry.labels())) {
                matching.add(entry.name()); // also one being deleted: its objects may have to be finalized
            }
        }
        if (!matching.equals(followed)) {
            followed = matching;
            kind.watch(wanted, matching);
        }
    }

    void close() {
        namespaces.state().unfollow(update);
        subscription.close();
    }
}
