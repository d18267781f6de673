package io.github.reconciler4j.scheme;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of an object without {@code managedFields}. The cache stores it decoded for every object, so a read of it
 * never decodes the object. Immutable.
 *
 * <!-- snippet: KindUse -->
 * <pre>{@code
 * return header.isBeingDeleted() && header.finalizers().contains("example.com/page");
 * }</pre>
 *
 * @since 0.1.0
 */
public interface ObjectHeader {

    /** Return the namespace and name. */
    ObjectKey key();

    /** Return {@code metadata.uid}, {@code ""} if unset. */
    String uid();

    /** Return {@code metadata.resourceVersion}, {@code ""} if unset. */
    String resourceVersion();

    /** Return {@code metadata.generation}, 0 if the kind has none. */
    long generation();

    /** Return {@code metadata.labels}; unmodifiable. */
    Map<String, String> labels();

    /** Return {@code metadata.annotations}; unmodifiable. */
    Map<String, String> annotations();

    /** Return {@code metadata.ownerReferences}; unmodifiable. */
    List<OwnerRef> ownerReferences();

    /** Return {@code metadata.finalizers}; unmodifiable. */
    List<String> finalizers();

    /** Return {@code metadata.creationTimestamp} as the API server wrote it, {@code ""} if unset. */
    String creationTimestamp();

    /** Return {@code metadata.deletionTimestamp} as the API server wrote it, null while the object is not being deleted. */
    @Nullable
    String deletionTimestamp();

    /** Return whether the object is being deleted. */
    default boolean isBeingDeleted() {
        return deletionTimestamp() != null;
    }
}
