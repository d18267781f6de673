package io.github.reconciler4j.webhook;

import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request that the API server asks a webhook about. Thread-safe, except for the object that {@link #oldObject} returns.
 *
 * <!-- snippet: BucketRules -->
 * <pre>{@code
 * Defaulter<Bucket> bucketDefaults() {
 *     return (bucket, request) -> bucket.getMetadata()
 *             .getLabels()
 *             .putIfAbsent("creator", request.user().name());
 * }
 * }</pre>
 *
 * @param <T> the class of the object
 * @since 0.1.0
 */
public interface AdmissionRequest<T> {

    /** Return the ID of the call. */
    String uid();

    /** Return what the user does. */
    Operation operation();

    /** Return the kind in the version that the webhook is registered for. */
    KindName kind();

    /** Return the kind in the version that the user sent. */
    KindName requestKind();

    /** Return the namespace and name of the object. The name is empty while the API server has not generated it. */
    ObjectKey key();

    /** Return the subresource, for instance {@code status}, or {@code ""} for the object itself. */
    String subresource();

    /** Return who sent the request. */
    User user();

    /**
     * Return whether the request is a dry run: nothing is stored, and the webhook must not have side effects. Writes of the
     * client of the manager on the calling thread are dry runs then, see
     * {@link io.github.reconciler4j.client.DryRunScope}.
     */
    boolean dryRun();

    /**
     * Return a new copy of the object as it is stored, empty if it is created.
     *
     * @throws IllegalStateException if the stored object does not fit its class
     */
    Optional<T> oldObject();

    /**
     * Who sent a request. Immutable.
     *
     * @param name the name of the user, for instance {@code system:serviceaccount:default:builder}
     * @param uid the unique ID of the user, {@code ""} if the API server knows none
     * @param groups the groups of the user
     * @param extra additional attributes of the user
     * @since 0.1.0
     */
    record User(String name, String uid, List<String> groups, Map<String, List<String>> extra) {

        /** Copy the collections. */
        public User {
            groups = List.copyOf(groups);
            extra = Map.copyOf(extra);
        }
    }
}
