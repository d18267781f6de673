package io.github.reconciler4j.client;

import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.KindMismatchException;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.client.internal.discovery.DiscoveryCache;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The kinds that the API server serves. Requests one group and version at a time, when it is first needed, and keeps the
 * response. A kind that was not found is requested again, at most every 2 seconds, so that a CustomResourceDefinition that is
 * installed later is found. Thread-safe.
 *
 * <!-- snippet: WriteUse -->
 * <pre>{@code
 * return client.discovery().serves(KindName.of("route.openshift.io/v1", "Route"))
 *         && client.discovery().isKubernetesAtLeast(33);
 * }</pre>
 *
 * @since 0.1.0
 */
public interface Discovery {

    /** Create the discovery of the server of a connection; it sends no request yet. */
    static Discovery of(ApiConnection connection) {
        return new DiscoveryCache(connection);
    }

    /**
     * Return the kind that is served under the given name, or empty if none is.
     *
     * @throws ApiException if the request fails
     */
    Optional<ServedKind> find(KindName kind);

    /**
     * Return whether a kind is served. As {@link #find}, but what was found is requested again after a minute, so that a
     * CustomResourceDefinition that was deleted is noticed. If that request fails, the last response counts.
     *
     * @throws ApiException if the request fails and there was no response before
     */
    boolean serves(KindName kind);

    /**
     * Return the kind that is served under the given name, in the version that the server prefers of those that have it.
     *
     * @param group the API group, {@code ""} for the core group
     * @throws ApiException if the request fails
     */
    Optional<ServedKind> findPreferred(String group, String kind);

    /**
     * Return the versions of a group, the preferred one first; empty if there is no such group.
     *
     * @throws ApiException if the request fails
     */
    List<String> versions(String group);

    /**
     * Check that the server serves a kind with the given plural and scope.
     *
     * @return the kind as the server serves it
     * @throws KindNotServedException if the server does not serve it; the message names the CustomResourceDefinition to
     *     install, and the versions that are served
     * @throws KindMismatchException if plural or scope differ from those of the server
     * @throws ApiException if the request fails
     */
    ServedKind check(KindInfo kind);

    /**
     * Return whether the server reports at least the given minor version of Kubernetes 1; false if that is unknown. The first call
     * requests the version, for at most five seconds. A response is kept until {@link #forget()}, as is a refusal; after another
     * failure, the version is requested again ten seconds later. If the thread is interrupted, it stays so, and the result is false.
     *
     * @param minor for example 34 for Kubernetes 1.34
     * @throws IllegalArgumentException if it is negative
     */
    boolean isKubernetesAtLeast(int minor);

    /** Forget all responses. */
    void forget();

    /** Forget the response about the group and version of a kind, which may be outdated. */
    void forget(KindName kind);

    /**
     * A kind as the server serves it. Immutable.
     *
     * @param info kind, plural and scope
     * @param subresources for example {@code status} and {@code scale}
     * @param verbs the verbs that the objects support
     * @since 0.1.0
     */
    record ServedKind(KindInfo info, Set<String> subresources, Set<String> verbs) {

        /** Copy the sets. */
        public ServedKind {
            subresources = Set.copyOf(subresources);
            verbs = Set.copyOf(verbs);
        }
    }
}
