package io.github.reconciler4j.recorder;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The content of an event. Immutable. The recorder reads the objects when it records the event and does not keep them.
 *
 * <!-- snippet: ManagerUse -->
 * <pre>{@code
 * recorder.record(EventEntry.of(EventEntry.WARNING, greeting, "NameMissing", "Greet", "spec.name is empty")
 *         .withRelated(map));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class EventEntry {

    /** The type of events about something that went as expected. */
    public static final String NORMAL = "Normal";

    /** The type of events about a problem. */
    public static final String WARNING = "Warning";

    private static final int MAX_WORD_LENGTH = 128;

    private final String type;
    private final HasMetadata regarding;
    private final @Nullable HasMetadata related;
    private final String reason;
    private final String action;
    private final String note;
    private final Map<String, String> annotations;

    private EventEntry(EventEntry entry, @Nullable HasMetadata related, Map<String, String> annotations) {
        this.type = entry.type;
        this.regarding = entry.regarding;
        this.related = related;
        this.reason = entry.reason;
        this.action = entry.action;
        this.note = entry.note;
        this.annotations = Map.copyOf(annotations);
    }

    private EventEntry(String type, HasMetadata regarding, String reason, String action, String note) {
        this.type = type;
        this.regarding = Objects.requireNonNull(regarding, "'regarding' must not be null");
        this.related = null;
        this.reason = checked("reason", reason);
        this.action = checked("action", action);
        this.note = Objects.requireNonNull(note, "'note' must not be null");
        this.annotations = Map.of();
        if (!type.equals(NORMAL) && !type.equals(WARNING)) {
            throw new IllegalArgumentException(
                    "'type' must be '" + NORMAL + "' or '" + WARNING + "', was '" + type + "'");
        }
    }

    private static String checked(String name, String value) {
        if (value.isBlank() || value.length() > MAX_WORD_LENGTH) {
            throw new IllegalArgumentException(
                    "'" + name + "' must have 1 to " + MAX_WORD_LENGTH + " characters, was '" + value + "'");
        }
        return value;
    }

    /**
     * Create an event about one object.
     *
     * @param type {@link #NORMAL} or {@link #WARNING}
     * @param regarding the object that the event is about
     * @param reason why the event was recorded, for machines: one UpperCamelCase word of at most 128 characters
     * @param action what was done or attempted, likewise one UpperCamelCase word
     * @param note the text for people, truncated to 1 kB; must never contain the content of a Secret
     * @throws IllegalArgumentException if the type is another one, or the reason or the action blank or too long
     */
    public static EventEntry of(String type, HasMetadata regarding, String reason, String action, String note) {
        return new EventEntry(type, regarding, reason, action, note);
    }

    /** Return the type: {@link #NORMAL} or {@link #WARNING}. */
    public String type() {
        return type;
    }

    /** Return the object that the event is about. */
    public HasMetadata regarding() {
        return regarding;
    }

    /** Return another object that the event refers to. */
    public Optional<HasMetadata> related() {
        return Optional.ofNullable(related);
    }

    /** Return why the event was recorded. */
    public String reason() {
        return reason;
    }

    /** Return what was done or attempted. */
    public String action() {
        return action;
    }

    /** Return the text for people. */
    public String note() {
        return note;
    }

    /** Return the annotations of the event. */
    public Map<String, String> annotations() {
        return annotations;
    }

    /** Return a copy of this entry that refers to another object as well. */
    public EventEntry withRelated(HasMetadata object) {
        return new EventEntry(this, object, annotations);
    }

    /** Return a copy of this entry with the given annotations. */
    public EventEntry withAnnotations(Map<String, String> newAnnotations) {
        return new EventEntry(this, related, newAnnotations);
    }

    /** Return type, reason and action, without the note. */
    @Override
    public String toString() {
        return "EventEntry[" + type + " " + reason + " " + action + "]";
    }
}
