package io.github.reconciler4j.recorder;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Records Kubernetes events ({@code events.k8s.io/v1}), as {@code kubectl describe} shows them. Recording never blocks and never
 * fails: events are written in the background, equal ones are combined into a series, and those that exceed the limits of
 * {@link EventOptions} are dropped and counted.
 *
 * <p>Thread-safe.
 *
 * <!-- snippet: ManagerUse -->
 * <pre>{@code
 * EventRecorder recorder = manager.recorder();
 * recorder.normal(greeting, "Created", "Create", "The ConfigMap was created");
 * }</pre>
 *
 * @since 0.1.0
 */
public interface EventRecorder {

    /** The annotation of an event with the id of the reconciliation that recorded it, as in logs and traces. */
    String RECONCILE_ID_ANNOTATION = "reconciler4j.io/reconcile-id";

    /** Record an event. */
    void record(EventEntry entry);

    /**
     * Record that something went as expected.
     *
     * @see EventEntry#of
     */
    default void normal(HasMetadata regarding, String reason, String action, String note) {
        record(EventEntry.of(EventEntry.NORMAL, regarding, reason, action, note));
    }

    /**
     * Record a problem.
     *
     * @see EventEntry#of
     */
    default void warning(HasMetadata regarding, String reason, String action, String note) {
        record(EventEntry.of(EventEntry.WARNING, regarding, reason, action, note));
    }
}
