package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.cache.KindUnavailableException;
import io.github.reconciler4j.cache.NotCachedException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
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
     * Waits until a namespace of a kind, {@code ""} for all, can be read; fails at once if it will not be before a
     * person does something. Begins to watch a kind that nobody uses, and again if it is dropped while this waits.
     *
     * @throws NotCachedException if the namespace is not watched and never was
     */
    static KindCache await(KindSlot slot, String namespace, Duration timeout) {
        KindCache kind = slot.reading();
        while (!new KindReadiness(kind, namespace).await(slot, timeout)) {
            kind = slot.reading();
        }
        return kind;
    }

    /** Waits; false if the kind was dropped meanwhile: what it says of its watches means nothing then. */
    private boolean await(KindSlot slot, Duration timeout) {
        boolean ready = isReady();
        boolean inTime = ready || waitFor(timeout);
        ready = ready || isReady(); // one that was ready stays so for this read, though its watch may be another by now
        boolean watched = namespace.isEmpty() || kind.watches().scope(namespace) != null;
        boolean mistaken =
                !watched && slot.areNamespacesFixed(); // in this order: a change of plan comes before its doing
        if ((!ready || mistaken) && slot.isDropped(kind)) {
            return false;
        }
        if (!ready) {
            throw failure(inTime, timeout);
        }
        if (mistaken) {
            throw new NotCachedException("The namespace " + namespace + " of "
                    + kind.info().resource()
                    + " is not cached: add it to the namespaces of the kind in CacheOptions, or read live");
        }
        return true;
    }

    private boolean waitFor(Duration timeout) {
        try {
            return kind.state().await(() -> isReady() || requiresAction(), timeout.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RequestInterruptedException(
                    "Interrupted while waiting for the cache of " + kind.info().resource());
        }
    }

    private boolean requiresAction() {
        return failure().filter(trouble -> trouble.type().requiresAction()).isPresent();
    }

    private Optional<SyncFailure> failure() {
        @Nullable Scope scope = namespace.isEmpty() ? null : kind.watches().scope(namespace);
        return scope == null ? kind.state().failure() : kind.state().failure(scope);
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
        Optional<SyncFailure> trouble = failure();
        if (inTime && trouble.isPresent()) {
            return new KindUnavailableException(
                    trouble.get().message(), trouble.get().code());
        }
        return new CacheSyncTimeoutException("The cache of " + resource + " has not synced within " + timeout + ": "
                + trouble.map(SyncFailure::message).orElse(kind.notReadyReason()));
    }
}
