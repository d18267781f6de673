package io.github.reconciler4j.controller;

/**
 * What a controller does.
 *
 * @since 0.1.0
 */
public enum ControllerState {
    /** Not started: its turn has not come, or another replica leads. */
    NEW,
    /** Its sources are starting, ahead of its turn. */
    WARMING,
    /** Its sources work and fill its queue, ahead of its turn. */
    WARM,
    /** Its sources are starting, or have not told everything yet. */
    STARTING,
    /** As STARTING, but a source lacks what does not come by itself: a CustomResourceDefinition, a right. */
    WAITING,
    /** It works. */
    RUNNING,
    /** It takes no new work and waits for the runs under way. */
    STOPPING,
    /** It has ended; it can be started again. */
    STOPPED,
    /** Its last start failed; it can be started again. */
    FAILED
}
