package io.github.reconciler4j.health;

import java.util.Map;

/**
 * Says whether one part of the operator works. Must answer at once and be safe for use by many threads.
 *
 * @since 0.1.0
 */
public interface HealthCheck {

    /** Names the part, for instance {@code controller/webapp}. */
    String name();

    /** How the part is now. */
    Health check();

    /**
     * How a part is.
     *
     * @param alive whether it can still do its work without the process being started anew
     * @param ready whether it does its work now, or stands by ready to
     * @param details what a person should know, never the content of an object
     */
    record Health(boolean alive, boolean ready, Map<String, Object> details) {}
}
