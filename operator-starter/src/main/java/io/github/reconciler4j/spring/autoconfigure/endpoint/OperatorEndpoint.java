package io.github.reconciler4j.spring.autoconfigure.endpoint;

import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.spring.autoconfigure.ReconcilerBean;
import io.github.reconciler4j.spring.autoconfigure.ReconcilerRegistry;
import io.github.reconciler4j.spring.autoconfigure.endpoint.OperatorDescriptors.ControllerDescriptor;
import io.github.reconciler4j.spring.autoconfigure.endpoint.OperatorDescriptors.OperatorDescriptor;
import io.github.reconciler4j.spring.autoconfigure.endpoint.OperatorDescriptors.OutcomeDescriptor;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * {@link Endpoint Endpoint} that shows what the operator does, and pauses, resumes and requeues. Reading never asks the
 * API server. Safe for use by many threads.
 *
 * @since 0.1.0
 */
@Endpoint(id = "reconciler4j")
public class OperatorEndpoint {

    /** The most failing keys shown of each controller in the overview. */
    static final int FEW = 10;

    /** The most failing keys shown of one controller. */
    static final int MANY = 100;

    private final Manager manager;
    private final ReconcilerRegistry registry;

    /** Creates it. */
    public OperatorEndpoint(Manager manager, ReconcilerRegistry registry) {
        this.manager = manager;
        this.registry = registry;
    }

    /**
     * What to do with a controller.
     *
     * @since 0.1.0
     */
    public enum Action {
        /** Lets it take no more keys. */
        PAUSE,
        /** Lets it take keys again. */
        RESUME,
        /** Has it reconcile one key now. */
        REQUEUE
    }

    /** The whole operator. */
    @ReadOperation
    public OperatorDescriptor operator() {
        return new OperatorDescriptor(
                manager.options().name(),
                manager.isRunning(),
                manager.isLeader(),
                manager.components().stream()
                        .filter(Controller.class::isInstance)
                        .<Controller<?>>map(component -> (Controller<?>) component)
                        .sorted(Comparator.comparing(ManagedComponent::name))
                        .map(controller -> OperatorDescriptors.of(controller, FEW))
                        .toList(),
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

    /** One controller, with more of its failing keys; 404 if there is none of that name. */
    @ReadOperation
    public WebEndpointResponse<ControllerDescriptor> controller(@Selector String controller) {
        return find(controller)
                .map(found -> new WebEndpointResponse<>(OperatorDescriptors.of(found, MANY)))
                .orElseGet(() -> new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND));
    }

    /**
     * Pauses or resumes a controller, or has it reconcile one key.
     *
     * @param namespace the namespace of the key, null for a cluster-scoped object
     * @param name the name of the key, for a requeue
     * @return 404 if there is no such controller, 400 if the key is missing or the controller has other keys
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
