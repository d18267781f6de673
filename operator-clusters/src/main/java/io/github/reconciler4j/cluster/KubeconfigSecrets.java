package io.github.reconciler4j.cluster;

import io.fabric8.kubernetes.api.model.Secret;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.client.connection.Kubeconfig;
import io.github.reconciler4j.handler.EventHandler;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.scheme.LabelMatcher;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.source.KindSource;
import io.github.reconciler4j.source.RequestSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A cluster for each Secret of a namespace that has a label and contains a kubeconfig. The name of the cluster is that of the
 * Secret. The cluster joins when the Secret appears, joins again when the kubeconfig changes, and leaves when the Secret is
 * deleted or loses the label. While the kubeconfig is not valid, the cluster stays as it was.
 *
 * <p>Only these Secrets are watched, in a cache of their own. The operator needs the permission to list and watch Secrets in their
 * namespace.
 *
 * <p>A kubeconfig that executes a command or refers to files is rejected, because the permission to write a Secret must not
 * become a permission to execute and read in the pod of the operator. Credentials and certificates must be embedded. The rest means
 * what it means to {@code kubectl}; see {@link Kubeconfig}. The content is never logged. Thread-safe.
 *
 * <!-- snippet: ClusterUse -->
 * <pre>{@code
 * ClusterProviders.add(manager, KubeconfigSecrets.in(manager, "fleet"));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class KubeconfigSecrets implements ClusterProvider {

    /** The label of the Secrets, with the value {@code true}, unless {@link #withLabelSelector} sets another selector. */
    public static final String LABEL = "reconciler4j.io/kubeconfig";

    private static final String KEY = "kubeconfig";

    private final Manager manager;
    private final String namespace;
    private final LabelMatcher selector;
    private final String key;

    /** The cache from a start of the source to its end. */
    private final AtomicReference<@Nullable Cache> cache = new AtomicReference<>();

    private KubeconfigSecrets(Manager manager, String namespace, LabelMatcher selector, String key) {
        this.manager = manager;
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
        return new KubeconfigSecrets(manager, namespace, LabelMatcher.parse(LABEL + "=true"), KEY);
    }

    /**
     * Return a copy of this provider for the Secrets that a label selector selects.
     *
     * @param labelSelector a selector as for {@code kubectl -l}
     * @throws IllegalArgumentException if it is not a label selector
     */
    public KubeconfigSecrets withLabelSelector(String labelSelector) {
        try {
            return new KubeconfigSecrets(manager, namespace, LabelMatcher.parse(labelSelector), key);
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
        return new KubeconfigSecrets(manager, namespace, selector, newKey);
    }

    @Override
    public String name() {
        return "secrets";
    }

    @Override
    public List<RequiredPermission> requiredPermissions() {
        return List.of(RequiredPermission.watching(Secret.class).inNamespace(namespace));
    }

    @Override
    public RequestSource<String> source() {
        return new Source();
    }

    @Override
    public Optional<Definition> find(String cluster) {
        Cache current = cache.get();
        if (current == null) {
            throw new IllegalStateException("The Secrets with kubeconfigs are not watched: the source has not started");
        }
        return current.get(Secret.class, ObjectKey.of(namespace, cluster)).map(this::definition);
    }

    private Definition definition(Secret secret) {
        String where = "Secret " + namespace + "/" + secret.getMetadata().getName();
        String encoded = secret.getData() == null ? null : secret.getData().get(key);
        if (encoded == null) {
            throw new IllegalArgumentException(where + " has no key '" + key + "'");
        }
        String content = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
        return new Definition(
                Kubeconfig.embedded("The kubeconfig of " + where, content).read(), Checksums.of(content));
    }

    /** Watches the Secrets from each start to its end. */
    private final class Source implements RequestSource<String> {

        @Override
        public String name() {
            return "kubeconfigs of Secrets in " + namespace;
        }

        @Override
        public Running start(RequestSink<String> sink) {
            KindCacheOptions selected = KindCacheOptions.defaults()
                    .withNamespaces(Set.of(namespace))
                    .withLabelSelector(selector.toString());
            Cache own = Cache.create(
                    manager.home().connection(),
                    manager.options().scheme(),
                    CacheOptions.defaults()
                            .withKind(Secret.class, selected)
                            .withTimeSource(manager.options().timeSource()));
            cache.set(own);
            own.start();
            EventHandler<Object, String> names =
                    EventHandlers.mappingHeader(header -> List.of(header.key().name()));
            Running watching = new KindSource<>(own.informer(Secret.class), names, event -> true).start(sink);
            return new Watching(own, watching);
        }
    }

    private record Watching(Cache cache, RequestSource.Running secrets) implements RequestSource.Running {

        @Override
        public void awaitSync(Duration timeout) throws InterruptedException {
            secrets.awaitSync(timeout);
        }

        @Override
        public String notReadyReason() {
            return secrets.notReadyReason();
        }

        @Override
        public int undelivered() {
            return secrets.undelivered();
        }

        @Override
        public boolean isAlive() {
            return secrets.isAlive();
        }

        @Override
        public void close() {
            secrets.close();
            cache.close();
        }
    }

    @Override
    public String toString() {
        return "KubeconfigSecrets[" + namespace + ", " + selector + "]";
    }
}
