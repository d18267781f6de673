package io.github.reconciler4j.scheme;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part of an object that controllers decide by: its metadata without {@code managedFields}. The cache keeps it
 * decoded for every object, so reading it never costs a decode. Immutable and safe for use by many threads.
 *
 * @since 0.1.0
 */
public interface ObjectHeader {

    /** Namespace and name. */
    ObjectKey key();

    /** {@code metadata.uid}, {@code ""} if unset. */
    String uid();

    /** {@code metadata.resourceVersion}, {@code ""} if unset. */
    String resourceVersion();

    /** {@code metadata.generation}, 0 if the kind has none. */
    long generation();

    /** {@code metadata.labels}; unmodifiable. */
    Map<String, String> labels();

    /** {@code metadata.annotations}; unmodifiable. */
    Map<String, String> annotations();

    /** {@code metadata.ownerReferences}; unmodifiable. */
    List<OwnerRef> ownerReferences();

    /** {@code metadata.finalizers}; unmodifiable. */
    List<String> finalizers();

    /** {@code metadata.creationTimestamp} as the server wrote it, {@code ""} if unset. */
    String creationTimestamp();

    /** {@code metadata.deletionTimestamp} as the server wrote it, null while the object is not being deleted. */
    @Nullable
    String deletionTimestamp();

    /** Whether the object is being deleted. */
    default boolean isBeingDeleted() {
        return deletionTimestamp() != null;
    }
}
