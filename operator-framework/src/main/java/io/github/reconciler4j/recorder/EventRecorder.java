package io.github.reconciler4j.recorder;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Records Kubernetes events ({@code events.k8s.io/v1}), as {@code kubectl describe} shows them. Recording never blocks
 * and never fails: events are written in the background, equal ones are counted in a series, and what exceeds the limits
 * is dropped and counted. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public interface EventRecorder {

    /** Records an event. */
    void record(EventEntry entry);

    /** Records that something went as it should. */
    default void normal(HasMetadata regarding, String reason, String action, String note) {
        record(EventEntry.of(EventEntry.NORMAL, regarding, reason, action, note));
    }

    /** Records trouble. */
    default void warning(HasMetadata regarding, String reason, String action, String note) {
        record(EventEntry.of(EventEntry.WARNING, regarding, reason, action, note));
    }
}
