package io.github.reconciler4j.client;

import io.github.reconciler4j.client.internal.request.DryRunRecorder;
import io.github.reconciler4j.scheme.KindInfo;
import java.util.List;

/**
 * A write of a client in {@link WriteMode#OBSERVE} and its effect, had it been carried out. Immutable.
 *
 * <!-- snippet: ClientSettings -->
 * <pre>{@code
 * WriteObserver observer = write -> log.accept(write.effect() + " " + write.object());
 * return ClientOptions.defaults().withMode(WriteMode.OBSERVE).withWriteObserver(observer);
 * }</pre>
 *
 * @param call the write
 * @param object {@code namespace/name}, or {@code namespace/*} if the name is unknown
 * @param effect the effect on the object
 * @param changes the fields that would differ; empty for a deletion
 * @since 0.1.0
 */
public record ObservedWrite(ClientCall call, String object, Effect effect, List<Change> changes) {

    /** Copy the list. */
    public ObservedWrite {
        changes = List.copyOf(changes);
    }

    /**
     * The effect of a write on an object.
     *
     * @since 0.1.0
     */
    public enum Effect {
        /** The object would be created. */
        CREATED,
        /** The object would differ. */
        CHANGED,
        /** The object would be deleted, or get a deletion timestamp. */
        DELETED
    }

    /**
     * A field that would differ. Values are JSON, and those of Secrets, and of fields with a name like password, token, key or
     * secret, are {@code ***}. Of a longer value, it has 200 characters around the first difference, with {@code ...} for the rest. If
     * only the order of a list with names differs, the values are {@code order} and the names.
     *
     * @param path the path of the field, for example {@code spec.replicas}
     * @param before the current value, {@code ""} if the field is missing
     * @param after the new value, {@code ""} if the field would be missing
     * @since 0.1.0
     */
    public record Change(String path, String before, String after) {

        /**
         * Return the fields that differ in two states of an object, in order of their paths, without those that only the API server
         * sets. An element of a list whose elements have names is named, for example {@code containers[app]}.
         *
         * @param kind the kind of the object
         * @param before the object as JSON, empty if it does not exist
         * @param after the object as JSON, empty if it does not exist
         * @throws io.github.reconciler4j.client.error.UnexpectedResponseException if one of them is not JSON
         */
        public static List<Change> between(KindInfo kind, byte[] before, byte[] after) {
            return DryRunRecorder.changes(kind, before, after);
        }
    }
}
