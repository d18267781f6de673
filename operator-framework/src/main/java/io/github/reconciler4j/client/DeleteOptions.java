package io.github.reconciler4j.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.github.reconciler4j.client.error.ConflictException;
import java.time.Duration;
import java.util.Optional;

/**
 * Settings of one deletion. Immutable.
 *
 * @param dryRun whether the server only says what would happen (default false)
 * @param uid delete only the object with this uid, else {@link ConflictException}; {@code ""} (the default) for any
 * @param resourceVersion delete only this version, else {@link ConflictException}; {@code ""} (the default) for any
 * @param propagation what becomes of owned objects (default: as the server does for the kind, mostly background)
 * @param gracePeriod how long the object may take to end, whole seconds (default: as the kind says)
 * @since 0.1.0
 */
public record DeleteOptions(
        boolean dryRun,
        String uid,
        String resourceVersion,
        Optional<Propagation> propagation,
        Optional<Duration> gracePeriod) {

    private static final DeleteOptions DEFAULTS = new DeleteOptions(false, "", "", Optional.empty(), Optional.empty());

    /** Checks that the grace period is not negative. */
    public DeleteOptions {
        if (gracePeriod.isPresent() && gracePeriod.get().isNegative()) {
            throw new IllegalArgumentException("'gracePeriod' must not be negative, was " + gracePeriod.get());
        }
    }

    /** The default settings. */
    public static DeleteOptions defaults() {
        return DEFAULTS;
    }

    /** Deletes just this object as it was read: same uid and same version. */
    public static DeleteOptions exactly(HasMetadata object) {
        ObjectMeta metadata = object.getMetadata();
        return DEFAULTS.withUid(metadata.getUid() == null ? "" : metadata.getUid())
                .withResourceVersion(metadata.getResourceVersion() == null ? "" : metadata.getResourceVersion());
    }

    /** The same as a dry run. */
    public DeleteOptions asDryRun() {
        return new DeleteOptions(true, uid, resourceVersion, propagation, gracePeriod);
    }

    /** The same, for the object with this uid only. */
    public DeleteOptions withUid(String newUid) {
        return new DeleteOptions(dryRun, newUid, resourceVersion, propagation, gracePeriod);
    }

    /** The same, for this version only. */
    public DeleteOptions withResourceVersion(String newResourceVersion) {
        return new DeleteOptions(dryRun, uid, newResourceVersion, propagation, gracePeriod);
    }

    /** The same with this fate for owned objects. */
    public DeleteOptions withPropagation(Propagation newPropagation) {
        return new DeleteOptions(dryRun, uid, resourceVersion, Optional.of(newPropagation), gracePeriod);
    }

    /** The same with this grace period. */
    public DeleteOptions withGracePeriod(Duration newGracePeriod) {
        return new DeleteOptions(dryRun, uid, resourceVersion, propagation, Optional.of(newGracePeriod));
    }
}
