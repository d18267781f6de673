package io.github.reconciler4j.test.expect;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Expectations of the events about one object. Works like {@link ObjectExpectation}; errors show the types and
 * reasons that were last seen. Immutable, safe for use by multiple threads.
 *
 * <!-- snippet: ServerUse -->
 * <pre>{@code
 * cluster.expectEvents(bucket).toHaveReason("Created");
 * }</pre>
 *
 * @since 0.1.0
 */
public final class EventExpectation {
    private final KubernetesClient client;
    private final HasMetadata about;
    private final Duration within;

    /** Expect events about an object, which has to have a name and, for events about this very one, a uid. */
    public EventExpectation(KubernetesClient client, HasMetadata about) {
        this(client, about, ObjectExpectation.DEFAULT_WITHIN);
    }

    private EventExpectation(KubernetesClient client, HasMetadata about, Duration within) {
        this.client = client;
        this.about = about;
        this.within = within;
    }

    /** Return the same expectation with another time to wait; default 30 seconds. */
    public EventExpectation within(Duration time) {
        return new EventExpectation(client, about, time);
    }

    /** Expect an event with a reason. */
    public RecordedEvent toHaveReason(String reason) {
        String subject = about.getKind() + " " + about.getMetadata().getName();
        List<RecordedEvent> found = Poll.until(
                "Expected that " + subject + " has an event with the reason " + reason,
                within,
                this::events,
                events -> events.stream().anyMatch(event -> event.reason().equals(reason)),
                events -> "events "
                        + events.stream()
                                .map(event -> event.type() + " " + event.reason())
                                .toList());
        return found.stream()
                .filter(event -> event.reason().equals(reason))
                .findFirst()
                .orElseThrow();
    }

    /** Return the current events, in no particular order. */
    public List<RecordedEvent> events() {
        String given = about.getMetadata().getNamespace();
        String namespace = given == null ? "default" : given;
        List<RecordedEvent> found = new ArrayList<>();
        client.events().v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> isAbout(event.getRegarding()))
                .forEach(event -> found.add(
                        new RecordedEvent(text(event.getType()), text(event.getReason()), text(event.getNote()))));
        client.v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> isAbout(event.getInvolvedObject()))
                .map(event ->
                        new RecordedEvent(text(event.getType()), text(event.getReason()), text(event.getMessage())))
                .filter(event -> !found.contains(event))
                .forEach(found::add);
        return found;
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }

    private boolean isAbout(@Nullable ObjectReference reference) {
        String uid = about.getMetadata().getUid();
        return reference != null
                && about.getMetadata().getName().equals(reference.getName())
                && about.getKind().equals(reference.getKind())
                && (uid == null || uid.equals(reference.getUid()));
    }
}
