package io.github.reconciler4j.spring.autoconfigure.endpoint;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.spring.autoconfigure.endpoint.ObjectDescriptors.EventDescriptor;
import io.github.reconciler4j.support.LruMap;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The events of objects, from the API server: listed at most once in five seconds per object, and once a minute while it refuses.
 * Thread-safe.
 */
final class ObjectEvents {

    private static final int MAX_EVENTS = 20;
    private static final int MAX_REMEMBERED = 100;
    private static final Duration REMEMBER = Duration.ofSeconds(5);
    private static final Duration REMEMBER_FAILURE = Duration.ofMinutes(1);

    private final TimeSource time;
    private final LruMap<String, Events> remembered = new LruMap<>(MAX_REMEMBERED);

    /** The last failure of each cluster. */
    private final LruMap<String, Events> failed = new LruMap<>(MAX_REMEMBERED);

    ObjectEvents(TimeSource time) {
        this.time = time;
    }

    /** The events of one object, or why they cannot be read, until a moment of the clock. */
    record Events(List<EventDescriptor> events, String problem, long until) {}

    Events of(ObjectHeader object, Cluster cluster) {
        long now = time.nanoTime();
        Events failure = failed.get(cluster.name());
        if (failure != null && failure.until() - now > 0) {
            return failure;
        }
        Events known = remembered.get(object.uid());
        if (known != null && known.until() - now > 0) {
            return known;
        }
        try {
            Events read = new Events(list(object, cluster), "", now + REMEMBER.toNanos());
            remembered.put(object.uid(), read);
            return read;
        } catch (ApiException e) {
            Events refused = new Events(List.of(), text(e.getMessage()), now + REMEMBER_FAILURE.toNanos());
            failed.put(cluster.name(), refused);
            return refused;
        }
    }

    private List<EventDescriptor> list(ObjectHeader object, Cluster cluster) {
        String namespace = object.key().namespace();
        Selection options = Selection.inNamespace(namespace.isEmpty() ? "default" : namespace)
                .withFieldSelector("involvedObject.uid=" + object.uid())
                .withLimit(MAX_EVENTS);
        return cluster.client().live().list(Kind.of(Event.class), options).stream()
                .map(ObjectEvents::event)
                .sorted(Comparator.comparing(EventDescriptor::last).reversed())
                .toList();
    }

    private static EventDescriptor event(Event event) {
        String last = text(event.getLastTimestamp());
        if (event.getSeries() != null && event.getSeries().getLastObservedTime() != null) {
            last = event.getSeries().getLastObservedTime().getTime();
        } else if (last.isEmpty()) {
            MicroTime time = event.getEventTime();
            last = time == null ? event.getMetadata().getCreationTimestamp() : time.getTime();
        }
        Integer count =
                event.getSeries() == null ? event.getCount() : event.getSeries().getCount();
        return new EventDescriptor(
                text(event.getType()),
                text(event.getReason()),
                text(event.getMessage()),
                count == null ? 1 : count,
                text(last));
    }

    private static String text(@Nullable Object value) {
        return Objects.toString(value, "");
    }
}
