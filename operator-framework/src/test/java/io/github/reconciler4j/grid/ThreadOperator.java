package io.github.reconciler4j.grid;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.event.ObjectEvent.Updated;
import io.github.reconciler4j.fixtures.FaultPlan;
import io.github.reconciler4j.fixtures.FaultPlan.Phase;
import io.github.reconciler4j.fixtures.FaultPoints;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.manager.LifecycleOptions;
import io.github.reconciler4j.manager.ManagerFailedException;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.ManagerStartException;
import io.github.reconciler4j.manager.process.ProbeServer;
import io.github.reconciler4j.manager.process.ProbeServerOptions;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.source.PollSource;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** An operator that has every thread that the framework can start, and uses all of them in each round. */
final class ThreadOperator implements AutoCloseable {

    private static final KindName EVENT = new KindName("events.k8s.io", "v1", "Event");

    private final FaultPlan plan;
    private final GridOperator operator;
    private final ProbeServer probes;
    private final Set<String> failedOnce = ConcurrentHashMap.newKeySet();
    private final AtomicInteger polls = new AtomicInteger();
    private final AtomicInteger resyncs = new AtomicInteger();
    private final AtomicInteger polled = new AtomicInteger();
    private final AtomicInteger losses = new AtomicInteger();

    ThreadOperator(KubernetesServer server, String namespace, FaultPlan plan) {
        this.plan = plan;
        FaultPoints.follow(plan);
        this.operator = new GridOperator(server, namespace, ThreadOperator::options);
        this.probes = ProbeServer.addTo(
                operator.manager, ProbeServerOptions.defaults().withAddress("127.0.0.1", 0));
        operator.manager.addLeadershipListener(new LeadershipListener() {
            @Override
            public void lost(String lease, String reason) {
                losses.incrementAndGet();
            }
        });
        addControllers();
    }

    private static ManagerOptions options(ManagerOptions options) {
        return GridOperator.withElection(options)
                .withCache(options.cache().withResync(Duration.ofMillis(200)))
                .withLifecycle(LifecycleOptions.defaults()
                        .withGracefulShutdown(Duration.ofSeconds(2))
                        .withRetryDelays(Duration.ofMillis(10), Duration.ofMillis(100)));
    }

    /** A mapper that fails once for each object keeps the redelivery busy; a time limit does so with the watchdog. */
    private void addControllers() {
        operator.controller()
                .options(GridOperator.controllerOptions()
                        .withReconcileTimeout(Duration.ofMillis(500))
                        .withCacheSyncTimeout(Duration.ofSeconds(5)))
                .reconciler((object, context) -> {
                    operator.manager.recorder().normal(object, "Seen", "See", "for a test");
                    return operator.seen(object);
                })
                .watches(ConfigMap.class, object -> {
                    if (failedOnce.add(GridOperator.request(object))) {
                        throw new IllegalStateException("the first attempt fails");
                    }
                    return List.of();
                })
                .addTo(operator.manager);
        ControllerBuilder.forRequests(operator.namespace + "-poll", String.class)
                .options(GridOperator.controllerOptions().withCacheSyncTimeout(Duration.ofSeconds(5)))
                .source(PollSource.ofAll(
                        "poll", Duration.ofMillis(50), () -> Map.of("poll=" + polls.incrementAndGet(), 1)))
                .watches(Watch.kind(ConfigMap.class).handler((event, sink) -> {
                    if (event instanceof Updated<?> update && update.resync()) {
                        resyncs.incrementAndGet();
                    }
                }))
                .reconciler((request, context) -> {
                    polled.incrementAndGet();
                    return Result.done();
                })
                .addTo(operator.manager);
    }

    /** Start; returns false if the manager refused to, which is one way to show an error. */
    boolean start() {
        try {
            operator.manager.start();
        } catch (ManagerStartException e) {
            return false;
        }
        plan.enter(Phase.RUN);
        return true;
    }

    /** Whether the liveness probe fails, or the manager has ended with a failure: the process is restarted. */
    boolean isRestarted() {
        return !operator.health().isAlive() || !operator.manager.status().running();
    }

    /** Use each thread. Fails if one of them does not work and the process is not restarted for it. */
    void round() {
        String name = "object-" + polls.get();
        int number = operator.change(name);
        await(name + " is reconciled", () -> isSeen(name, number));
        await("an event is written", () -> hasEvent(name));
        int before = polled.get();
        await("the source polls", () -> polled.get() > before + 1);
        await(
                "the change is delivered again",
                () -> operator.health().checks().values().stream()
                        .noneMatch(check -> check.details().containsKey("undelivered")));
        int resynced = resyncs.get();
        await("the cache delivers its objects again", () -> resyncs.get() > resynced);
        await("the probe server responds", () -> isRestarted() || responds());
        await("this replica leads", () -> operator.manager.status().leader());
    }

    /** Lose the lease and acquire it again. */
    void loseLease() {
        int before = losses.get();
        operator.takeLease();
        await(
                "the lease is lost",
                () -> losses.get() > before || !operator.manager.status().leader());
        await("the lease is acquired again", () -> operator.manager.status().leader());
    }

    private boolean isSeen(String name, int number) {
        return operator.hasSeen(name, number);
    }

    private void await(String what, BooleanSupplier condition) {
        GridOperator.await(what, () -> condition.getAsBoolean() || isRestarted());
    }

    private boolean hasEvent(String name) {
        return operator.admin.live().list(Kind.of(EVENT), Selection.inNamespace(operator.namespace)).stream()
                .anyMatch(event ->
                        event.get("regarding") instanceof Map<?, ?> regarding && name.equals(regarding.get("name")));
    }

    private boolean responds() {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create("http://127.0.0.1:" + probes.port() + "/healthz")
                            .toURL()
                            .openConnection();
            connection.setConnectTimeout(1000);
            connection.setReadTimeout(1000);
            return connection.getResponseCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /** Stop, which must return whatever happens. */
    void stop() throws InterruptedException {
        plan.enter(Phase.STOP);
        operator.manager.stop();
        try {
            operator.manager.await();
        } catch (ManagerFailedException e) {
            // One way to show an error.
        }
    }

    @Override
    public void close() {
        try {
            operator.close();
        } finally {
            FaultPoints.follow(null);
        }
    }
}
