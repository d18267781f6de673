package io.github.reconciler4j.recorder;

import java.time.Instant;

/** Equal events seen one after the other. Used by the writer's thread only. */
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

    /** The name of the event on the server, {@code ""} while it has not been created. */
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
