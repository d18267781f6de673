package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.cache.KindUnavailableException;
import io.github.reconciler4j.cache.NotCachedException;
import io.github.reconciler4j.client.RequestInterruptedException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether a kind, or a namespace of it, can be read, and why not. A namespace can be read as soon as its own watch has
 * brought its first list, whatever keeps others.
 */
final class KindReadiness {

    private final KindCache kind;
    private final String namespace;

    /** The readiness of a namespace, {@code ""} for all. */
    KindReadiness(KindCache kind, String namespace) {
        this.kind = kind;
        this.namespace = kind.info().namespaced() ? namespace : "";
    }

    /** Whether it can be read now. */
    boolean isReady() {
        if (namespace.isEmpty()) {
            return kind.hasSynced();
        }
        Progress watch = kind.watches().progress(namespace);
        return watch == null ? kind.hasSynced() : !watch.position().isEmpty();
    }

    /**
     * Waits until it can be read; fails at once if it will not be before a person does something.
     *
     * @throws NotCachedException if the namespace is not watched and never was
     */
    void await(Duration timeout, boolean fixedNamespaces) {
        if (!isReady()) {
            waitFor(timeout);
        }
        if (fixedNamespaces && !namespace.isEmpty() && kind.watches().scope(namespace) == null) {
            throw new NotCachedException("The namespace " + namespace + " of "
                    + kind.info().resource()
                    + " is not cached: add it to the namespaces of the kind in CacheOptions, or read live");
        }
    }

    private void waitFor(Duration timeout) {
        boolean inTime;
        try {
            inTime = kind.state().await(() -> isReady() || needsPerson(), timeout.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RequestInterruptedException(
                    "Interrupted while waiting for the cache of " + kind.info().resource());
        }
        if (!isReady()) {
            throw failure(inTime, timeout);
        }
    }

    private boolean needsPerson() {
        return trouble().filter(trouble -> trouble.type().needsPerson()).isPresent();
    }

    private Optional<Trouble> trouble() {
        @Nullable Scope scope = namespace.isEmpty() ? null : kind.watches().scope(namespace);
        return scope == null ? kind.state().trouble() : kind.state().trouble(scope);
    }

    /**
     * What to throw if it cannot be read.
     *
     * @param inTime whether waiting ended before the timeout
     */
    RuntimeException failure(boolean inTime, Duration timeout) {
        String resource = kind.info().resource();
        if (kind.state().isClosed()) {
            return new IllegalStateException("The cache was closed before " + resource + " synced");
        }
        Optional<Trouble> trouble = trouble();
        if (inTime && trouble.isPresent()) {
            return new KindUnavailableException(
                    trouble.get().message(), trouble.get().code());
        }
        return new CacheSyncTimeoutException("The cache of " + resource + " has not synced within " + timeout + ": "
                + trouble.map(Trouble::message).orElse(kind.obstacle()));
    }
}
