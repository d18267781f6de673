package io.github.reconciler4j.recorder;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Optional;

/**
 * What an event says. Immutable; the objects in it are read when it is recorded and not kept.
 *
 * @param type {@link #NORMAL} or {@link #WARNING}
 * @param regarding the object it is about
 * @param related another object that has to do with it
 * @param reason why, as one UpperCamelCase word of at most 128 characters, for machines
 * @param action what was done or tried, likewise one UpperCamelCase word
 * @param note for people; cut at 1 kB; never the content of a Secret
 * @param annotations annotations of the event
 * @since 0.1.0
 */
public record EventEntry(
        String type,
        HasMetadata regarding,
        Optional<HasMetadata> related,
        String reason,
        String action,
        String note,
        Map<String, String> annotations) {

    /** The type of events that tell what went as it should. */
    public static final String NORMAL = "Normal";

    /** The type of events that tell of trouble. */
    public static final String WARNING = "Warning";

    /** Checks type, reason and action, and copies the annotations. */
    public EventEntry {
        if (!type.equals(NORMAL) && !type.equals(WARNING)) {
            throw new IllegalArgumentException(
                    "'type' must be '" + NORMAL + "' or '" + WARNING + "', was '" + type + "'");
        }
        check("reason", reason);
        check("action", action);
        annotations = Map.copyOf(annotations);
    }

    private static void check(String name, String value) {
        if (value.isBlank() || value.length() > 128) {
            throw new IllegalArgumentException("'" + name + "' must have 1 to 128 characters, was '" + value + "'");
        }
    }

    /** An event about one object. */
    public static EventEntry of(String type, HasMetadata regarding, String reason, String action, String note) {
        return new EventEntry(type, regarding, Optional.empty(), reason, action, note, Map.of());
    }

    /** The same with another object that has to do with it. */
    public EventEntry withRelated(HasMetadata object) {
        return new EventEntry(type, regarding, Optional.of(object), reason, action, note, annotations);
    }

    /** The same with these annotations. */
    public EventEntry withAnnotations(Map<String, String> newAnnotations) {
        return new EventEntry(type, regarding, related, reason, action, note, newAnnotations);
    }
}
