package io.github.reconciler4j.builder;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.github.reconciler4j.builder.OwnWritesOrder.Way;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** One case of {@link OwnWritesRandomTests}: all write at once, and then one after the other. */
final class OwnWritesHistory {

    private static final int OBJECTS = 3;
    private static final int WRITES = 5;
    private static final int CHANGES = 12;
    private static final int ORDERS = 4;
    private static final List<String> CONTROLLERS = List.of("a", "b");
    private static final String WRITER = "example.com/writer";

    private final Random random;
    private final Random orders;
    private final String namespace;
    private final KubernetesServer server;
    private final Client admin;
    private final AtomicInteger number = new AtomicInteger();

    /** The last version that each party wrote, and certainly it. */
    private final Map<Party, Long> written = new ConcurrentHashMap<>();

    /** The version that the last reconciliation of each party saw when it started. */
    private final Map<Party, Long> seen = new ConcurrentHashMap<>();

    /** The parties that were reconciled because of an update of their object. */
    private final Set<Party> triggered = ConcurrentHashMap.newKeySet();

    private final Map<Party, AtomicInteger> writes = new ConcurrentHashMap<>();

    /** How often each request was reconciled because its ConfigMap was touched. */
    private final Map<String, AtomicInteger> touches = new ConcurrentHashMap<>();

    /** The last version of the marker that each controller received. */
    private final Map<String, Long> marked = new ConcurrentHashMap<>();

    private volatile boolean isCalm;
    private volatile @Nullable OwnWritesOrder order;

    OwnWritesHistory(int seed, KubernetesServer server, Client admin) {
        this.random = new Random(seed);
        this.orders = new Random(seed);
        this.namespace = "own-" + seed;
        this.server = server;
        this.admin = admin;
    }

    /** Who writes or sees an object: the request of a controller, or the administrator. */
    record Party(String controller, String request, String object) {}

    private synchronized int draw(int bound) {
        return random.nextInt(bound);
    }

    /** Drawn by one thread, so that a seed repeats the orders. */
    private int drawOrder(int bound) {
        return orders.nextInt(bound);
    }

    void run() {
        createObjects();
        Manager manager = Manager.create(
                server.clientConfig(),
                ManagerOptions.defaults()
                        .withName(namespace)
                        .withoutLeaderElection()
                        .withCache(CacheOptions.defaults()
                                .withKindDefaults(KindCacheOptions.defaults().withNamespaces(Set.of(namespace)))));
        CONTROLLERS.forEach(name -> controller(name, manager));
        manager.start();
        try {
            for (int i = 0; i < CHANGES; i++) {
                changeFromOutside("s" + draw(OBJECTS));
            }
            await("each party sees what others wrote", this::check);
            isCalm = true;
            touchAll();
            for (int i = 0; i < ORDERS; i++) {
                oneAlone();
            }
            check();
        } finally {
            manager.stop();
        }
    }

    private static void await(String what, Runnable assertion) {
        Awaitility.await(what)
                .pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(assertion::run);
    }

    private void createObjects() {
        admin.create(new NamespaceBuilder()
                .withNewMetadata()
                .withName(namespace)
                .endMetadata()
                .build());
        admin.create(object("marker", "0"));
        for (int i = 0; i < OBJECTS; i++) {
            admin.create(object("s" + i, "0"));
            admin.create(new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace(namespace)
                    .withName("r" + i)
                    .endMetadata()
                    .build());
        }
    }

    private ServiceAccount object(String name, String writer) {
        return new ServiceAccountBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .addToAnnotations(WRITER, writer)
                .endMetadata()
                .build();
    }

    private void controller(String name, Manager manager) {
        ControllerBuilder.of(ConfigMap.class)
                .named(name + "-" + namespace)
                .customizeOptions(options -> options.withMaxConcurrentReconciles(2))
                .watches(Watch.kind(ServiceAccount.class)
                        .ownWrites(OwnWrites.IGNORE)
                        .map(object -> requests(name, object)))
                .reconciler((object, context) -> {
                    reconcile(name, object.getMetadata().getName(), context, manager);
                    return Result.done();
                })
                .addTo(manager);
    }

    /** Each object concerns two requests. */
    private List<Request> requests(String controller, ServiceAccount object) {
        String name = object.getMetadata().getName();
        if (name.equals("marker")) {
            OwnWritesOrder current = order;
            if (current != null) {
                current.hold(controller);
            }
            marked.merge(controller, version(object), Math::max);
        }
        return name.startsWith("s") ? requestsOf(name).map(this::request).toList() : List.of();
    }

    private Request request(String name) {
        return Request.of(ObjectKey.of(namespace, name));
    }

    private static Stream<String> requestsOf(String object) {
        int index = Integer.parseInt(object.substring(1));
        return Stream.of("r" + index, "r" + (index + 1) % OBJECTS);
    }

    private static List<String> objectsOf(String request) {
        int index = Integer.parseInt(request.substring(1));
        return List.of("s" + index, "s" + (index + OBJECTS - 1) % OBJECTS);
    }

    private static List<Party> partiesOf(String object) {
        return CONTROLLERS.stream()
                .flatMap(controller -> requestsOf(object).map(request -> new Party(controller, request, object)))
                .toList();
    }

    private void reconcile(String controller, String request, ReconcileContext context, Manager manager) {
        for (String object : objectsOf(request)) {
            Party party = new Party(controller, request, object);
            manager.cache()
                    .get(ServiceAccount.class, ObjectKey.of(namespace, object))
                    .ifPresent(now -> seen.put(party, version(now)));
            if (isUpdated(object, context)) {
                triggered.add(party);
            }
        }
        if (!isCalm) {
            objectsOf(request).forEach(object -> writeAtRandom(new Party(controller, request, object), context));
        }
        OwnWritesOrder current = order;
        if (isUpdated(request, context)) {
            if (current != null) {
                current.carryOut(controller, request, way -> write(current.party, way, context.client()));
            }
            touches.computeIfAbsent(controller + request, same -> new AtomicInteger())
                    .incrementAndGet();
        }
    }

    private static boolean isUpdated(String object, ReconcileContext context) {
        return context.triggers().stream()
                .anyMatch(trigger -> trigger.change() == Trigger.Change.UPDATED
                        && trigger.object()
                                .filter(key -> key.name().equals(object))
                                .isPresent());
    }

    private void writeAtRandom(Party party, ReconcileContext context) {
        AtomicInteger count = writes.computeIfAbsent(party, same -> new AtomicInteger());
        if (draw(3) > 0 && count.getAndIncrement() < WRITES) {
            if (draw(3) == 0) {
                context.client().apply(object(party.object, "fixed")); // often changes nothing
                return;
            }
            try {
                write(party, Way.CONTROLLERS.get(draw(Way.CONTROLLERS.size())), context.client());
            } catch (ConflictException e) {
                assertThat(e.code()).isEqualTo(409);
            }
        }
    }

    private void write(Party party, Way way, Client client) {
        String id = party.controller + party.request + number.incrementAndGet();
        ServiceAccount mine = object(party.object, id);
        ObjectPatch patch = ObjectPatch.merge(Map.of("metadata", Map.of("annotations", Map.of(WRITER, id))));
        switch (way) {
            case MARKER -> admin.patch(object("marker", ""), patch);
            case ADMIN -> changeFromOutside(party.object);
            case APPLY -> wrote(party, client.apply(mine));
            case PATCH -> wrote(party, client.patch(mine, patch));
            case LOCKED_PATCH -> {
                ServiceAccount now = live(party.object);
                wrote(party, client.patch(now, patch.lockedTo(now)));
            }
            case UPDATE ->
                wrote(
                        party,
                        client.update(live(party.object)
                                .edit()
                                .editMetadata()
                                .addToAnnotations(WRITER, id)
                                .endMetadata()
                                .build()));
        }
    }

    private ServiceAccount live(String object) {
        return admin.get(ServiceAccount.class, ObjectKey.of(namespace, object)).orElseThrow();
    }

    private void changeFromOutside(String object) {
        Map<String, String> annotations = Map.of(
                "example.com/number",
                String.valueOf(number.incrementAndGet()),
                WRITER,
                draw(2) == 0 ? "fixed" : "other");
        ObjectPatch patch = ObjectPatch.merge(Map.of("metadata", Map.of("annotations", annotations)));
        wrote(new Party("", "", object), admin.patch(object(object, ""), patch));
    }

    private void wrote(Party party, ServiceAccount answer) {
        written.merge(party, version(answer), Math::max);
    }

    private static long version(ServiceAccount object) {
        return Long.parseLong(object.getMetadata().getResourceVersion());
    }

    /** Let one request write while all others rest, and see who is reconciled because of it. */
    private void oneAlone() {
        settle();
        triggered.clear();
        List<Party> parties = partiesOf("s" + drawOrder(OBJECTS));
        OwnWritesOrder current = new OwnWritesOrder(parties.get(drawOrder(parties.size())), this::drawOrder);
        order = current;
        touch(List.of(current.party.request));
        await("the order is carried out", () -> assertThat(current.isDone()).isTrue());
        order = null;
        settle();

        Set<Party> expected = new HashSet<>(parties);
        if (current.isOwn()) {
            expected.remove(current.party);
        }
        assertThat(triggered)
                .as("reconciled after %s by %s", current.ways, current.party)
                .isEqualTo(expected);
        assertThat(current.failure()).isNull();
    }

    /** Wait until each update of now has been delivered, and each request that it enqueued has been reconciled. */
    private void settle() {
        ObjectPatch patch = ObjectPatch.merge(Map.of(
                "metadata", Map.of("annotations", Map.of(WRITER, "m" + number.incrementAndGet()))));
        long version = version(admin.patch(object("marker", ""), patch));
        await(
                "the marker is delivered",
                () -> CONTROLLERS.forEach(controller ->
                        assertThat(marked.getOrDefault(controller, 0L)).isGreaterThanOrEqualTo(version)));
        touchAll();
    }

    private void touchAll() {
        touch(IntStream.range(0, OBJECTS).mapToObj(index -> "r" + index).toList());
    }

    /** Reconcile requests of both controllers. */
    private void touch(List<String> requests) {
        Map<String, Integer> before = new HashMap<>();
        CONTROLLERS.forEach(controller ->
                requests.forEach(request -> before.put(controller + request, touchesOf(controller + request))));
        for (String request : requests) {
            admin.patch(
                    new ConfigMapBuilder()
                            .withNewMetadata()
                            .withNamespace(namespace)
                            .withName(request)
                            .endMetadata()
                            .build(),
                    ObjectPatch.merge(Map.of("data", Map.of("touch", "t" + number.incrementAndGet()))));
        }
        await(
                requests + " are reconciled",
                () -> before.forEach(
                        (request, count) -> assertThat(touchesOf(request)).isGreaterThan(count)));
    }

    private int touchesOf(String request) {
        AtomicInteger count = touches.get(request);
        return count == null ? 0 : count.get();
    }

    private void check() {
        for (int index = 0; index < OBJECTS; index++) {
            String object = "s" + index;
            for (Party party : partiesOf(object)) {
                written.forEach((writer, version) -> {
                    if (writer.object.equals(object) && !writer.equals(party)) {
                        assertThat(seen.getOrDefault(party, 0L))
                                .as("%s sees %s", party, writer)
                                .isGreaterThanOrEqualTo(version);
                    }
                });
            }
        }
    }
}
