package io.github.reconciler4j.recorder;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.github.reconciler4j.client.WorkScope;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** An event that was recorded and not written yet. Immutable. */
record PendingEvent(
        String reportingController,
        String account,
        Instant time,
        String type,
        ObjectRef regarding,
        @Nullable ObjectRef related,
        String reason,
        String action,
        String note,
        Map<String, String> annotations) {

    private static final int MAX_NOTE_BYTES = 1024;
    private static final String ELLIPSIS = "...";

    /** What an event contains of an object. Immutable. */
    record ObjectRef(
            String apiVersion, String kind, String namespace, String name, String uid, String resourceVersion) {

        static ObjectRef of(HasMetadata object) {
            ObjectMeta metadata = object.getMetadata();
            return new ObjectRef(
                    orEmpty(object.getApiVersion()),
                    orEmpty(object.getKind()),
                    orEmpty(metadata.getNamespace()),
                    orEmpty(metadata.getName()),
                    orEmpty(metadata.getUid()),
                    orEmpty(metadata.getResourceVersion()));
        }

        private static String orEmpty(@Nullable String value) {
            return value == null ? "" : value;
        }

        ObjectRef withoutVersion() {
            return new ObjectRef(apiVersion, kind, namespace, name, uid, "");
        }
    }

    static PendingEvent of(String reportingController, EventEntry entry, Instant time) {
        return new PendingEvent(
                reportingController,
                WorkScope.serviceAccount(),
                time,
                entry.type(),
                ObjectRef.of(entry.regarding()),
                entry.related().map(ObjectRef::of).orElse(null),
                entry.reason(),
                entry.action(),
                truncated(entry.note()),
                annotated(entry.annotations()));
    }

    /** Adds the id of the reconciliation on the calling thread, so that the event is found with its logs and its trace. */
    private static Map<String, String> annotated(Map<String, String> annotations) {
        String id = MDC.get("reconcileID");
        if (id == null || annotations.containsKey(EventRecorder.RECONCILE_ID_ANNOTATION)) {
            return annotations;
        }
        Map<String, String> added = new HashMap<>(annotations);
        added.put(EventRecorder.RECONCILE_ID_ANNOTATION, id);
        return Map.copyOf(added);
    }

    /** The server accepts a note of less than 1 kB. */
    private static String truncated(String note) {
        int bytes = 0;
        for (int i = 0; i < note.length(); ) {
            int character = note.codePointAt(i);
            bytes += character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
            if (bytes > MAX_NOTE_BYTES - ELLIPSIS.length()) {
                return note.substring(0, i) + ELLIPSIS;
            }
            i += Character.charCount(character);
        }
        return note;
    }

    /** Events with equal keys form a series, which one account writes. */
    Key key() {
        return new Key(
                reportingController,
                account,
                type,
                regarding.withoutVersion(),
                related == null ? null : related.withoutVersion(),
                reason,
                action,
                note);
    }

    /** The rate limit counts by this. */
    Source source() {
        return new Source(reportingController, regarding.withoutVersion());
    }

    record Key(
            String reportingController,
            String account,
            String type,
            ObjectRef regarding,
            @Nullable ObjectRef related,
            String reason,
            String action,
            String note) {}

    record Source(String reportingController, ObjectRef regarding) {}
}
