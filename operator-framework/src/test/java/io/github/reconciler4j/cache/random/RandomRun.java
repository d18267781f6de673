package io.github.reconciler4j.cache.random;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.cache.Subscription;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.connection.ConnectionOptions;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.internal.spi.ReadYourWritesReader;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One random run: a server, a cache with random options, writers, faults, and the comparison at the end.
 *
 * <p>Every actor (writers, faults, the reader, subscribers) has its own source of random numbers, which is seeded before any
 * thread starts, and draws from it in an order that does not depend on the others. So the same seed always makes the same
 * decisions. What differs between two runs is how the threads are interleaved; {@code PendingWritesSimulationTests} checks
 * pending writes without threads.
 */
final class RandomRun {

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
    private final Informer<HasMetadata> informer;
    private final List<DeliveredEvents> subscribers = new CopyOnWriteArrayList<>();
    private final Map<DeliveredEvents, Subscription> subscriptions = new ConcurrentHashMap<>();
    private final List<String> violations = new CopyOnWriteArrayList<>();
    private final boolean ownWrites;
    private final List<RandomWriter> writers = new ArrayList<>();

    RandomRun(long seed) {
        random = new Random(seed);
        selection = new RandomSelection(random);
        options = options();
        server = KubernetesServer.builder()
                .https(false)
                .garbageCollection(false)
                .historySize(random.nextBoolean() ? 10_000 : 5 + random.nextInt(30))
                .bookmarkInterval(Duration.ofMillis(20 + random.nextInt(50)))
                .start();
        server.onChange(selection.kind.group, selection.kind.plural, truth::take);
        ownWrites = random.nextBoolean();
        writing = open(server.adminToken());
        // A write from before a restore cannot be distinguished from one that the watch has not delivered yet.
        faults = new RandomFaults(server, selection.kind, writing, new Random(random.nextLong()), !ownWrites);
        reading = new Impatient(open(server.addUser(RandomFaults.VICTIM, "system:masters")));
        Scheme scheme = Scheme.create();
        cache = Cache.create(
                reading,
                scheme,
                options.withKind(Kind.of(scheme.kindOf(selection.kind.type).kind()), selection.options()));
        informer = informer();
        name = "seed " + seed + ", " + selection + ", " + options.watch() + (ownWrites ? ", own writes" : "");
    }

    @SuppressWarnings("unchecked")
    private Informer<HasMetadata> informer() {
        return (Informer<HasMetadata>) cache.informer(selection.kind.type);
    }

    private CacheOptions options() {
        WatchOptions watch = WatchOptions.defaults()
                .withBackoff(Duration.ofMillis(1), Duration.ofMillis(1 + random.nextInt(20)))
                .withIdleTimeout(Duration.ofMillis(300 + random.nextInt(500)))
                .withLifetime(Duration.ofSeconds(1), Duration.ofSeconds(1 + random.nextInt(3)))
                .withPageSize(1 + random.nextInt(6))
                .withGzipLists(random.nextBoolean())
                .withListMode(WatchOptions.ListMode.values()[random.nextInt(WatchOptions.ListMode.values().length)]);
        return CacheOptions.defaults()
                .withWatch(watch)
                .withSyncTimeout(Duration.ofMillis(100)) // a dropped kind can be watched again while the server is away
                .withResync(random.nextInt(3) == 0 ? Duration.ofMillis(100) : Duration.ZERO);
    }

    private ApiConnection open(String token) {
        Config config = server.clientConfig(token);
        return ApiConnection.open(config, ConnectionOptions.defaults());
    }

    /** Waits less than the default for responses that a fault holds back. */
    private record Impatient(ApiConnection delegate) implements ApiConnection {

        private static final Duration TIMEOUT = Duration.ofSeconds(3);

        @Override
        public String server() {
            return delegate.server();
        }

        @Override
        public ApiResponse send(ApiRequest request) {
            return delegate.send(request.withTimeout(TIMEOUT));
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            return delegate.stream(request.withTimeout(TIMEOUT));
        }

        @Override
        public void close() {
            delegate.close();
        }
    }

    /** Runs it; fails with the seed if anything is not as it must be. */
    void run() throws InterruptedException {
        try {
            RandomComparison comparison = new RandomComparison(name, cache, informer, selection, writing);
            prepare();
            disturb();
            faults.end();
            comparison.compare(subscribers);
            assertThat(violations).as(name).isEmpty();
            writeUnseen(); // own writes that were never let go would hide this
            comparison.settle(subscribers);
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

    private void prepare() {
        selection.kind.install(writing);
        subscribe("quick", Duration.ZERO, random.nextLong());
        subscribe("slow", Duration.ofMillis(2), random.nextLong());
        informer.addIndex("app", RandomRun::app);
        if (random.nextBoolean()) {
            informer.addLabelIndex("app");
        }
        RandomWriter first = writer(new Checker());
        for (int i = 0; i < 15; i++) {
            first.next();
        }
        cache.start();
    }

    private RandomWriter writer(RandomWriter.Written written) {
        RandomWriter writer = new RandomWriter(writing, selection.kind, new Random(random.nextLong()), written);
        writers.add(writer);
        return writer;
    }

    /** What each writer has written and which faults there were, after the run. */
    List<List<String>> decisions() {
        List<List<String>> decisions = new ArrayList<>();
        decisions.add(List.of(name));
        decisions.add(faults.decisions());
        writers.forEach(writer -> decisions.add(writer.requests()));
        return decisions;
    }

    private DeliveredEvents subscribe(String subscriber, Duration slowness, long seed) {
        DeliveredEvents events = new DeliveredEvents(subscriber, slowness, seed);
        subscribers.add(events);
        subscriptions.put(events, informer.subscribe(subscriber, events));
        return events;
    }

    private void unsubscribe(DeliveredEvents events) {
        subscriptions.get(events).close();
        events.closed = true;
    }

    private static List<String> app(ObjectSnapshot<HasMetadata> object) {
        return List.of(object.header().labels().getOrDefault("app", "none"));
    }

    private void disturb() throws InterruptedException {
        DeliveredEvents leaving = subscribe("leaving", Duration.ofMillis(1), random.nextLong());
        RandomReader reader = new RandomReader(informer, truth, random.nextLong(), selection, faults);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            RandomWriter writer = writer(new Checker());
            Disturbance disturbance =
                    i == 0 ? new Disturbance(new Random(random.nextLong()), random.nextLong(), leaving) : null;
            threads.add(new Thread(() -> write(writer, disturbance), "writer"));
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

    /** What the writer does that also disturbs the cache: its random numbers, and the subscriber that leaves. */
    private record Disturbance(Random moves, long lateSeed, DeliveredEvents leaving) {}

    private void write(RandomWriter writer, @Nullable Disturbance disturbance) {
        try {
            for (int i = 0; i < WRITES; i++) {
                writer.next();
                if (disturbance != null) {
                    disturb(i, disturbance);
                }
            }
        } catch (RuntimeException | AssertionError e) {
            violations.add("a writer failed: " + e + " " + List.of(e.getStackTrace()));
        }
    }

    private void disturb(int step, Disturbance disturbance) {
        if (step % 4 == 0) {
            faults.next();
        }
        if (selection.moves && step % 7 == 0) {
            cache.changeNamespaces(
                    Kind.of(informer.kind().kind()),
                    selection.move(disturbance.moves).asked());
        }
        if (selection.releases && step % 5 == 0) {
            cache.release(Kind.of(informer.kind().kind()));
        }
        if (step == WRITES / 3) {
            (selection.releases ? List.copyOf(subscribers) : List.of(disturbance.leaving)).forEach(this::unsubscribe);
        } else if (step == 2 * WRITES / 3) {
            subscribe("late", Duration.ofMillis(1), disturbance.lateSeed);
            informer.addIndex("value", RandomRun::value);
        }
    }

    private static List<String> value(ObjectSnapshot<HasMetadata> object) {
        return List.of(RandomKind.value(object.object()));
    }

    private void writeUnseen() {
        RandomWriter writer = writer(new RandomWriter.Written() {
            @Override
            public void object(byte[] json) {}

            @Override
            public void removed(ObjectKey key, String uid) {}

            @Override
            public int place() {
                return 0;
            }

            @Override
            public void refused(ObjectKey key, int place) {}
        });
        for (int i = 0; i < 10; i++) {
            writer.next();
        }
    }

    /** Notifies the cache of own writes, as a client does, and checks that reads include them at once. */
    private final class Checker implements RandomWriter.Written {
        private final KindInfo kind = informer.kind();

        @Override
        public void object(byte[] json) {
            if (!ownWrites) {
                return;
            }
            ((ReadYourWritesReader) cache).writeListener().written(kind, json);
            JsonNode object = ServerTruth.parse(new String(json, StandardCharsets.UTF_8));
            check(() -> PendingWriteCheck.written(informer, truth, selection, object));
        }

        @Override
        public void removed(ObjectKey key, String uid) {
            if (ownWrites) {
                ((ReadYourWritesReader) cache).writeListener().deleted(kind, key, uid, null);
                check(() -> PendingWriteCheck.removed(informer, key, uid));
            }
        }

        @Override
        public int place() {
            return truth.count();
        }

        @Override
        public void refused(ObjectKey key, int place) {
            if (ownWrites) {
                ((ReadYourWritesReader) cache).writeListener().refused(kind, key);
                check(() -> PendingWriteCheck.refused(informer, truth, key, place));
            }
        }

        private void check(Supplier<String> looking) {
            try {
                String violation = looking.get();
                if (!faults.hasForgotten() && informer.hasSynced()) {
                    note(violation);
                }
            } catch (ApiException | CacheSyncTimeoutException e) {
                return; // what the cache cannot know it asks the server, which misbehaves
            }
        }
    }
}
