package io.github.reconciler4j.builder;

import io.fabric8.kubernetes.api.model.HasMetadata;
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
 *                 .withWorkers(Deployment.class, 8));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ControllerDefaults implements ComponentDefaults {

    private final ControllerOptions options;
    private final Map<GroupVersionKind, Integer> workers;

    private ControllerDefaults(ControllerOptions options, Map<GroupVersionKind, Integer> workers) {
        this.options = Objects.requireNonNull(options, "'options' must not be null");
        this.workers = Map.copyOf(workers);
    }

    /** Return defaults with these options for every controller. */
    public static ControllerDefaults of(ControllerOptions options) {
        return new ControllerDefaults(options, Map.of());
    }

    /** Return the defaults of a manager; {@link ControllerOptions#defaults()} if it has none. */
    public static ControllerDefaults of(Manager manager) {
        return manager.options()
                .componentDefaults(ControllerDefaults.class)
                .orElseGet(() -> of(ControllerOptions.defaults()));
    }

    /** Return the options of every controller. */
    public ControllerOptions options() {
        return options;
    }

    /** Return the number of workers of controllers for certain kinds, which replaces the number of the options. */
    public Map<GroupVersionKind, Integer> workers() {
        return workers;
    }

    /**
     * Return a copy of these defaults with the given number of workers for controllers of a kind.
     *
     * @param kind the kind; its version does not matter
     * @param count at least 1
     */
    public ControllerDefaults withWorkers(GroupVersionKind kind, int count) {
        if (count < 1) {
            throw new IllegalArgumentException("'count' must be at least 1, was " + count);
        }
        Map<GroupVersionKind, Integer> more = new HashMap<>(workers);
        more.keySet().removeIf(kind::sameGroupKind);
        more.put(kind, count);
        return new ControllerDefaults(options, more);
    }

    /**
     * Return a copy of these defaults with the given number of workers for controllers of the kind of a class.
     *
     * @param type the class; the version of its kind does not matter
     * @param count at least 1
     */
    public ControllerDefaults withWorkers(Class<? extends HasMetadata> type, int count) {
        return withWorkers(GroupVersionKind.of(HasMetadata.getApiVersion(type), HasMetadata.getKind(type)), count);
    }

    /** Return a copy of these defaults with the given options of every controller. */
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

    @Override
    public String toString() {
        return "ControllerDefaults[options=" + options + ", workers=" + workers + "]";
    }
}
