package io.github.reconciler4j.builder;

import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.manager.ComponentDefaults;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.scheme.GroupVersionKind;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The default options of the controllers of one manager. Immutable.
 *
 * <pre>{@code
 * ManagerOptions.defaults()
 *         .withComponentDefaults(ControllerDefaults.of(
 *                         ControllerOptions.defaults().withReconcileTimeout(Duration.ofMinutes(1)))
 *                 .withWorkers(GroupVersionKind.of("apps/v1", "Deployment"), 8));
 * }</pre>
 *
 * @param options the options of every controller
 * @param workers the number of workers of controllers of certain kinds, whatever their version; comes before the number
 *     in {@code options}
 * @since 0.1.0
 */
public record ControllerDefaults(ControllerOptions options, Map<GroupVersionKind, Integer> workers)
        implements ComponentDefaults {

    /** Copies the map. */
    public ControllerDefaults {
        Objects.requireNonNull(options, "'options' must not be null");
        workers = Map.copyOf(workers);
    }

    /** These options for every controller. */
    public static ControllerDefaults of(ControllerOptions options) {
        return new ControllerDefaults(options, Map.of());
    }

    /** Those of a manager; {@link ControllerOptions#defaults()} if it has none. */
    public static ControllerDefaults of(Manager manager) {
        return manager.options()
                .componentDefaults(ControllerDefaults.class)
                .orElseGet(() -> of(ControllerOptions.defaults()));
    }

    /**
     * The same with a number of workers for controllers of a kind.
     *
     * @param kind the kind; its version does not matter
     * @param count at least 1
     */
    public ControllerDefaults withWorkers(GroupVersionKind kind, int count) {
        options.withMaxConcurrentReconciles(count); // checks the number
        Map<GroupVersionKind, Integer> more = new HashMap<>(workers);
        more.keySet().removeIf(kind::sameGroupKind);
        more.put(kind, count);
        return new ControllerDefaults(options, more);
    }

    /** The same with other options of every controller; the numbers of workers of kinds stay. */
    public ControllerDefaults withOptions(ControllerOptions newOptions) {
        return new ControllerDefaults(newOptions, workers);
    }

    /** Return the options of a controller for this kind, null for a controller without a primary kind. */
    ControllerOptions of(@Nullable GroupVersionKind kind) {
        if (kind != null) {
            for (Map.Entry<GroupVersionKind, Integer> entry : workers.entrySet()) {
                if (entry.getKey().sameGroupKind(kind)) {
                    return options.withMaxConcurrentReconciles(entry.getValue());
                }
            }
        }
        return options;
    }
}
