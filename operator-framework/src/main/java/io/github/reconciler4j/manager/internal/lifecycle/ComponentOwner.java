package io.github.reconciler4j.manager.internal.lifecycle;

/** What a {@link ComponentRunner} needs of the lifecycle. The lock of the runner is not held, except for {@link #threadName}. */
public interface ComponentOwner {

    /** Return the name of a thread for a task. */
    String threadName(String task);

    /** The state of a component has changed. */
    void stateChanged();

    /** A component has failed. */
    void fail(Failure failure);
}
