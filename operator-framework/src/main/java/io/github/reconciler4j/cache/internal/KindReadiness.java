package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.cache.KindUnavailableException;
import io.github.reconciler4j.cache.NotCachedException;
import io.github.reconciler4j.cache.internal.watch.PartFilter;
import io.github.reconciler4j.cache.internal.watch.Scope;
import io.github.reconciler4j.cache.internal.watch.SyncFailure;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import java.time.Duration;
import java.util.Optional;

/**
 * Whether a kind, or a namespace of it, can be read, and why not. A namespace can be read as soon as its own watch has
 * delivered its initial list, regardless of other kinds. Thread-safe.
 */
final class KindReadiness {

    private final KindStore kind;
    private final String namespace;
    private final boolean bodies;

    /**
     * Create the readiness of a namespace, {@code ""} for all.
     *
     * @param bodies whether bodies are to be read, or metadata only
     */
    KindReadiness(KindStore kind, String namespace, boolean bodies) {
        this.kind = kind;
        this.namespace = kind.info().namespaced() ? namespace : "";
        this.bodies = bodies;
    }

    /** Return whether the API server serves a kind as far as that is known without a request. */
    static Optional<Boolean> serves(WatchedKind kind) {
        KindPresence optional = kind.presence();
        if (optional != null) {
            return optional.isServed();
        }
        KindStore known = kind.current();
        boolean missing = isMissing(known);
        boolean watched = kind.isUsed() && !known.watches().all().isEmpty();
        return watched && (missing || known.hasSynced(false)) ? Optional.of(!missing) : Optional.empty();
    }

    /** Return whether a watch has found that the API server does not serve the kind. */
    static boolean isMissing(KindStore store) {
        return store.state()
                .failure()
                .filter(failure -> failure.type() == SyncFailure.Type.MISSING)
                .isPresent();
    }

    /** Return whether it can be read now: its own watch has delivered its initial list. */
    boolean isReady() {
        ScopeWatches.Watch watch = namespace.isEmpty() ? null : kind.watches().covering(namespace);
        if (watch == null) {
            return kind.hasSynced(bodies);
        }
        boolean listed = watch.store().isListed() && isHeld(watch);
        return listed && (!bodies || !kind.storesBodies() || watch.store().hasBodies());
    }

    /** Return whether the part of the namespace is not held, or was listed. */
    private boolean isHeld(ScopeWatches.Watch watch) {
        PartFilter filter = kind.parts().filter();
        return filter.selectsNothing(namespace) || watch.store().hasParts(filter, namespace);
    }

    /** Return the failure of the scope that covers the namespace, or the most severe one. */
    private Optional<SyncFailure> failure() {
        Scope scope = namespace.isEmpty() ? null : kind.watches().scope(namespace);
        return scope == null ? kind.state().failure() : kind.state().failure(scope);
    }

    /**
     * Wait until a namespace of a kind, {@code ""} for all, can be read; fail at once if that requires
     * action. Starts to watch a kind that has no users, and again if it is dropped meanwhile. Returns an empty store for an
     * optional kind that is not served.
     *
     * @throws NotCachedException if the namespace is not watched and never was
     */
    static KindStore await(WatchedKind watched, String namespace, boolean bodies, Duration timeout) {
        KindPresence presence = watched.presence();
        if (presence != null) {
            presence.awaitKnown(timeout);
        }
        while (true) {
            KindStore kind = watched.reading(bodies);
            if (kind == null) {
                return watched.current();
            }
            if (new KindReadiness(kind, namespace, bodies).await(watched, timeout)) {
                return kind;
            }
        }
    }

    /** Wait; false if the kind was dropped meanwhile, because what it says of its watches means nothing then. */
    private boolean await(WatchedKind watched, Duration timeout) {
        boolean ready = isReady();
        boolean inTime = ready || waitFor(watched, timeout);
        if (!ready && watched.isAbsent()) {
            return false;
        }
        ready = ready || isReady(); // one that was ready stays so for this read, though its watch may be another by now
        boolean covered = namespace.isEmpty() || kind.watches().scope(namespace) != null;
        boolean mistaken = !covered && watched.hasFixedNamespaces(); // in this order: a plan changes before its watches
        if ((!ready || mistaken) && watched.isDropped(kind)) {
            return false;
        }
        if (!ready) {
            throw failure(inTime, timeout);
        }
        if (mistaken) {
            throw new NotCachedException("The namespace " + namespace + " of "
                    + kind.info().resource() + " is not cached: add it to the namespaces of the kind in CacheOptions,"
                    + " or read from the API server with client.live() (R4J-113)");
        }
        if (kind.parts().filter().selectsNothing(namespace) && !namespace.isEmpty()) {
            throw new NotCachedException("The namespace " + namespace + " of "
                    + kind.info().resource()
                    + " belongs to a part that this process does not hold: if controllers refer to"
                    + " objects of other namespaces, give the kind PartitionKey.whole() in KindCacheOptions, or read from the"
                    + " API server with client.live() (R4J-119)");
        }
        return true;
    }

    /** The presence of an optional kind decides what it means that the kind is missing. */
    private boolean waitFor(WatchedKind watched, Duration timeout) {
        boolean optional = watched.presence() != null;
        try {
            return kind.state().await(() -> isReady() || watched.isAbsent() || requiresAction(optional), timeout);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RequestInterruptedException(
                    "Interrupted while waiting for the cache of " + kind.info().resource());
        }
    }

    private boolean requiresAction(boolean optional) {
        return failure()
                .filter(failure -> failure.type().requiresAction())
                .filter(failure -> !optional || failure.type() != SyncFailure.Type.MISSING)
                .isPresent();
    }

    /**
     * Return what to throw if it cannot be read.
     *
     * @param inTime whether the wait ended before the timeout
     */
    RuntimeException failure(boolean inTime, Duration timeout) {
        String resource = kind.info().resource();
        if (kind.state().isClosed()) {
            return new IllegalStateException("The cache was closed before " + resource + " synced");
        }
        Optional<SyncFailure> failure = failure();
        if (inTime && failure.isPresent()) {
            return new KindUnavailableException(
                    failure.get().message(), failure.get().code());
        }
        return new CacheSyncTimeoutException("The cache of " + resource + " has not synced within " + timeout + ": "
                + failure.map(SyncFailure::message).orElseGet(kind::notReadyReason));
    }
}
