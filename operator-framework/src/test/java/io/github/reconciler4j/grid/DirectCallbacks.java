package io.github.reconciler4j.grid;

import static io.github.reconciler4j.grid.DirectRow.logged;
import static io.github.reconciler4j.grid.DirectRow.thrown;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.DryRunScope;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WorkScope;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.health.HealthEndpoint;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.source.ChannelSource;
import io.github.reconciler4j.support.LogLimiter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Callbacks that run on the thread of the caller. */
final class DirectCallbacks {

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private DirectCallbacks() {}

    static List<DirectRow> rows() {
        return Stream.of(writes(), observedWrites(), interceptors(), scopes(), functions(), notifications(), removals())
                .flatMap(List::stream)
                .toList();
    }

    private static ConfigMap object(GridOperator operator, String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(operator.namespace)
                .withName(name)
                .endMetadata()
                .build();
    }

    private static ConfigMap unique(GridOperator operator) {
        return object(operator, "unique-" + NUMBERS.incrementAndGet());
    }

    private static List<DirectRow> writes() {
        return List.of(
                thrown(
                        "change of createOrUpdate",
                        (operator, thrower) ->
                                operator.admin.createOrUpdate(unique(operator), object -> thrower.call()),
                        "Client#createOrUpdate(Consumer)"),
                thrown(
                        "change of createOrPatch",
                        (operator, thrower) -> operator.admin.createOrPatch(unique(operator), object -> thrower.call()),
                        "Client#createOrPatch(Consumer)"),
                thrown(
                        "change of edit",
                        (operator, thrower) -> operator.admin.edit(unique(operator), object -> thrower.call()),
                        "Client#edit(Consumer)"),
                thrown(
                        "change of editWithStatus",
                        (operator, thrower) ->
                                operator.admin.editWithStatus(unique(operator), object -> thrower.call()),
                        "Client#editWithStatus(Consumer)"),
                thrown(
                        "change of retryOnConflict",
                        (operator, thrower) -> operator.admin.retryOnConflict(
                                Namespace.class,
                                io.github.reconciler4j.scheme.ObjectKey.ofName(operator.namespace),
                                thrower::call),
                        "Client#retryOnConflict(Function)"),
                thrown(
                        "change of a status",
                        (operator, thrower) -> operator.admin
                                .status()
                                .edit(
                                        operator.admin
                                                .get(Namespace.class, ObjectKey.ofName(operator.namespace))
                                                .orElseThrow(),
                                        object -> thrower.call()),
                        "SubresourceClient#edit(Consumer)"));
    }

    private static List<DirectRow> observedWrites() {
        return List.of(
                thrown(
                        "observer of writes",
                        (operator, thrower) -> Client.create(
                                        operator.manager.home().connection(),
                                        Scheme.create(),
                                        ClientOptions.defaults()
                                                .withMode(WriteMode.OBSERVE)
                                                .withWriteObserver(write -> thrower.call()))
                                .create(unique(operator)),
                        "WriteObserver#observed"),
                logged(
                        "consumer of warnings",
                        (operator, thrower) -> operator.admin
                                .intercepted(new Warning())
                                .create(
                                        unique(operator),
                                        WriteOptions.defaults().withOnWarning(warning -> thrower.call())),
                        "WriteOptions#withOnWarning(Consumer)"));
    }

    /** Lets the server warn. */
    private static final class Warning implements ClientInterceptor {
        @Override
        public ApiResponse intercept(ClientCall call, Next next) {
            ApiResponse response = next.proceed(call);
            return new ApiResponse(response.code(), response.body(), List.of("for a test"));
        }
    }

    private static DirectRow intercepted(String verb, DirectCall call) {
        return thrown(
                "interceptor of " + verb,
                (operator, thrower) -> call.run(operator, operator.admin.intercepted(new Throwing(verb, thrower))),
                "ClientInterceptor#intercept");
    }

    private interface DirectCall {
        void run(GridOperator operator, Client client);
    }

    private static List<DirectRow> interceptors() {
        return List.of(
                intercepted("get", (operator, client) -> client.live().get(ConfigMap.class, operator.key("x"))),
                intercepted(
                        "list", (operator, client) -> client.live().list(Kind.of(ConfigMap.class), Selection.all())),
                intercepted("create", (operator, client) -> client.create(unique(operator))),
                intercepted("update", (operator, client) -> {
                    ConfigMap builtByHand = unique(operator);
                    operator.admin.create(builtByHand);
                    client.update(builtByHand); // one that was read is sent as a patch
                }),
                intercepted(
                        "patch",
                        (operator, client) -> client.patch(
                                operator.admin.create(unique(operator)),
                                ObjectPatch.merge(Map.of("data", Map.of("a", "b"))))),
                intercepted("apply", (operator, client) -> client.apply(unique(operator))),
                intercepted("delete", (operator, client) -> client.delete(operator.admin.create(unique(operator)))),
                intercepted(
                        "deletecollection",
                        (operator, client) -> client.deleteAll(
                                Kind.of(ConfigMap.class),
                                Selection.inNamespace(operator.namespace).withLabelSelector("none=none"),
                                DeletionOptions.defaults())),
                intercepted(
                        "subresource",
                        (operator, client) -> client.status()
                                .patch(
                                        operator.admin
                                                .get(Namespace.class, ObjectKey.ofName(operator.namespace))
                                                .orElseThrow(),
                                        ObjectPatch.merge(Map.of("status", Map.of("phase", "Active"))))));
    }

    /** Calls the thrower for one verb; all calls of subresources count as one. */
    private record Throwing(String verb, Thrower thrower) implements ClientInterceptor {
        @Override
        public ApiResponse intercept(ClientCall call, Next next) {
            String called = call.subresource().isEmpty() ? call.verb().word() : "subresource";
            if (called.equals(verb)) {
                thrower.call();
            }
            return next.proceed(call);
        }
    }

    /** After a failure the thread must not stay in the scope. */
    private static DirectRow scope(String name, Consumer<Thrower> call, String... covers) {
        return thrown(
                name,
                (operator, thrower) -> {
                    try {
                        call.accept(thrower);
                    } finally {
                        if (WriteScope.current().isPresent()
                                || WorkScope.fieldManager().isPresent()) {
                            throw new IllegalStateException("The scope has not ended");
                        }
                    }
                },
                covers);
    }

    private static List<DirectRow> scopes() {
        WriteScope everywhere = WriteScope.everywhere();
        return List.of(
                thrown(
                        "call in a dry run",
                        (operator, thrower) -> DryRunScope.call(() -> thrower.call(1)),
                        "DryRunScope#call(Callable)"),
                thrown(
                        "inherited dry run",
                        (operator, thrower) ->
                                DryRunScope.inherit(() -> thrower.call(1)).call(),
                        "DryRunScope#inherit(Callable)"),
                scope(
                        "task with a field manager",
                        thrower -> WorkScope.in("grid", "grid", thrower::call).run(),
                        "WorkScope#in(Runnable)"),
                scope(
                        "inherited field manager",
                        thrower -> WorkScope.inherit(thrower::call).run(),
                        "WorkScope#inherit(Runnable)"),
                thrown(
                        "call in a write scope",
                        (operator, thrower) -> everywhere.call(() -> thrower.call(1)),
                        "WriteScope#call(Callable)"),
                scope("task in a write scope", thrower -> everywhere.run(thrower::call), "WriteScope#run(Runnable)"),
                scope("wrapped task", thrower -> everywhere.wrap(thrower::call).run(), "WriteScope#wrap(Runnable)"),
                scope(
                        "inherited write scope",
                        thrower -> WriteScope.inherit(thrower::call).run(),
                        "WriteScope#inherit(Runnable)"),
                scope(
                        "check of a write scope",
                        thrower -> WriteScope.of(thrower::call).check(),
                        "WriteScope#of(Runnable)"));
    }

    private static List<DirectRow> functions() {
        return List.of(
                thrown(
                        "mapping of a channel",
                        (operator, thrower) -> ChannelSource.<String, String>mapping(
                                        "channel", event -> thrower.call(List.of(event)))
                                .send("event"),
                        "ChannelSource#mapping(Function)"),
                thrown(
                        "change of options",
                        (operator, thrower) -> operator.controller()
                                .customizeOptions(thrower::call)
                                .reconciler((object, context) -> operator.seen(object))
                                .build(operator.manager),
                        "AbstractControllerBuilder#customizeOptions(UnaryOperator)"),
                thrown(
                        "checks of liveness",
                        (operator, thrower) -> HealthEndpoint.liveness(() -> thrower.call(List.of()))
                                .all(false, Set.of()),
                        "HealthEndpoint#liveness(Supplier)"),
                thrown(
                        "checks of readiness",
                        (operator, thrower) -> HealthEndpoint.readiness(() -> thrower.call(List.of()))
                                .all(false, Set.of()),
                        "HealthEndpoint#readiness(Supplier)"));
    }

    private static List<DirectRow> notifications() {
        return List.of(
                logged(
                        "log statement",
                        (operator, thrower) -> new LogLimiter().log("cause", occurrence -> thrower.call()),
                        "LogLimiter#log(Consumer)"),
                logged(
                        "gauge",
                        (operator, thrower) -> OperatorMetrics.guarded(new Gauges(thrower, new Thrower()))
                                .gauge("grid", "", () -> 1),
                        "OperatorMetrics#gauge"),
                logged(
                        "end of a gauge",
                        (operator, thrower) -> OperatorMetrics.guarded(new Gauges(new Thrower(), thrower))
                                .gauge("grid", "", () -> 1)
                                .close(),
                        "OperatorMetrics.Registration#close"),
                logged(
                        "listener that is elected",
                        (operator, thrower) -> operator.manager.addLeadershipListener(new LeadershipListener() {
                            @Override
                            public void elected(String lease) {
                                thrower.call();
                            }
                        }),
                        "LeadershipListener#elected"));
    }

    private static List<DirectRow> removals() {
        return List.of(logged(
                "removal of instruments",
                (operator, thrower) -> OperatorMetrics.guarded(new Gauges(thrower, new Thrower()))
                        .removeWithLabel("grid", "1"),
                "OperatorMetrics#removeWithLabel"));
    }

    /** Fails to register, or to end. */
    private record Gauges(Thrower registering, Thrower ending) implements OperatorMetrics {
        @Override
        public Counter counter(String name, String help, String... labels) {
            return NONE.counter(name, help, labels);
        }

        @Override
        public Histogram histogram(String name, String help, double[] buckets, String... labels) {
            return NONE.histogram(name, help, buckets, labels);
        }

        @Override
        public Registration gauge(String name, String help, java.util.function.DoubleSupplier value, String... labels) {
            registering.call();
            return ending::call;
        }

        @Override
        public void removeWithLabel(String label, String value) {
            registering.call();
        }
    }
}
