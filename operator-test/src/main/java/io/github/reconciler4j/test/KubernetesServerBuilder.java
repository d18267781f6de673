package io.github.reconciler4j.test;

import java.time.Clock;
import java.time.Duration;

/**
 * Settings of a {@link KubernetesServer}. Each method changes this builder and returns it. For use by one thread.
 *
 * <!-- snippet: ServerUse -->
 * <pre>{@code
 * return KubernetesServer.builder().rbac(true).minorVersion(33).start();
 * }</pre>
 *
 * @since 0.1.0
 */
public interface KubernetesServerBuilder {

    /** Set the port. Default 0, which selects a free port. */
    KubernetesServerBuilder port(int port);

    /**
     * Set whether connections use TLS. Default true. Without TLS, requests need no token and act as the user
     * {@code admin}, because {@code kubectl} sends no token over a plain connection.
     */
    KubernetesServerBuilder https(boolean https);

    /** Set whether TLS connections offer HTTP/2. Default true. */
    KubernetesServerBuilder http2(boolean http2);

    /** Set the number of changes of each resource that are kept for watches that resume. Default 10,000. */
    KubernetesServerBuilder historySize(int changes);

    /** Set the maximum size of a request body in bytes. Default 3 MiB, as for kube-apiserver. */
    KubernetesServerBuilder maxBodyBytes(int bytes);

    /** Set the number of requests that are processed at the same time, not counting watches. Default 16. */
    KubernetesServerBuilder workers(int threads);

    /**
     * Set the minor version of Kubernetes 1 that the server offers: which kinds and versions it serves, and whether it streams lists
     * and selects custom resources by fields. In all else it is like the newest. Default 37.
     *
     * @throws IllegalArgumentException if the server does not offer it; it offers 30 to 37
     */
    KubernetesServerBuilder minorVersion(int minor);

    /** Set whether objects whose owners no longer exist are deleted. Default true. */
    KubernetesServerBuilder garbageCollection(boolean enabled);

    /**
     * Set whether users need permissions through roles and bindings, as on a real cluster. Default false: every user may
     * do everything.
     */
    KubernetesServerBuilder rbac(boolean enabled);

    /** Set the number of requests that {@link KubernetesServer#requests} keeps. Default 10,000. */
    KubernetesServerBuilder requestLogSize(int requests);

    /** Set the clock of timestamps and of token expiry. Default the system clock. Watches and delays use real time. */
    KubernetesServerBuilder clock(Clock clock);

    /** Set the time between two bookmarks of a watch. Default one minute. */
    KubernetesServerBuilder bookmarkInterval(Duration interval);

    /**
     * Set how long a deleted namespace stays {@code Terminating} before its content is deleted. Default 5 seconds, as on a
     * real cluster. Zero makes tests faster that wait until a namespace is gone.
     */
    KubernetesServerBuilder namespaceDeletionDelay(Duration delay);

    /**
     * Set whether the server deletes the content of a deleted namespace, and then the namespace. Default true. With false, a
     * deleted namespace with finalizers in its spec stays {@code Terminating} until a controller removes them.
     */
    KubernetesServerBuilder namespaceDeletion(boolean enabled);

    /**
     * Start the server.
     *
     * @throws IllegalStateException if the port is in use
     */
    KubernetesServer start();
}
