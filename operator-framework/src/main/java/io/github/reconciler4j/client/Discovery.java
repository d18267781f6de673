package io.github.reconciler4j.client;

import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.KindMismatchException;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.client.internal.discovery.DiscoveryCache;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the API server serves. Asks for one group and version at a time, when somebody first needs it, and keeps the
 * answer; what was not found is asked for again, at most every 2 seconds, so that a CustomResourceDefinition installed
 * later is seen. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public interface Discovery {

    /** A discovery of the server behind a connection; asks nothing yet. */
    static Discovery of(ApiConnection connection) {
        return new DiscoveryCache(connection);
    }

    /**
     * What is served under a kind's full name, empty if nothing is.
     *
     * @throws ApiException if the server cannot be asked
     */
    Optional<ServedKind> find(GroupVersionKind kind);

    /**
     * What is served under a kind in the version that the server prefers of those that have it.
     *
     * @param group the API group, {@code ""} for the core group
     * @throws ApiException if the server cannot be asked
     */
    Optional<ServedKind> findPreferred(String group, String kind);

    /**
     * The versions of a group, the preferred one first; empty if there is no such group.
     *
     * @throws ApiException if the server cannot be asked
     */
    List<String> versions(String group);

    /**
     * Compares a kind with what is served.
     *
     * @return what is served
     * @throws KindNotServedException if it is not served; the message names the CustomResourceDefinition to install, or
     *     the versions there are
     * @throws KindMismatchException if plural or scope are others than the server's
     * @throws ApiException if the server cannot be asked
     */
    ServedKind check(KindInfo kind);

    /** Forgets all answers. */
    void forget();

    /**
     * A kind as the server serves it. Immutable.
     *
     * @param info kind, plural and scope
     * @param subresources for instance {@code status} and {@code scale}
     * @param verbs what can be done with the objects
     */
    record ServedKind(KindInfo info, Set<String> subresources, Set<String> verbs) {

        /** Copies the sets. */
        public ServedKind {
            subresources = Set.copyOf(subresources);
            verbs = Set.copyOf(verbs);
        }
    }
}
