package io.github.reconciler4j.benchmarks;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.StorageForm;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What a cache of 20,000 varied objects costs, per kind of objects and form of storage. */
@SuppressWarnings("NullAway.Init") // JMH calls fill first
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 2, jvmArgs = "-Xmx1500m")
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class CacheBenchmark {

    private static final int OBJECTS = 20_000;
    private static final String LABEL = "app.kubernetes.io/name";

    /** What is cached. */
    @Param({"CUSTOM", "CONFIG_MAP", "POD"})
    public String objects;

    /** How it is kept. */
    @Param({"COMPACT", "ENCODED", "DECODED"})
    public String form;

    private final Semaphore delivered = new Semaphore(0);
    private KindName kind;
    private byte[] list;
    private FixedConnection connection;
    private Cache cache;
    private ObjectKey key;
    private String someLabel;
    private String beforeVersion;
    private String afterVersion;
    private long version = 100_000_000;

    /** Fills the cache and waits until a listener knows everything. */
    @Setup
    public void fill() throws InterruptedException {
        kind = SampleObjects.Kind.valueOf(objects).info().kind();
        list = new SampleObjects(42).list(SampleObjects.Kind.valueOf(objects), OBJECTS);
        connection = new FixedConnection(list);
        cache = open(connection);
        Informer<GenericKubernetesResource> informer = cache.informer(Kind.of(kind));
        informer.addLabelIndex(LABEL);
        informer.subscribe("benchmark", event -> delivered.release());
        delivered.acquire(cache.list(Kind.of(kind).metadata(), Selection.all()).size());
        ObjectHeader some =
                cache.list(Kind.of(kind).metadata(), Selection.all()).get(OBJECTS / 3);
        key = some.key();
        someLabel = LABEL + "=" + some.labels().get(LABEL);
        String json =
                new String(new SampleObjects(42).next(SampleObjects.Kind.valueOf(objects), 0), StandardCharsets.UTF_8);
        String field = "\"resourceVersion\":\"";
        int start = json.indexOf(field) + field.length();
        beforeVersion = "{\"type\":\"MODIFIED\",\"object\":" + json.substring(0, start);
        afterVersion = json.substring(json.indexOf('"', start)) + "}\n";
    }

    private Cache open(FixedConnection server) throws InterruptedException {
        CacheOptions options = CacheOptions.defaults()
                .withKindDefaults(KindCacheOptions.defaults().withStorage(StorageForm.valueOf(form)))
                .withWatch(WatchOptions.defaults().withListMode(WatchOptions.ListMode.WHOLE));
        Cache fresh = Cache.create(
                server,
                Scheme.create().register(SampleObjects.Kind.valueOf(objects).info()),
                options);
        fresh.informer(Kind.of(kind));
        fresh.start();
        fresh.awaitSync(Duration.ofMinutes(1));
        return fresh;
    }

    /** Ends the cache. */
    @TearDown
    public void close() {
        connection.close();
        cache.close();
    }

    /** A whole list taken in, per object. */
    @Benchmark
    @OperationsPerInvocation(OBJECTS)
    public void takeIn() throws InterruptedException {
        FixedConnection server = new FixedConnection(list);
        Cache fresh = open(server);
        server.close();
        fresh.close();
    }

    /** One object. */
    @Benchmark
    public Optional<GenericKubernetesResource> read() {
        return cache.get(Kind.of(kind), key);
    }

    /** The metadata of one object. */
    @Benchmark
    public Optional<ObjectHeader> header() {
        return cache.get(Kind.of(kind).metadata(), key);
    }

    /** About 1,000 objects by a label that has an index. */
    @Benchmark
    public List<GenericKubernetesResource> listByLabel() {
        return cache.list(Kind.of(kind), Selection.all().withLabelSelector(someLabel));
    }

    /** Their metadata. */
    @Benchmark
    public List<ObjectHeader> headersByLabel() {
        return cache.list(Kind.of(kind).metadata(), Selection.all().withLabelSelector(someLabel));
    }

    /** From an event on the wire to the listener. */
    @Benchmark
    public void event() throws InterruptedException {
        connection.send(beforeVersion + version++ + afterVersion);
        delivered.acquire();
    }
}
