package io.github.reconciler4j.recorder;

import java.time.Instant;

/** A sequence of equal events. Confined to the thread of the writer. */
final class EventSeries {

    private final PendingEvent first;
    private int count = 1;
    private int writtenCount;
    private Instant lastSeen;
    private String eventName = "";

    EventSeries(PendingEvent first) {
        this.first = first;
        this.lastSeen = first.time();
    }

    void seenAgain(Instant time) {
        count++;
        lastSeen = time;
    }

    PendingEvent first() {
        return first;
    }

    int count() {
        return count;
    }

    Instant lastSeen() {
        return lastSeen;
    }

    /** The name of the event on the server, {@code ""} before its creation. */
    String eventName() {
        return eventName;
    }

    void written(String name) {
        eventName = name;
        writtenCount = count;
    }

    boolean isWritten() {
        return writtenCount == count;
    }

    /** Whether the count is worth writing now: at the second event, and whenever it has doubled since. */
    boolean isDue() {
        return count >= 2 * writtenCount;
    }
}
