package io.github.reconciler4j.recorder;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.connection.ApiConnection;
import java.time.Instant;

/** Writes single events to a server, for tests in other packages. */
public final class EventSinks {

    private EventSinks() {}

    private static EventSeries series(HasMetadata object) {
        EventEntry entry = EventEntry.of(EventEntry.NORMAL, object, "Tested", "Test", "a note");
        return new EventSeries(PendingEvent.of("tests", entry, Instant.EPOCH));
    }

    /** Creates an event about an object. */
    public static void create(ApiConnection connection, HasMetadata object) {
        new EventBroadcaster.ApiEventSink(connection, "test").create(series(object));
    }

    /** Updates the event {@code e} about an object. */
    public static void update(ApiConnection connection, HasMetadata object) {
        EventSeries series = series(object);
        series.written("e");
        series.seenAgain(Instant.EPOCH);
        new EventBroadcaster.ApiEventSink(connection, "test").update(series);
    }
}
