package io.github.reconciler4j.cache.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.cache.StorageForm;
import io.github.reconciler4j.cache.Subscription;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.client.ApiConnection;
import io.github.reconciler4j.client.ApiException;
import io.github.reconciler4j.client.ApiRequest;
import io.github.reconciler4j.client.ConnectionOptions;
import io.github.reconciler4j.client.HttpEngine;
import io.github.reconciler4j.client.UndecodableObjectException;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.OwnerRef;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.assertj.core.api.SoftAssertions;

/** One random run: a server, a cache with random options, writers, faults, and the comparison at the end. */
final class RandomRun {

    private static final Duration PATIENCE = Duration.ofSeconds(Integer.getInteger("cache.patience", 120));
    private static final int WRITERS = 2;
    private static final int WRITES = 60;

    private final Random random;
    private final String name;
    private final KubernetesServer server;
    private final RandomFaults faults;
    private final ServerTruth truth = new ServerTruth();
    private final RandomSelection selection;
    private final CacheOptions options;
    private final ApiConnection writing;
    private final ApiConnection reading;
    private final Cache cache;
    private final Informer<ConfigMap> informer;
    private final List<ToldEvents> subscribers = new CopyOnWriteArrayList<>();
    private final List<String> violations = new CopyOnWriteArrayList<>();
    private final boolean ownWrites;

    RandomRun(long seed) {
        random = new Random(seed);
        selection = RandomSelection.next(random);
        options = options();
        server = KubernetesServer.builder()
                .https(false)
                .garbageCollection(false)
                .historySize(random.nextBoolean() ? 10_000 : 5 + random.nextInt(30))
                .bookmarkInterval(Duration.ofMillis(20 + random.nextInt(50)))
                .start();
        server.onChange("", "configmaps", truth::take);
        ownWrites = random.nextBoolean();
        // An own write of a life before the last cannot be told from one that the watch has yet to bring.
        faults = new RandomFaults(server, new Random(random.nextLong()), !ownWrites);
        HttpEngine engine = random.nextBoolean() ? HttpEngine.JDK : HttpEngine.SOCKETS;
        writing = open(server.adminToken(), HttpEngine.SOCKETS);
        reading = open(server.addUser(RandomFaults.VICTIM, "system:masters"), engine);
        cache = Cache.create(reading, Scheme.create(), options);
        informer = cache.informer(ConfigMap.class);
        name = "seed " + seed + ", " + selection + ", " + options.watch() + ", " + engine
                + (ownWrites ? ", own writes" : "");
    }

    private CacheOptions options() {
        WatchOptions watch = WatchOptions.defaults()
                .withBackoff(Duration.ofMillis(1), Duration.ofMillis(1 + random.nextInt(20)))
                .withIdleTimeout(Duration.ofMillis(300 + random.nextInt(500)))
                .withLifetime(Duration.ofSeconds(1), Duration.ofSeconds(1 + random.nextInt(3)))
                .withPageSize(1 + random.nextInt(6))
                .withWatchList(random.nextBoolean());
        return CacheOptions.defaults()
                .withWatch(watch)
                .withResync(random.nextInt(3) == 0 ? Duration.ofMillis(100) : Duration.ZERO)
                .withOtherKinds(selection.options());
    }

    private ApiConnection open(String token, HttpEngine engine) {
        Config config = server.clientConfig(token);
        return ApiConnection.open(config, ConnectionOptions.defaults().withEngine(engine));
    }

    /** Runs it; fails with the seed if anything is not as it must be. */
    void run() throws InterruptedException {
        try {
            begin();
            disturb();
            faults.end();
            settle();
            compare();
            writeUnseen(); // own writes that were never let go would hide this
            settle();
        } finally {
            cache.close();
            reading.close();
            writing.close();
            server.close();
        }
        subscribers.forEach(subscriber -> note(subscriber.check(truth, selection)));
        assertThat(violations).as(name).isEmpty();
    }

    private void note(String violation) {
        if (violation != null) {
            violations.add(violation);
        }
    }

    private void begin() {
        subscribe("quick", Duration.ZERO);
        subscribe("slow", Duration.ofMillis(2));
        informer.addIndex("app", RandomRun::app);
        RandomWriter first = new RandomWriter(writing, new Random(random.nextLong()), new Checker());
        for (int i = 0; i < 15; i++) {
            first.next();
        }
        cache.start();
    }

    private Subscription subscribe(String subscriber, Duration slowness) {
        ToldEvents events = new ToldEvents(subscriber, slowness, random.nextLong());
        subscribers.add(events);
        Subscription subscription = informer.subscribe(subscriber, events);
        return new Subscription() {
            @Override
            public boolean hasDeliveredInitial() {
                return subscription.hasDeliveredInitial();
            }

            @Override
            public void awaitInitial(Duration timeout) throws InterruptedException {
                subscription.awaitInitial(timeout);
            }

            @Override
            public void close() {
                subscription.close();
                events.closed = true;
            }
        };
    }

    private static List<String> app(ObjectSnapshot<ConfigMap> object) {
        return List.of(object.header().labels().getOrDefault("app", "none"));
    }

    private void disturb() throws InterruptedException {
        Subscription leaving = subscribe("leaving", Duration.ofMillis(1));
        RandomReader reader = new RandomReader(informer, truth, random.nextLong(), selection, faults);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            RandomWriter writer = new RandomWriter(writing, new Random(random.nextLong()), new Checker());
            boolean nasty = i == 0;
            threads.add(new Thread(() -> write(writer, nasty, leaving), "writer"));
        }
        Thread reading = new Thread(reader::run, "reader");
        threads.forEach(Thread::start);
        reading.start();
        for (Thread thread : threads) {
            thread.join();
        }
        reader.end();
        reading.join();
        violations.addAll(reader.violations());
    }

    private void write(RandomWriter writer, boolean nasty, Subscription leaving) {
        for (int i = 0; i < WRITES; i++) {
            writer.next();
            if (nasty && i % 4 == 0) {
                faults.next();
            }
            if (nasty && i == WRITES / 3) {
                leaving.close();
                subscribe("late", Duration.ofMillis(1));
                informer.addIndex("value", RandomRun::value);
            }
        }
    }

    private static List<String> value(ObjectSnapshot<ConfigMap> object) {
        return List.of(object.object().getData().get("value"));
    }

    /** What the server has and the cache is to have: by key, uid and version. */
    private Map<String, JsonNode> wanted() {
        byte[] answer = await("a list")
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(ApiException.class) // of a connection that was cut before
                .until(
                        () -> writing.send(ApiRequest.of("list", "GET", "/api/v1/configmaps"))
                                .body(),
                        any -> true);
        Map<String, JsonNode> objects = new TreeMap<>();
        for (JsonNode object :
                ServerTruth.parse(new String(answer, StandardCharsets.UTF_8)).path("items")) {
            JsonNode metadata = object.path("metadata");
            String key = metadata.path("namespace").asText() + "/"
                    + metadata.path("name").asText();
            if (selection.covers(key, ServerTruth.labels(object))) {
                objects.put(key, object);
            }
        }
        return objects;
    }

    private static Map<String, String> states(Map<String, JsonNode> objects) {
        Map<String, String> states = new TreeMap<>();
        objects.forEach((key, object) -> states.put(
                key,
                object.path("metadata").path("uid").asText() + "@"
                        + object.path("metadata").path("resourceVersion").asText()));
        return states;
    }

    private Map<String, String> cached(List<ObjectSnapshot<ConfigMap>> snapshots) {
        Map<String, String> states = new TreeMap<>();
        for (ObjectSnapshot<ConfigMap> snapshot : snapshots) {
            String key = snapshot.key().namespace() + "/" + snapshot.key().name();
            assertThat(states.put(key, ToldEvents.state(snapshot.header())))
                    .as(name + " has " + key + " twice")
                    .isNull();
        }
        return states;
    }

    private void writeUnseen() {
        RandomWriter.Written nobody = new RandomWriter.Written() {
            @Override
            public void object(byte[] json) {}

            @Override
            public void removed(ObjectKey key, String uid) {}
        };
        RandomWriter writer = new RandomWriter(writing, new Random(random.nextLong()), nobody);
        for (int i = 0; i < 10; i++) {
            writer.next();
        }
    }

    private void settle() {
        Map<String, String> wanted = states(wanted());
        await(name + ": the cache has what the server has")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .untilAsserted(() -> assertThat(cached(informer.list("")))
                        .as(this::whereItIs)
                        .isEqualTo(wanted));
        for (ToldEvents subscriber : subscribers) {
            if (!subscriber.closed) {
                await(name + ": " + "a subscriber knows what there is")
                        .atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(5))
                        .untilAsserted(() ->
                                assertThat(new TreeMap<>(subscriber.known)).isEqualTo(wanted));
            }
        }
    }

    /** What the cache says of itself, and where its threads are. */
    private String whereItIs() {
        StringBuilder text = new StringBuilder(cache.kinds() + ", server at " + server.resourceVersion());
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            if (thread.getName().startsWith("reflector-")) {
                text.append("\n").append(thread.getName()).append(' ').append(List.of(stack));
            }
        });
        return text.toString();
    }

    /** With everything at rest: every way to read gives what the server has. */
    private void compare() {
        Map<String, JsonNode> wanted = wanted();
        SoftAssertions all = new SoftAssertions();
        for (String app : List.of("x", "y", "z", "none")) {
            all.assertThat(cached(informer.byIndex("app", app)))
                    .as("index of app " + app)
                    .isEqualTo(states(filter(
                            wanted,
                            object -> app.equals(ServerTruth.labels(object).getOrDefault("app", "none")))));
        }
        for (int i = 0; i < 3; i++) {
            String uid = "owner" + i;
            all.assertThat(cached(informer.ownedBy(uid)))
                    .as("owned by " + uid)
                    .isEqualTo(states(filter(
                            wanted,
                            object -> uid.equals(
                                    object.at("/metadata/ownerReferences/0/uid").asText()))));
        }
        for (String namespace : RandomSelection.NAMESPACES) {
            all.assertThat(cached(informer.list(namespace)))
                    .as("namespace " + namespace)
                    .isEqualTo(states(filter(
                            wanted,
                            object -> namespace.equals(
                                    object.at("/metadata/namespace").asText()))));
        }
        all.assertThat(cache.kinds().get(0).objects()).as("size").isEqualTo(wanted.size());
        wanted.forEach((key, object) -> compareObject(all, object));
        all.assertThat(violations).isEmpty();
        try {
            all.assertAll();
        } catch (AssertionError e) {
            throw new AssertionError(name, e);
        }
    }

    private static Map<String, JsonNode> filter(Map<String, JsonNode> objects, Predicate<JsonNode> wanted) {
        Map<String, JsonNode> left = new TreeMap<>(objects);
        left.values().removeIf(wanted.negate());
        return left;
    }

    private void compareObject(SoftAssertions all, JsonNode object) {
        String namespace = object.at("/metadata/namespace").asText();
        String objectName = object.at("/metadata/name").asText();
        ObjectSnapshot<ConfigMap> snapshot =
                informer.get(ObjectKey.of(namespace, objectName)).orElseThrow();
        all.assertThat(snapshot.header().labels()).isEqualTo(ServerTruth.labels(object));
        all.assertThat(snapshot.header().ownerReferences().stream()
                        .map(OwnerRef::uid)
                        .findFirst()
                        .orElse(""))
                .isEqualTo(object.at("/metadata/ownerReferences/0/uid").asText());
        if (selection.storage() == StorageForm.METADATA) {
            return;
        }
        String value = ServerTruth.value(object);
        try {
            all.assertThat(snapshot.object().getData().get("value")).isEqualTo(value);
            all.assertThat(cached(informer.byIndex("value", value))).containsKey(namespace + "/" + objectName);
        } catch (UndecodableObjectException e) {
            all.assertThat(value).as("undecodable").isEqualTo("corrupt");
        }
    }

    /** Tells the cache of own writes, as a client does, and looks whether it shows them at once. */
    private final class Checker implements RandomWriter.Written {
        private final KindInfo kind = informer.kind();

        @Override
        public void object(byte[] json) {
            if (!ownWrites) {
                return;
            }
            cache.writeListener().written(kind, json);
            JsonNode object = ServerTruth.parse(new String(json, StandardCharsets.UTF_8));
            note(OwnWriteCheck.written(informer, truth, selection, object));
        }

        @Override
        public void removed(ObjectKey key, String uid) {
            if (ownWrites) {
                cache.writeListener().deleted(kind, key, uid, null);
                note(OwnWriteCheck.removed(informer, key, uid));
            }
        }

        private void note(String violation) {
            if (violation != null && !faults.hasForgotten() && informer.hasSynced()) {
                violations.add(violation);
            }
        }
    }
}
