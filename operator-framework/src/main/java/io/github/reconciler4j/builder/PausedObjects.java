package io.github.reconciler4j.builder;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerOperations.Pause;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.event.ObjectEvent.Updated;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.recorder.EventEntry;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Texts;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Objects of a primary kind that an annotation pauses. An annotation that is not understood pauses, too: it was written to keep
 * the operator away. Thread-safe.
 */
final class PausedObjects {

    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);

    private static final String ACTION = "Reconcile";

    private final String annotation;
    private final TimeSource time;
    private final LogLimiter warnings = new LogLimiter();

    /** What was reported last of the objects that are paused. */
    private final Map<Request, String> paused = new ConcurrentHashMap<>();

    PausedObjects(String annotation, TimeSource time) {
        this.annotation = annotation;
        this.time = time;
    }

    /** Return the requests of paused objects that were seen and still exist: a live set, from which requests can be removed. */
    Set<Request> requests() {
        return paused.keySet();
    }

    /** Return whether an event changes the pause of an object, whatever the predicates of users say. */
    boolean isChangedBy(ObjectEvent<?> event) {
        return event instanceof Updated<?> update
                && !Objects.equals(
                        valueOf(update.previous().header()),
                        valueOf(update.snapshot().header()));
    }

    private @Nullable String valueOf(ObjectHeader header) {
        return header.annotations().get(annotation);
    }

    /**
     * Return the result of a request whose object is paused; empty if it is not.
     *
     * @param header the object; null if it does not exist
     * @param object returns the object for an event; empty if it is gone
     * @param recorder records events; null if the controller records none
     */
    Optional<Result> check(
            Request request,
            @Nullable ObjectHeader header,
            Supplier<? extends Optional<? extends HasMetadata>> object,
            @Nullable EventRecorder recorder) {
        String value = header == null ? null : valueOf(header);
        if (header == null || value == null) {
            end(request);
            return Optional.empty();
        }
        Pause pause = Pause.parse(value);
        Duration left = pause.left(time.instant());
        if (left.isZero()) {
            end(request);
            return Optional.empty();
        }
        Note note = noteOn(header, value, pause);
        if (!note.key().equals(paused.put(request, note.key()))) {
            report(request, note, object, recorder);
        }
        return Optional.of(pause.isEndless() ? Result.done() : Result.requeueAfter(left));
    }

    private void end(Request request) {
        if (!paused.isEmpty()) {
            paused.remove(request);
        }
    }

    private Note noteOn(ObjectHeader header, String value, Pause pause) {
        if (!pause.understood()) {
            return new Note(
                    EventEntry.WARNING,
                    "PauseNotUnderstood",
                    "The annotation " + annotation
                            + " is neither true nor false nor a time such as 2030-01-31T08:00:00Z, so the object is"
                            + " paused until you correct or remove it; it is '" + shortened(value) + "' (R4J-105)");
        }
        String end = pause.isEndless() ? "you remove it" : value;
        return header.isBeingDeleted()
                ? new Note(
                        EventEntry.WARNING,
                        "DeletionPaused",
                        "The annotation " + annotation + " keeps the object from being cleaned up and deleted until "
                                + end + " (R4J-106)")
                : new Note(
                        EventEntry.NORMAL,
                        "Paused",
                        "The annotation " + annotation + " keeps the object from being reconciled until " + end);
    }

    private static String shortened(String value) {
        int max = 64;
        return Texts.escaped(value.length() <= max ? value : value.substring(0, max) + "...");
    }

    private void report(
            Request request,
            Note note,
            Supplier<? extends Optional<? extends HasMetadata>> object,
            @Nullable EventRecorder recorder) {
        if (note.type().equals(EventEntry.WARNING)) {
            warnings.log(note.reason(), occurrence -> LOG.warn("{}: {}{}", request, note.text(), occurrence.suffix()));
        } else {
            LOG.debug("{}: {}", request, note.text());
        }
        if (recorder == null) {
            return;
        }
        try {
            object.get()
                    .ifPresent(found ->
                            recorder.record(EventEntry.of(note.type(), found, note.reason(), ACTION, note.text())));
        } catch (RuntimeException e) { // an object that cannot be read; its pause counts
            LOG.debug("No event about the pause of {}: {}", request, Texts.of(e));
        }
    }

    /** What is said once of a pause. */
    private record Note(String type, String reason, String text) {

        String key() {
            return reason + text;
        }
    }
}
