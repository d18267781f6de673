package io.github.reconciler4j.benchmarks;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.internal.spi.ReadYourWritesReader;
import io.github.reconciler4j.client.internal.spi.WriteListener;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Reads through a client whose cache holds 5,000 ConfigMaps of 2.3 KB in 40 namespaces, while
 * none, 10 or 1,000 of the program's own writes are pending.
 */
@SuppressWarnings("NullAway.Init") // JMH calls fill first
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 2, jvmArgs = "-Xmx1g")
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class ClientReadBenchmark {

    private static final int OBJECTS = 5_000;
    private static final int SEED = 42;

    /** The number of pending writes. */
    @Param({"0", "10", "1000"})
    public int pending;

    private Cache cache;
    private Client client;
    private KindInfo kind;
    private Kind<ObjectHeader> metadata;
    private ObjectKey written;
    private ObjectKey other;

    /** Fills the cache and writes. */
    @Setup
    public void fill() throws InterruptedException {
        MemoryConnection connection = new MemoryConnection(SampleObjects.Kind.CONFIG_MAP, OBJECTS);
        Scheme scheme = Scheme.create();
        kind = scheme.kindOf(ConfigMap.class);
        metadata = Kind.of(kind.kind()).metadata();
        cache = Cache.create(
                connection,
                scheme,
                CacheOptions.defaults().withWatch(WatchOptions.defaults().withListMode(WatchOptions.ListMode.WHOLE)));
        client = Client.create(connection, scheme, cache, ClientOptions.defaults());
        cache.informer(ConfigMap.class);
        cache.start();
        cache.awaitSync(Duration.ofMinutes(1));
        List<ObjectHeader> headers = cache.list(metadata, Selection.all());
        write(((ReadYourWritesReader) cache).writeListener());
        other = headers.get(headers.size() - 1).key();
        written = cache.list(metadata, Selection.all()).stream()
                .filter(header -> header.resourceVersion().startsWith("1000000"))
                .map(ObjectHeader::key)
                .findFirst()
                .orElse(other);
    }

    private void write(WriteListener listener) {
        SampleObjects objects = new SampleObjects(SEED);
        for (int i = 0; i < pending; i++) {
            String json = new String(objects.next(SampleObjects.Kind.CONFIG_MAP, i), StandardCharsets.UTF_8)
                    .replaceFirst("\"resourceVersion\":\"\\d+\"", "\"resourceVersion\":\"" + (100_000_000 + i) + "\"");
            listener.written(kind, json.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Ends the cache. */
    @TearDown
    public void close() {
        cache.close();
    }

    /** One object that was not written. */
    @Benchmark
    public Optional<ConfigMap> get() {
        return client.get(ConfigMap.class, other);
    }

    /** One object that was written, if there is one. */
    @Benchmark
    public Optional<ConfigMap> getWritten() {
        return client.get(ConfigMap.class, written);
    }

    /** The metadata of one object. */
    @Benchmark
    public Optional<ObjectHeader> header() {
        return client.get(metadata, other);
    }

    /** The 125 objects of a namespace. */
    @Benchmark
    public List<ConfigMap> listNamespace() {
        return client.list(Kind.of(ConfigMap.class), Selection.inNamespace(other.namespace()));
    }

    /** The metadata of the 125 objects of a namespace. */
    @Benchmark
    public List<ObjectHeader> headersOfNamespace() {
        return client.list(metadata, Selection.inNamespace(other.namespace()));
    }

    /** The metadata of all objects. */
    @Benchmark
    public List<ObjectHeader> headersOfAll() {
        return client.list(metadata, Selection.all());
    }
}
