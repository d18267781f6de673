package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Many threads write and read through one cached client while a thread disturbs its watches and requests. Every thread
 * has objects of its own, of which it must read exactly what it wrote, and shares others, of which it must read at least
 * what it wrote.
 */
final class ConsistencyRun implements AutoCloseable {

    static final String INDEX = "value";
    static final int SHARED = 2;
    private static final Duration TIME_LIMIT = Duration.ofSeconds(120);

    final String namespace;
    final Cache cache;
    final Client client;
    final Informer<ConfigMap> informer;
    private final ApiConnection connection;
    private final long seed;
    /** Shared by writes. A write whose connection is cut while the server works on it would be carried out any time later. */
    private final ReadWriteLock writing = new ReentrantReadWriteLock();

    /**
     * Prepares it.
     *
     * @param seed decides what the threads do
     */
    ConsistencyRun(Config config, String namespace, long seed) {
        this.namespace = namespace;
        this.seed = seed;
        connection = ApiConnection.open(config);
        Scheme scheme = Scheme.create();
        CacheOptions options = CacheOptions.defaults()
                .withWatch(WatchOptions.defaults().withBackoff(Duration.ofMillis(20), Duration.ofMillis(200)));
        cache = Cache.create(connection, scheme, options);
        client = Client.create(connection, scheme, cache, ClientOptions.defaults());
        informer = cache.informer(ConfigMap.class);
        informer.addIndex(INDEX, map -> List.of(map.object().getData().getOrDefault("value", "none")));
    }

    ObjectKey key(String name) {
        return ObjectKey.of(namespace, name);
    }

    /**
     * Lets threads work, and checks in the end that nothing but the server's objects remains to be seen.
     *
     * @param disturbance is called by a thread now and then
     */
    void run(int threads, int steps, Runnable disturbance) throws Exception {
        cache.start();
        for (int i = 0; i < SHARED; i++) {
            client.create(ConsistencyWorker.map(namespace, "shared-" + i, "none", "none"));
        }
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> results = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                Random random = new Random(seed * 1000 + i);
                ConsistencyWorker worker = new ConsistencyWorker(this, i, random);
                results.add(executor.submit(() -> {
                    worker.work(steps, () -> locked(writing.writeLock(), disturbance));
                    return null;
                }));
            }
            for (Future<?> result : results) {
                result.get();
            }
        } catch (Exception e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        } finally {
            executor.shutdownNow();
        }
    }

    /** Carry out a write while nothing disturbs it. */
    void write(Runnable write) {
        locked(writing.readLock(), write);
    }

    private static void locked(Lock lock, Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    /** Checks that the cache ends with what the server has. */
    void checkEnd() {
        await("the cache has what the server has (seed " + seed + ")")
                .atMost(TIME_LIMIT)
                .untilAsserted(() -> assertThat(versions(cache)).isEqualTo(versions(client.live())));
    }

    private Map<String, String> versions(Reader reader) {
        Map<String, String> versions = new TreeMap<>();
        reader.list(Kind.of(ConfigMap.class), Selection.inNamespace(namespace))
                .forEach(map -> versions.put(
                        map.getMetadata().getName(), map.getMetadata().getResourceVersion()));
        return versions;
    }

    @Override
    public void close() {
        cache.close();
        connection.close();
    }
}
