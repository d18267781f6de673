package io.github.reconciler4j.spring.autoconfigure.endpoint;

import io.github.reconciler4j.brake.Brake;
import io.github.reconciler4j.brake.BrakeStatus;
import io.github.reconciler4j.brake.DeletionStop;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.cluster.Clusters;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerStatus;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.sharding.ShardingStatus;
import io.github.reconciler4j.spring.autoconfigure.ReconcilerRegistry;
import io.github.reconciler4j.spring.autoconfigure.endpoint.ObjectDescriptors.ObjectDescriptor;
import io.github.reconciler4j.spring.autoconfigure.endpoint.ObjectDescriptors.ObjectsDescriptor;
import io.github.reconciler4j.spring.autoconfigure.endpoint.OperatorDescriptors.ControllerDescriptor;
import io.github.reconciler4j.spring.autoconfigure.endpoint.OperatorDescriptors.OperatorDescriptor;
import io.github.reconciler4j.spring.autoconfigure.endpoint.OperatorDescriptors.OutcomeDescriptor;
import io.github.reconciler4j.spring.autoconfigure.observation.RunHistory;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.PathSegments;
import io.github.reconciler4j.support.TimeSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * {@link Endpoint Endpoint} that shows the state of the operator, pauses, resumes and releases controllers and enqueues
 * requests. It sends no request to the API server, except for the events of one object and for a release. Thread-safe.
 *
 * @since 0.1.0
 */
@Endpoint(id = "reconciler4j")
public class OperatorEndpoint {

    /** The maximum number of failing requests per controller in the overview. */
    static final int MAX_IN_OVERVIEW = 10;

    /** The maximum number of failing requests of a single controller. */
    static final int MAX_OF_ONE = 100;

    private final Manager manager;
    private final ReconcilerRegistry registry;
    private final RunHistory history;
    private final ObjectDetails details = new ObjectDetails(TimeSource.system());
    private final ObjectStates states;
    private final ObjectList list;

    /**
     * Create the endpoint.
     *
     * @param registry the controllers of {@code @Reconciler} beans
     * @param history the latest reconciliations
     */
    public OperatorEndpoint(Manager manager, ReconcilerRegistry registry, RunHistory history) {
        this.manager = manager;
        this.registry = registry;
        this.history = history;
        this.states = new ObjectStates(manager, TimeSource.system());
        this.list = new ObjectList(manager, states, this::runs, TimeSource.system());
    }

    /**
     * An operation on a controller.
     *
     * @since 0.1.0
     */
    public enum Action {
        /** Stop taking requests from the queue. */
        PAUSE,
        /** Take requests from the queue again. */
        RESUME,
        /** Let the controller delete again, after the brake has stopped its deletions. */
        RELEASE,
        /** Enqueue one request. */
        REQUEUE
    }

    /**
     * Which objects of a controller are wanted.
     *
     * @since 0.1.0
     */
    public enum Filter {
        /** All. */
        ALL,
        /** Those whose last reconciliation failed. */
        FAILING,
        /** Those that failed and are not retried. */
        STALLED,
        /** Those that wait for a worker or a time. */
        WAITING,
        /** Those that are being reconciled. */
        RUNNING,
        /** Those that an annotation pauses. */
        PAUSED,
        /** Those that are being deleted. */
        DELETING
    }

    /** Return the state of the operator. */
    @ReadOperation
    public OperatorDescriptor operator() {
        ManagerStatus status = manager.status();
        return new OperatorDescriptor(
                manager.options().name(),
                status.running(),
                status.leader(),
                controllers(),
                registry.disabledControllers(),
                status.components().stream().map(OperatorDescriptors::of).toList(),
                clusters()
                        .flatMap(cluster -> cluster.cache().kinds().stream()
                                .map(kind -> OperatorDescriptors.of(kind, cluster.name()))
                                .sorted(Comparator.comparing(OperatorDescriptors.KindDescriptor::kind)))
                        .toList(),
                clusters().map(this::cluster).toList(),
                status.leases().stream().map(OperatorDescriptors::of).toList(),
                status.extension(ShardingStatus.class)
                        .map(OperatorDescriptors::of)
                        .orElse(null));
    }

    private Stream<Cluster> clusters() {
        return Stream.concat(Stream.of(manager.home()), Clusters.of(manager).joined().stream());
    }

    /** The check of a cluster says whether it is available; that of the manager's own is ready or not. */
    private OperatorDescriptors.ClusterDescriptor cluster(Cluster cluster) {
        String check = cluster.name().isEmpty() ? "cache" : "cache/" + cluster.name();
        boolean available = manager.healthChecks().stream()
                .filter(each -> each.name().equals(check))
                .map(HealthCheck::check)
                .anyMatch(health -> Boolean.TRUE.equals(health.details().getOrDefault("available", health.ready())));
        return new OperatorDescriptors.ClusterDescriptor(
                cluster.name(), cluster.connection().server(), available);
    }

    private List<OperatorDescriptors.ControllerDescriptor> controllers() {
        return manager.components().stream()
                .filter(Controller.class::isInstance)
                .<Controller<?>>map(component -> (Controller<?>) component)
                .sorted(Comparator.comparing(ManagedComponent::name))
                .map(controller -> OperatorDescriptors.of(controller, MAX_IN_OVERVIEW, stopped(controller), null))
                .toList();
    }

    /**
     * Return the state of one controller, with more of its failing requests; status 404 if it does not exist. With a page, also
     * return objects of its kind from the cache.
     *
     * @param page the number of the page of objects, from 0; null for none
     * @param search words that the namespace and name contain; null for all objects
     * @param filter which of these are wanted; null for {@link Filter#ALL}
     * @param cluster the cluster of the objects, null for that of the controller
     */
    @ReadOperation
    public WebEndpointResponse<ControllerDescriptor> controller(
            @Selector String controller,
            @Nullable Integer page,
            @Nullable String search,
            @Nullable Filter filter,
            @Nullable String cluster) {
        return find(controller)
                .map(found -> new WebEndpointResponse<>(OperatorDescriptors.of(
                        found,
                        MAX_OF_ONE,
                        stopped(found),
                        page == null
                                ? null
                                : objects(
                                        found,
                                        new ObjectList.Query(
                                                search == null ? "" : search,
                                                filter == null ? Filter.ALL : filter,
                                                page),
                                        cluster))))
                .orElseGet(() -> new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND));
    }

    private @Nullable ObjectsDescriptor objects(
            Controller<?> controller, ObjectList.Query query, @Nullable String cluster) {
        return ofObjects(controller)
                .flatMap(found -> found.kind()
                        .map(kind -> list.of(found, kind, cluster == null ? found.cluster() : cluster, query)))
                .orElse(null);
    }

    /**
     * Return a cluster-scoped object and its latest reconciliations; status 404 if the controller does not exist.
     *
     * @param cluster the cluster of the object, null for that of the controller
     */
    @ReadOperation
    public WebEndpointResponse<ObjectDescriptor> object(
            @Selector String controller, @Selector String name, @Nullable String cluster) {
        return object(controller, "", name, cluster);
    }

    /**
     * Return an object and its latest reconciliations; status 404 if the controller does not exist or the name is blank.
     *
     * @param cluster the cluster of the object, null for that of the controller
     */
    @ReadOperation
    public WebEndpointResponse<ObjectDescriptor> object(
            @Selector String controller, @Selector String namespace, @Selector String name, @Nullable String cluster) {
        return find(controller)
                .filter(found -> !name.isBlank())
                .map(found -> new WebEndpointResponse<>(
                        object(found, new Request(namespace, name, cluster == null ? found.cluster() : cluster))))
                .orElseGet(() -> new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND));
    }

    private ObjectDescriptor object(Controller<?> controller, Request request) {
        Optional<Controller<Request>> named = ofObjects(controller);
        Cluster cluster = Clusters.of(manager).find(request.cluster()).orElse(null);
        KindStatus kind = cluster == null
                ? null
                : named.flatMap(Controller::kind)
                        .flatMap(name -> CachedObjects.synced(name, cluster))
                        .orElse(null);
        ObjectHeader header = cluster == null || kind == null
                ? null
                : CachedObjects.header(kind, request.key(), cluster).orElse(null);
        return new ObjectDescriptor(
                controller.name(),
                request.toString(),
                runs(controller, request).stream().map(ObjectDescriptors::of).toList(),
                named.map(found -> states.of(found, request, header, () -> runs(found, request)))
                        .orElse(null),
                cluster == null || kind == null || header == null ? null : details.of(kind, header, cluster));
    }

    private List<RunHistory.Entry> runs(Controller<?> controller, Request request) {
        return history.of(declaredName(controller), request);
    }

    /** Return why the deletions of a controller have stopped, an empty text if they have not. */
    private String stopped(Controller<?> controller) {
        return manager.status()
                .extension(BrakeStatus.class)
                .flatMap(brake -> brake.stops().stream()
                        .filter(stop -> stop.controller().equals(declaredName(controller)))
                        .findFirst())
                .map(DeletionStop::reason)
                .orElse("");
    }

    /** The controllers of one declaration in several clusters have its name and that of their cluster. */
    private static String declaredName(Controller<?> controller) {
        String suffix = controller.cluster().isEmpty() ? "" : "@" + controller.cluster();
        return controller.name().substring(0, controller.name().length() - suffix.length());
    }

    /**
     * Pause, resume or release a controller, or enqueue one request.
     *
     * @param namespace the namespace of the object to requeue, null if it is cluster-scoped
     * @param name the name of the object to requeue
     * @param cluster the cluster of the object to requeue, null for that of the controller
     * @return status 404 if the controller does not exist, 400 if the name is missing or the controller has another type of
     *     request
     */
    @WriteOperation
    public WebEndpointResponse<OutcomeDescriptor> change(
            @Selector String controller,
            Action action,
            @Nullable String namespace,
            @Nullable String name,
            @Nullable String cluster) {
        Optional<Controller<?>> found = find(controller);
        if (found.isEmpty()) {
            return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
        }
        return switch (action) {
            case PAUSE -> {
                found.get().operations().pause();
                yield outcome(true, "paused");
            }
            case RESUME -> {
                found.get().operations().resume();
                yield outcome(true, "resumed");
            }
            case RELEASE -> release(found.get());
            case REQUEUE -> requeue(found.get(), namespace, name, cluster);
        };
    }

    /** A replica that does not know of the stop removes its annotation as well. */
    private WebEndpointResponse<OutcomeDescriptor> release(Controller<?> controller) {
        try {
            boolean stopped = Brake.of(manager).release(declaredName(controller));
            return outcome(true, stopped ? "released" : "its deletions had not stopped, as far as this replica knows");
        } catch (ApiException e) {
            return outcome(false, Causes.message(e));
        }
    }

    private WebEndpointResponse<OutcomeDescriptor> requeue(
            Controller<?> controller, @Nullable String namespace, @Nullable String name, @Nullable String cluster) {
        Optional<Controller<Request>> named = ofObjects(controller);
        if (named.isEmpty()) {
            return refused(
                    "the controller was not created for the kind of a @Reconciler bean, its keys may have another type");
        }
        if (name == null || name.isBlank()) {
            return refused("the name of the object is missing");
        }
        boolean possible = PathSegments.isSegment(name) && isSegmentOrAbsent(namespace) && isSegmentOrAbsent(cluster);
        if (!possible) {
            return refused("no object can have this namespace and name, or no cluster this name");
        }
        Request request =
                new Request(namespace == null ? "" : namespace, name, cluster == null ? controller.cluster() : cluster);
        boolean enqueued = named.get().operations().requeue(request);
        return outcome(enqueued, enqueued ? "enqueued" : "the controller does not run on this replica");
    }

    private static boolean isSegmentOrAbsent(@Nullable String text) {
        return text == null || text.isEmpty() || PathSegments.isSegment(text);
    }

    /** Return a controller whose declaration names a kind, so that its requests are those of objects. */
    @SuppressWarnings("unchecked")
    private Optional<Controller<Request>> ofObjects(Controller<?> controller) {
        return registry.isOfObjects(declaredName(controller))
                ? Optional.of((Controller<Request>) controller)
                : Optional.empty();
    }

    private static WebEndpointResponse<OutcomeDescriptor> refused(String why) {
        return new WebEndpointResponse<>(new OutcomeDescriptor(false, why), WebEndpointResponse.STATUS_BAD_REQUEST);
    }

    private static WebEndpointResponse<OutcomeDescriptor> outcome(boolean done, String what) {
        return new WebEndpointResponse<>(new OutcomeDescriptor(done, what));
    }

    private Optional<Controller<?>> find(String name) {
        return manager.components().stream()
                .filter(component ->
                        component instanceof Controller<?> && component.name().equals(name))
                .<Controller<?>>map(component -> (Controller<?>) component)
                .findFirst();
    }
}
