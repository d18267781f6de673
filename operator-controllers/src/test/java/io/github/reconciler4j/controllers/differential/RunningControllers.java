package io.github.reconciler4j.controllers.differential;

import java.time.Instant;

/** Our controllers while they run for a cluster: in this JVM or as a process. Safe for use by many threads. */
public interface RunningControllers extends AutoCloseable {

    /** End the controllers without an orderly stop as far as that is possible, and start them again. */
    void killAndRestart();

    /** Return when the controllers that run started to work; now if they have not. */
    Instant workingSince();

    @Override
    void close();
}
