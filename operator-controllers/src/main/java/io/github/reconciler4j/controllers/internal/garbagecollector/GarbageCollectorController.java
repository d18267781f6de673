package io.github.reconciler4j.controllers.internal.garbagecollector;

import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.RequestControllerBuilder;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.controllers.ControllersOptions;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.source.PollSource;
import java.time.Duration;
import java.util.Map;

/**
 * The garbage collector.
 *
 * @since 0.1.0
 */
public final class GarbageCollectorController {

    private static final int WORKERS = 20;
    /** How many absent owners are remembered. */
    private static final int ABSENT_OWNERS = 500;

    private static final Duration DISCOVERY = Duration.ofSeconds(30);
    /** The time from the creation of a definition until its kind is served, usually. */
    private static final Duration ESTABLISHED = Duration.ofSeconds(1);

    private static final GarbageRequest DISCOVER = new GarbageRequest.Discover();

    private GarbageCollectorController() {}

    /** Return a builder of the controller. It watches the metadata of all kinds, those that are served later too. */
    public static RequestControllerBuilder<?> builder(Manager manager, ControllersOptions options) {
        AbsentOwners absent = new AbsentOwners(ABSENT_OWNERS);
        Graph graph = new Graph(absent);
        Monitors monitors = new Monitors(manager, graph);
        return ControllerBuilder.forRequests(Monitors.NAME, GarbageRequest.class)
                .source(monitors)
                .source(PollSource.ofAll("discovery", DISCOVERY, () -> Map.of(DISCOVER, monitors.served())))
                .watches(Watch.kind(Kind.of("apiextensions.k8s.io/v1", "CustomResourceDefinition")
                                .metadata())
                        .handler(GarbageCollectorController::onDefinition))
                .customizeOptions(controller -> controller.withMaxConcurrentReconciles(WORKERS))
                .requiredPermissions(
                        RequiredPermission.on("*", "*", "get", "list", "watch", "patch", "update", "delete"))
                .reconciler(new Collector(
                        GarbageApi.of(manager.client()), graph, absent, monitors::listener, monitors::update));
    }

    private static void onDefinition(ObjectEvent<?> event, RequestSink<GarbageRequest> sink) {
        boolean known = event instanceof ObjectEvent.Created<?> created && created.initial();
        if (!known) {
            sink.addAfter(DISCOVER, ESTABLISHED);
        }
    }
}
