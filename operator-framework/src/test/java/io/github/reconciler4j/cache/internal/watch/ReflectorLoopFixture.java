package io.github.reconciler4j.cache.internal.watch;

import static io.github.reconciler4j.cache.internal.Json.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.cache.PartitionKey;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.cache.internal.FakeConnection;
import io.github.reconciler4j.cache.internal.json.MutableHeader;
import io.github.reconciler4j.cache.internal.json.StringInterner;
import io.github.reconciler4j.cache.internal.metrics.KindMetrics;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder.DeflaterPool;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.cache.internal.storage.ObjectStore;
import io.github.reconciler4j.cache.internal.watch.ReflectorStore.Missing;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.fixtures.RecordingMetrics;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;

/** A reflector with a store that only notes what it is given. */
abstract class ReflectorLoopFixture {

    static final KindInfo INFO = Scheme.create().kindOf(ConfigMap.class);
    static final Duration LONG = Duration.ofSeconds(30);

    final Scope scope = new Scope(INFO, "", ObjectSelector.everything(), List.of());
    final FakeConnection server = new FakeConnection();
    final RecordingMetrics metrics = new RecordingMetrics();
    final Discovery discovery = mock(Discovery.class);
    final Journal store = new Journal();
    WatchOptions options = WatchOptions.defaults()
            .withBackoff(Duration.ofMillis(1), Duration.ofMillis(20))
            .withListMode(WatchOptions.ListMode.WHOLE);
    volatile PartFilter parts = PartFilter.ALL;
    volatile boolean newest;
    volatile Runnable beforeList = () -> {};
    final SyncState state = new SyncState(TimeSource.system());
    ListChoice streaming;
    Reflector reflector;

    /** Notes what a reflector stores. */
    final class Journal implements ReflectorStore {

        final List<String> lines = new CopyOnWriteArrayList<>();
        volatile Missing missing = Missing.NOTHING;

        @Override
        public Missing select(PartFilter filter) {
            return missing;
        }

        @Override
        public void selectedNothing() {
            lines.add("nothing");
        }

        @Override
        public ListSnapshot newList(Missing what, boolean bodies) {
            return new ListSnapshot(new ObjectStore(), scope, parts, bodies, what == Missing.ALL);
        }

        @Override
        public boolean add(ListSnapshot list, String version) {
            lines.add("gained " + list.size() + " at " + version);
            return true;
        }

        @Override
        public void replace(ListSnapshot list, String version) {
            lines.add("list of " + list.size() + (list.hasBodies() ? "" : " without bodies") + " at " + version);
        }

        @Override
        public void event(WatchReader.Type type, MutableHeader header, EntryReader object) {
            lines.add(type + " " + header.name() + " at " + header.version());
        }

        @Override
        public void bookmark(String version) {
            lines.add("bookmark at " + version);
        }
    }

    void start(boolean bodies) {
        state.started();
        state.planned(List.of(scope));
        StringInterner strings = new StringInterner();
        Reflector.Context context =
                new Reflector.Context(server, discovery, options, strings, TimeSource.system(), new LogLimiter());
        Reflector.Kind kind = new Reflector.Kind(
                state,
                new KindMetrics(metrics, INFO),
                streaming == null
                        ? new ListChoice(options.listMode(), Discovery.of(server), TimeSource.system())
                        : streaming,
                new EntryReader.Factory(
                        INFO, KindCacheOptions.defaults(), strings, new CompactEncoder(new DeflaterPool())),
                () -> parts);
        reflector = new Reflector(scope, context, kind, store, this::isNewestNecessary, bodies);
        reflector.start();
    }

    boolean isNewestNecessary() {
        beforeList.run();
        return newest;
    }

    @AfterEach
    void stop() {
        reflector.stop();
        reflector.join();
    }

    void awaitLines(String... lines) {
        await("lines").atMost(LONG).untilAsserted(() -> assertThat(store.lines).containsExactly(lines));
    }

    ApiRequest request(int number) {
        await("request " + number).atMost(LONG).until(() -> server.requests.size() > number);
        return server.requests.get(number);
    }

    String version(int request) {
        return String.join("", request(request).query().getOrDefault("resourceVersion", List.of()));
    }

    double restarts(String reason) {
        return metrics.count("reconciler4j_cache_watch_restarts_total{kind=configmaps,reason=" + reason + "}");
    }

    double count(String name) {
        return metrics.count("reconciler4j_cache_" + name + "_total{kind=configmaps}");
    }

    PartFilter held(Set<Integer> numbers) {
        return PartFilter.of(HeldParts.initial(Partition.of(4, numbers)), PartitionKey.uid(), INFO);
    }
}
