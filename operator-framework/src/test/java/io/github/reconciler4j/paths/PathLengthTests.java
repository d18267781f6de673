package io.github.reconciler4j.paths;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.OperationResult.Outcome;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * How many files someone has to open who follows one event, one write or one read through a running operator. A bar is raised only
 * with its reason in the commit. A file that is entered in each of several rounds is on the path, so that what happens now and
 * then does not count.
 */
class PathLengthTests {

    private static final int ROUNDS = 5;
    private static final String NAMESPACE = "default";

    private static final Set<String> READERS = Set.of("reflector", "subscription", "worker");

    /** What was entered in any round. */
    private final Set<String> seen = new HashSet<>();

    private final SynchronousQueue<Set<String>> reconciled = new SynchronousQueue<>();
    private KubernetesServer server;
    private ApiConnection connection;
    private Client admin;
    private PathTracer tracer;
    private Manager manager;
    private Controller<Request> controller;
    private int number;

    @BeforeEach
    void start() throws Exception {
        server = KubernetesServer.start();
        connection = ApiConnection.open(server.clientConfig());
        admin = Client.create(connection, Scheme.create(), ClientOptions.defaults());
        tracer = PathTracer.open();
        manager =
                Manager.create(server.clientConfig(), ManagerOptions.defaults().withName("paths"));
        controller = ControllerBuilder.of(ConfigMap.class)
                .named("paths")
                .reconciler((object, context) -> {
                    if (object.getMetadata().getName().equals("event")) {
                        reconciled.offer(tracer.end(), 10, TimeUnit.SECONDS);
                    }
                    return Result.done();
                })
                .addTo(manager);
        manager.start();
    }

    @AfterEach
    void stop() throws IOException {
        tracer.close();
        manager.stop();
        connection.close();
        server.close();
    }

    private ConfigMap object(String name) {
        number++;
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName(name)
                .addToLabels("number", String.valueOf(number))
                .endMetadata()
                .addToData("number", String.valueOf(number))
                .build();
    }

    private static boolean isOfPath(Thread thread) {
        return READERS.stream().anyMatch(thread.getName()::contains);
    }

    /** Wait until what follows a reconciliation is over, so that it is not part of the next round. */
    private void awaitIdle() {
        await().until(() -> controller.operations().queue().orElseThrow().running() == 0);
    }

    @Test
    void eventFromTheWatchToTheReconciler() throws Exception {
        Set<String> path = null;
        for (int i = 0; i < ROUNDS; i++) {
            ConfigMap changed = object("event");
            tracer.record(PathLengthTests::isOfPath);
            admin.apply(changed);
            path = both(path, reconciled.poll(60, TimeUnit.SECONDS));
            awaitIdle();
        }
        check(TracedTypes.of(path), 58, 97);
        checkWalk("One event", path);
    }

    @Test
    void applyThatChangesTheObject() throws IOException {
        Client client = manager.client();
        client.apply(object("written"));
        TracedTypes path = trace(() -> client.applyWithOutcome(object("written"), ApplyOptions.defaults())
                        .outcome()
                != Outcome.UNCHANGED);
        check(path, 48, 84);
        checkWalk("One write", path.types());
    }

    @Test
    void applyThatChangesNothing() {
        Client client = manager.client();
        ConfigMap same = object("same");
        client.apply(same);
        // until the watch has the write, each round looks at it as well; an object that was read several times is
        // copied
        await().untilAsserted(() -> check(
                trace(() ->
                        client.applyWithOutcome(same, ApplyOptions.defaults()).outcome() == Outcome.UNCHANGED),
                26,
                43));
    }

    @Test
    void getFromTheCache() {
        ObjectKey key = ObjectKey.of(NAMESPACE, "read");
        manager.client().apply(object("read"));
        Cache cache = manager.cache();
        await().untilAsserted(() ->
                check(trace(() -> cache.get(ConfigMap.class, key).isPresent()), 10, 14));
    }

    /** Trace a call that is to return true. */
    private TracedTypes trace(Supplier<Boolean> call) {
        Thread own = Thread.currentThread();
        Set<String> path = null;
        for (int i = 0; i < ROUNDS; i++) {
            tracer.record(thread -> thread == own);
            boolean done = call.get();
            Set<String> round = tracer.end();
            assertThat(done).as("the call did what is traced").isTrue();
            path = both(path, round);
        }
        return TracedTypes.of(path);
    }

    private Set<String> both(Set<String> before, Set<String> round) {
        assertThat(round).as("types that were entered").isNotEmpty();
        seen.addAll(round);
        Set<String> common = new HashSet<>(round);
        if (before != null) {
            common.retainAll(before);
        }
        return common;
    }

    /** The walks of docs/architecture.md name each file of the path, and no other ones. */
    private void checkWalk(String heading, Set<String> path) throws IOException {
        Walk.of(heading)
                .check(TracedTypes.of(path).files(), TracedTypes.of(seen).files());
    }

    private static void check(TracedTypes path, int files, int types) {
        assertThat(path.files()).as("%s", path).hasSizeLessThanOrEqualTo(files);
        assertThat(path.types()).as("%s", path).hasSizeLessThanOrEqualTo(types);
    }
}
