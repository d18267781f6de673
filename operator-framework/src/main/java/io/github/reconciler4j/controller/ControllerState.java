package io.github.reconciler4j.controller;

/**
 * The state of a controller.
 *
 * @since 0.1.0
 */
public enum ControllerState {
    /** It has not been started: another replica leads, or components before it have not started. */
    NEW,
    /** Its sources are starting ahead of the controller, as a warm-up. */
    WARMING,
    /** Its sources run and fill its queue ahead of the controller, as a warm-up. */
    WARM,
    /** Its sources are starting, or have not enqueued all that exists. */
    STARTING,
    /** As STARTING, but a source waits for something that requires action: a CustomResourceDefinition, a permission. */
    WAITING,
    /** Its workers reconcile. */
    RUNNING,
    /** It dequeues no new requests and waits for running reconciliations. */
    STOPPING,
    /** It has stopped and can be started again. */
    STOPPED,
    /** Its last start failed; it can be started again. */
    FAILED
}
