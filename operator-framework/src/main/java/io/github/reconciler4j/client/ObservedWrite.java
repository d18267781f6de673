package io.github.reconciler4j.client;

import io.github.reconciler4j.scheme.KindInfo;
import java.util.List;

/**
 * What a write would have changed. Immutable.
 *
 * @param verb what it would have done
 * @param kind the kind of the object
 * @param object {@code namespace/name}, or what is known of it
 * @param subresource for instance {@code status}, {@code ""} for the object itself
 * @param effect what would have become of the object
 * @param changes the fields that would differ; empty for a deletion
 * @since 0.1.0
 */
public record ObservedWrite(
        ClientCall.Verb verb, KindInfo kind, String object, String subresource, Effect effect, List<Change> changes) {

    /** Copies the list. */
    public ObservedWrite {
        changes = List.copyOf(changes);
    }

    /**
     * What would have become of an object.
     *
     * @since 0.1.0
     */
    public enum Effect {
        /** There would be one more. */
        CREATED,
        /** It would differ. */
        CHANGED,
        /** It would be gone, or on its way. */
        DELETED
    }

    /**
     * One field that would differ. Values are JSON, cut to 200 characters; those of Secrets, and of fields named like a
     * password, token, key or secret, are {@code ***}.
     *
     * @param path for instance {@code spec.replicas}
     * @param before the value now, {@code ""} if there is none
     * @param after the value then, {@code ""} if there would be none
     * @since 0.1.0
     */
    public record Change(String path, String before, String after) {}
}
