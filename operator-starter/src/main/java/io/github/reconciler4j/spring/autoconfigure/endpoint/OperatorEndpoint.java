package io.github.reconciler4j.spring.autoconfigure.endpoint;

import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.spring.autoconfigure.ReconcilerBean;
import io.github.reconciler4j.spring.autoconfigure.ReconcilerRegistry;
import io.github.reconciler4j.spring.autoconfigure.endpoint.OperatorDescriptors.ControllerDescriptor;
import io.github.reconciler4j.spring.autoconfigure.endpoint.OperatorDescriptors.ObjectDescriptor;
import io.github.reconciler4j.spring.autoconfigure.endpoint.OperatorDescriptors.OperatorDescriptor;
import io.github.reconciler4j.spring.autoconfigure.endpoint.OperatorDescriptors.OutcomeDescriptor;
import io.github.reconciler4j.spring.autoconfigure.observation.RunHistory;
import io.github.reconciler4j.support.TimeSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * {@link Endpoint Endpoint} that shows the state of the operator, pauses and resumes controllers and enqueues requests. It
 * sends no request to the API server, except for the events of one object. Thread-safe.
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
    private final ObjectDetails details;

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
        this.details = new ObjectDetails(manager, TimeSource.system());
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
        /** Enqueue one request. */
        REQUEUE
    }

    /** Return the state of the operator. */
    @ReadOperation
    public OperatorDescriptor operator() {
        return new OperatorDescriptor(
                manager.options().name(),
                manager.isRunning(),
                manager.isLeader(),
                controllers(),
                registry.disabledControllers(),
                manager.status().components().stream()
                        .map(OperatorDescriptors::of)
                        .toList(),
                manager.cache().kinds().stream()
                        .map(OperatorDescriptors::of)
                        .sorted(Comparator.comparing(OperatorDescriptors.KindDescriptor::kind))
                        .toList(),
                manager.status().leases().stream().map(OperatorDescriptors::of).toList());
    }

    private List<OperatorDescriptors.ControllerDescriptor> controllers() {
        return manager.components().stream()
                .filter(Controller.class::isInstance)
                .<Controller<?>>map(component -> (Controller<?>) component)
                .sorted(Comparator.comparing(ManagedComponent::name))
                .map(controller -> OperatorDescriptors.of(controller, MAX_IN_OVERVIEW))
                .toList();
    }

    /** Return the state of one controller, with more of its failing requests; status 404 if it does not exist. */
    @ReadOperation
    public WebEndpointResponse<ControllerDescriptor> controller(@Selector String controller) {
        return find(controller)
                .map(found -> new WebEndpointResponse<>(OperatorDescriptors.of(found, MAX_OF_ONE)))
                .orElseGet(() -> new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND));
    }

    /** Return a cluster-scoped object and its latest reconciliations; status 404 if the controller does not exist. */
    @ReadOperation
    public WebEndpointResponse<ObjectDescriptor> object(@Selector String controller, @Selector String name) {
        return object(controller, "", name);
    }

    /** Return an object and its latest reconciliations; status 404 if the controller does not exist. */
    @ReadOperation
    public WebEndpointResponse<ObjectDescriptor> object(
            @Selector String controller, @Selector String namespace, @Selector String name) {
        Request request = new Request(namespace, name);
        return find(controller).isEmpty()
                ? new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND)
                : new WebEndpointResponse<>(new ObjectDescriptor(
                        controller,
                        request.toString(),
                        history.of(controller, request).stream()
                                .map(OperatorDescriptors::of)
                                .toList(),
                        Optional.ofNullable(registry.reconcilers().get(controller))
                                .flatMap(ReconcilerBean::kind)
                                .map(kind -> details.of(kind, request))
                                .orElse(null)));
    }

    /**
     * Pause or resume a controller, or enqueue one request.
     *
     * @param namespace the namespace of the object to requeue, null if it is cluster-scoped
     * @param name the name of the object to requeue
     * @return status 404 if the controller does not exist, 400 if the name is missing or the controller has another type of
     *     request
     */
    @WriteOperation
    public WebEndpointResponse<OutcomeDescriptor> change(
            @Selector String controller, Action action, @Nullable String namespace, @Nullable String name) {
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
            case REQUEUE -> requeue(controller, namespace, name);
        };
    }

    private WebEndpointResponse<OutcomeDescriptor> requeue(
            String controller, @Nullable String namespace, @Nullable String name) {
        Optional<Controller<Request>> named = ofObjects(controller);
        if (named.isEmpty()) {
            return refused(
                    "the controller was not created for the kind of a @Reconciler bean, its keys may have another type");
        }
        if (name == null || name.isBlank()) {
            return refused("the name of the object is missing");
        }
        boolean enqueued = named.get().operations().requeue(new Request(namespace == null ? "" : namespace, name));
        return outcome(enqueued, enqueued ? "enqueued" : "the controller does not run on this replica");
    }

    /** Return a controller whose declaration names a kind, so that its requests are those of objects. */
    @SuppressWarnings("unchecked")
    private Optional<Controller<Request>> ofObjects(String name) {
        ReconcilerBean reconciler = registry.reconcilers().get(name);
        return reconciler == null || reconciler.kind().isEmpty()
                ? Optional.empty()
                : registry.controller(name).map(controller -> (Controller<Request>) controller);
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
