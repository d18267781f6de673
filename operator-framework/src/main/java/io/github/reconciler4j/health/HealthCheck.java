package io.github.reconciler4j.health;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reports whether one part of the operator works. Implementations are thread-safe and return immediately.
 *
 * <!-- snippet: ManagerUse -->
 * <pre>{@code
 * record ChatCheck(BooleanSupplier connection) implements HealthCheck {
 *
 *     @Override
 *     public String name() {
 *         return "chat";
 *     }
 *
 *     @Override
 *     public Health check() {
 *         return new Health(true, connection.getAsBoolean(), Map.of());
 *     }
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public interface HealthCheck {

    /** Return the name of the part, for instance {@code controller/webapp}. */
    String name();

    /** Return the health of the part. An exception or error means that it is not ready. */
    Health check();

    /**
     * The health of a part. Immutable.
     *
     * @param alive whether the part can do its work without a restart of the process
     * @param ready whether the part does its work, or is ready to do it when it is its turn
     * @param details information for people; must never contain the content of an object
     * @since 0.1.0
     */
    record Health(boolean alive, boolean ready, Map<String, Object> details) {

        /** Copy the details. */
        public Health {
            details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
        }
    }
}
