package io.github.reconciler4j.builder;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.controller.ControllerSelection;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.source.RequestSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What {@link ControllerBuilder} and {@link RequestControllerBuilder} have in common. Use a builder once. Not thread-safe.
 *
 * <!-- snippet: SelectedControllers -->
 * <pre>{@code
 * ControllerSelection selection = ControllerSelection.of(List.of(argument.split(",")));
 * return ControllerBuilder.addSelected(manager, selection, List.of(greetings(), tenants()));
 * }</pre>
 *
 * @param <R> the type of requests
 * @param <B> the type of the builder
 * @since 0.1.0
 */
public abstract sealed class AbstractControllerBuilder<R, B extends AbstractControllerBuilder<R, B>>
        permits ControllerBuilder, RequestControllerBuilder {

    private static final Logger LOG = LoggerFactory.getLogger(AbstractControllerBuilder.class);

    final ControllerAssembly<R> assembly = new ControllerAssembly<>();

    AbstractControllerBuilder() {}

    abstract B self();

    abstract Controller<R> build(BuildTarget site);

    /**
     * Watch a kind and enqueue the requests that a function returns for a changed object; for an update, those for the
     * object before and after it.
     *
     * @param mapper returns requests; null and empty mean none
     */
    public <S extends HasMetadata> B watches(
            Class<S> type, Function<? super S, ? extends @Nullable Iterable<? extends R>> mapper) {
        return watches(Watch.kind(type).<R>map(mapper));
    }

    /** Watch a kind as a {@link Watch} says: with predicates, with a handler, of the metadata only. */
    public B watches(Watch<R> watch) {
        assembly.relation(watch.relation());
        return self();
    }

    /** Add a source of requests. Predicates do not apply to it. */
    public B source(RequestSource<R> source) {
        assembly.source(source);
        return self();
    }

    /** Add a predicate that comes first in every watch of a kind. All of them must accept an event. */
    public B withGlobalPredicate(EventPredicate<Object> predicate) {
        assembly.globalPredicate(predicate);
        return self();
    }

    /** Set all options, instead of the defaults of the manager; see {@link ControllerCustomizers}. */
    public B options(ControllerOptions options) {
        Objects.requireNonNull(options, "'options' must not be null");
        assembly.customizeOptions(before -> options);
        return self();
    }

    /** Change the options set so far, or the defaults of the manager. */
    public B customizeOptions(UnaryOperator<ControllerOptions> change) {
        assembly.customizeOptions(Objects.requireNonNull(change, "'change' must not be null"));
        return self();
    }

    /**
     * Declare permissions that the reconciler needs besides those for watching. The manager checks them at start and
     * reports those that are missing.
     */
    public B requiredPermissions(RequiredPermission... permissions) {
        assembly.requiredPermissions(permissions);
        return self();
    }

    /**
     * Build the controller without adding it to the manager, for callers that start it themselves.
     *
     * @throws IllegalStateException if it has no reconciler, or watches nothing and has no source
     * @throws IllegalArgumentException if a setting does not fit the kind
     * @throws io.github.reconciler4j.scheme.UnknownKindException if the scheme of the manager does not know a kind
     */
    public Controller<R> build(Manager manager) {
        return build(BuildTarget.home(manager));
    }

    /**
     * Build a controller for one cluster of a manager without adding it, for callers that add one for each cluster. Each has its
     * own queue, workers and metrics. All call the same reconciler, whose context has the cluster and its client. Throws what
     * {@link #build(Manager)} throws.
     *
     * @param siblings the controllers of this builder by the names of their clusters: thread-safe, and changed by the caller.
     *     Requests of other clusters go to them; without a controller in their cluster, they are dropped.
     */
    public Controller<R> build(Manager manager, Cluster cluster, Map<String, ? extends Controller<?>> siblings) {
        return build(new BuildTarget(manager, cluster, siblings));
    }

    /**
     * Build the controller and add it, with its health check, to the manager, which starts and stops it. Throws what
     * {@link #build} and {@link Manager#add} throw.
     */
    public Controller<R> addTo(Manager manager) {
        Controller<R> controller = build(manager);
        manager.add(controller);
        return controller;
    }

    /**
     * Build the controllers that a selection enables, and add them to the manager. Those that it disables are logged and not built.
     * All run by default. Throws what {@link #addTo} throws; then none is added.
     *
     * <pre>{@code
     * ControllerSelection selection = ControllerSelection.of(List.of(arguments.split(",")));
     * ControllerBuilder.addSelected(manager, selection, List.of(pages(), themes()));
     * }</pre>
     *
     * @return the controllers that were added, in the order of the builders
     * @throws IllegalArgumentException if the selection names a controller that no builder has, or two builders have the same name
     */
    public static List<Controller<?>> addSelected(
            Manager manager, ControllerSelection selection, List<? extends AbstractControllerBuilder<?, ?>> builders) {
        BuildTarget home = BuildTarget.home(manager);
        Map<String, AbstractControllerBuilder<?, ?>> named = new LinkedHashMap<>();
        for (AbstractControllerBuilder<?, ?> builder : builders) {
            String name = builder.nameFor(home);
            if (named.put(name, builder) != null) {
                throw new IllegalArgumentException("Two builders have the name '" + name + "': call named(...)");
            }
        }
        selection.check(named.keySet());
        List<Controller<?>> selected = new ArrayList<>();
        List<String> disabled = new ArrayList<>();
        named.forEach((name, builder) -> {
            if (selection.selects(name, true)) {
                selected.add(builder.build(home));
            } else {
                disabled.add(name);
            }
        });
        addAll(manager, selected);
        if (!disabled.isEmpty()) {
            LOG.info("Disabled controllers: {}", disabled);
        }
        return selected;
    }

    private static void addAll(Manager manager, List<Controller<?>> controllers) {
        List<Controller<?>> added = new ArrayList<>();
        try {
            for (Controller<?> controller : controllers) {
                manager.add(controller);
                added.add(controller);
            }
        } catch (Throwable e) {
            for (Controller<?> controller : added) {
                manager.remove(controller);
            }
            throw e;
        }
    }

    /** Return the name that the controller will have in a manager. */
    public String nameIn(Manager manager) {
        return nameFor(BuildTarget.home(manager));
    }

    abstract String nameFor(BuildTarget site);
}
