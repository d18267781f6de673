package io.github.reconciler4j.cluster;

import io.fabric8.kubernetes.api.model.Secret;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.scheme.LabelSelector;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.source.EventSource;
import io.github.reconciler4j.source.KindSource;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A cluster for each Secret of a namespace that has a label and contains a kubeconfig. The name of the cluster is that of the
 * Secret. The cluster joins when the Secret appears, joins again when the kubeconfig changes, and leaves when the Secret is
 * deleted or loses the label. While the kubeconfig is not valid, the cluster stays as it was.
 *
 * <p>The Secrets are watched with the cache of the manager. To cache only these, set the namespaces and the label selector of
 * the kind: {@code CacheOptions.withKind(Secret.class, ...)}. The operator needs the permission to list and watch them.
 *
 * <p>A kubeconfig that executes a command or refers to files is rejected, because the permission to write a Secret must not
 * become a permission to execute and read in the pod of the operator. Credentials and certificates must be embedded. Their content is never
 * logged. Immutable and thread-safe.
 *
 * @since 0.1.0
 */
public final class KubeconfigSecrets implements ClusterProvider {

    /** The label of the Secrets, with the value {@code true}, unless {@link #withLabelSelector} sets another selector. */
    public static final String LABEL = "reconciler4j.io/kubeconfig";

    private static final String KEY = "kubeconfig";

    private final Cache cache;
    private final String namespace;
    private final LabelSelector selector;
    private final String key;

    private KubeconfigSecrets(Cache cache, String namespace, LabelSelector selector, String key) {
        this.cache = cache;
        this.namespace = namespace;
        this.selector = selector;
        this.key = key;
    }

    /**
     * Return a provider for the Secrets of a namespace in the cluster of a manager.
     *
     * @throws IllegalArgumentException if the namespace is blank
     */
    public static KubeconfigSecrets in(Manager manager, String namespace) {
        if (namespace.isBlank()) {
            throw new IllegalArgumentException("'namespace' must not be blank");
        }
        return new KubeconfigSecrets(manager.cache(), namespace, LabelSelector.parse(LABEL + "=true"), KEY);
    }

    /**
     * Return a copy of this provider for the Secrets that a label selector selects.
     *
     * @param labelSelector a selector as for {@code kubectl -l}
     * @throws IllegalArgumentException if it is not a label selector
     */
    public KubeconfigSecrets withLabelSelector(String labelSelector) {
        try {
            return new KubeconfigSecrets(cache, namespace, LabelSelector.parse(labelSelector), key);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'labelSelector' is not valid: " + e.getMessage(), e);
        }
    }

    /**
     * Return a copy of this provider that reads the kubeconfig from another key of the Secrets than {@code kubeconfig}.
     *
     * @throws IllegalArgumentException if the key is blank
     */
    public KubeconfigSecrets withKey(String newKey) {
        if (newKey.isBlank()) {
            throw new IllegalArgumentException("'key' must not be blank");
        }
        return new KubeconfigSecrets(cache, namespace, selector, newKey);
    }

    @Override
    public String name() {
        return "secrets";
    }

    @Override
    public EventSource<String> source() {
        return new KindSource<>(
                cache.informer(Secret.class),
                EventHandlers.<String>mappingHeader(
                        header -> header.key().namespace().equals(namespace)
                                ? List.of(header.key().name())
                                : List.of()),
                event -> true);
    }

    @Override
    public Optional<Definition> find(String cluster) {
        return cache.get(Secret.class, ObjectKey.of(namespace, cluster))
                .filter(secret -> selector.matches(
                        Objects.requireNonNullElse(secret.getMetadata().getLabels(), Map.of())))
                .map(this::definition);
    }

    private Definition definition(Secret secret) {
        String where = "Secret " + namespace + "/" + secret.getMetadata().getName();
        String encoded = secret.getData() == null ? null : secret.getData().get(key);
        if (encoded == null) {
            throw new IllegalArgumentException(where + " has no key '" + key + "'");
        }
        byte[] content = Base64.getDecoder().decode(encoded);
        return Kubeconfig.embedded(where, new String(content, StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return "KubeconfigSecrets[" + namespace + ", " + selector + "]";
    }
}
