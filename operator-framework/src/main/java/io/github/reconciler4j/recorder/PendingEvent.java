package io.github.reconciler4j.recorder;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An event on its way to the server. Immutable.
 *
 * @param reportingController who records it
 * @param time when it happened
 */
record PendingEvent(
        String reportingController,
        Instant time,
        String type,
        ObjectRef regarding,
        @Nullable ObjectRef related,
        String reason,
        String action,
        String note,
        Map<String, String> annotations) {

    private static final int LONGEST_NOTE_BYTES = 1024;

    static PendingEvent of(String reportingController, EventEntry entry, Instant time) {
        return new PendingEvent(
                reportingController,
                time,
                entry.type(),
                ObjectRef.of(entry.regarding()),
                entry.related().map(ObjectRef::of).orElse(null),
                entry.reason(),
                entry.action(),
                cut(entry.note()),
                entry.annotations());
    }

    /** The server takes a note of less than 1 kB. */
    private static String cut(String note) {
        int bytes = 0;
        for (int i = 0; i < note.length(); ) {
            int character = note.codePointAt(i);
            bytes += character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
            if (bytes > LONGEST_NOTE_BYTES - 3) {
                return note.substring(0, i) + "...";
            }
            i += Character.charCount(character);
        }
        return note;
    }

    /** What makes two events one series. */
    Key key() {
        return new Key(
                reportingController,
                type,
                regarding.withoutVersion(),
                related == null ? null : related.withoutVersion(),
                reason,
                action,
                note);
    }

    /** What the rate limit counts by. */
    Source source() {
        return new Source(reportingController, regarding.withoutVersion());
    }

    record Key(
            String reportingController,
            String type,
            ObjectRef regarding,
            @Nullable ObjectRef related,
            String reason,
            String action,
            String note) {}

    record Source(String reportingController, ObjectRef regarding) {}
}
