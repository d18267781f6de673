package io.github.reconciler4j.cache;

import static io.github.reconciler4j.cache.ServedCache.CONFIG_MAP;
import static io.github.reconciler4j.cache.ServedCache.LONG;
import static io.github.reconciler4j.cache.ServedCache.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.faults.ActiveFault;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A kind is watched while it has users. */
class CacheUsersTests {

    private final ServedCache served = new ServedCache();

    @AfterEach
    void close() {
        served.close();
    }

    @Test
    void closeWhenItIsTheLastSubscriptionStopsTheWatchAndDropsTheStore() throws InterruptedException {
        Cache cache = served.open(CacheOptions.defaults());
        Informer<ConfigMap> informer = cache.informer(ConfigMap.class);
        Subscription first = informer.subscribe("first", event -> {});
        Subscription second = informer.subscribe("second", event -> {});
        cache.start();
        cache.awaitSync(LONG);
        until("one watch", () -> served.watches() == 1);

        first.close();
        first.close();
        until("one watch", () -> served.watches() == 1);
        second.close();

        until("end of the watch", () -> served.watches() == 0);
        assertThat(cache.kinds()).isEmpty();
        assertThat(informer.hasSynced()).isFalse();
        cache.awaitSync(LONG);
    }

    @Test
    void subscribeWhenKindWasDroppedDeliversThePresentStateAndThenChanges() throws InterruptedException {
        served.configMap("default", "a");
        Cache cache = served.open(CacheOptions.defaults());
        Informer<ConfigMap> informer = cache.informer(ConfigMap.class);
        cache.start();
        informer.subscribe("first", event -> {}).close();
        until("end of the watch", () -> served.watches() == 0);
        served.configMap("default", "b");

        Subscription later = informer.subscribe("later", served::deliver);
        later.awaitInitial(LONG);
        served.configMap("default", "c");

        until("event", () -> served.delivered.contains("Created default/c"));
        assertThat(served.delivered).contains("Created default/a", "Created default/b");
        until("one watch", () -> served.watches() == 1);
    }

    @Test
    void subscribeWhenFormsDifferDeliversEachInItsOwnWithOneWatch() {
        Cache cache = served.open(CacheOptions.defaults());
        Informer<ConfigMap> typed = cache.informer(ConfigMap.class);
        Informer<GenericKubernetesResource> generic = cache.informer(Kind.of(CONFIG_MAP));
        List<String> delivered = new CopyOnWriteArrayList<>();
        typed.subscribe(
                "typed",
                event -> delivered.add("typed " + event.snapshot().object().getData()));
        generic.subscribe(
                "generic",
                event -> delivered.add("generic " + event.snapshot().object().get("data")));
        generic.subscribe(
                "header", event -> delivered.add("header " + event.snapshot().key()));
        cache.start();

        served.configMap("default", "a");

        until("events", () -> delivered.containsAll(List.of("typed {key=a}", "generic {key=a}", "header default/a")));
        until("one watch", () -> served.watches() == 1);
    }

    @Test
    void releaseWhenControllerIsSubscribedKeepsItsSubscription() throws InterruptedException {
        Cache cache = served.open(CacheOptions.defaults());
        Subscription subscription = cache.informer(ConfigMap.class).subscribe("test", served::deliver);
        cache.start();
        cache.list(Kind.of(ConfigMap.class), Selection.all());
        subscription.awaitInitial(LONG);

        assertThat(cache.release(Kind.of(ConfigMap.class))).isFalse();
        served.configMap("default", "a");
        until("event", () -> served.delivered.contains("Created default/a"));
        until("one watch", () -> served.watches() == 1);
        subscription.close();

        until("end of the watch", () -> served.watches() == 0);
    }

    @Test
    void readWhenKindWasReleasedStartsANewWatchAndWaitsForIt() {
        served.configMap("default", "a");
        Cache cache = served.open(CacheOptions.defaults());
        cache.start();
        assertThat(served.names(Selection.inNamespace("default"))).contains("default/a");

        assertThat(cache.release(Kind.of(CONFIG_MAP))).isTrue();
        until("end of the watch", () -> served.watches() == 0);
        served.configMap("default", "b");

        assertThat(served.names(Selection.inNamespace("default"))).contains("default/a", "default/b");
        assertThat(cache.release(Kind.of(CONFIG_MAP))).isTrue();
        assertThat(cache.informer(ConfigMap.class).get(ObjectKey.of("default", "b")))
                .isPresent();
    }

    @Test
    void indexWhenKindWasDroppedIsThereAgain() {
        served.configMap("default", "a");
        Cache cache = served.open(CacheOptions.defaults());
        Informer<ConfigMap> informer = cache.informer(ConfigMap.class);
        informer.addIndex("first letter", map -> List.of(map.key().name().substring(0, 1)));
        cache.start();
        cache.list(Kind.of(ConfigMap.class), Selection.all());
        assertThat(informer.byIndex("first letter", "a")).hasSize(1);

        cache.release(Kind.of(CONFIG_MAP));

        assertThat(informer.byIndex("first letter", "a")).hasSize(1);
        assertThatThrownBy(() -> informer.addIndex("first letter", map -> List.of()))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void readWhenReadsStartNoWatchesFailsAndNamesTheKind() {
        Cache cache = served.open(CacheOptions.defaults().withWatchOnRead(false));
        cache.start();

        assertThatThrownBy(() -> cache.get(ConfigMap.class, ObjectKey.of("default", "a")))
                .isInstanceOf(NotCachedException.class)
                .hasMessageContaining("configmaps is not cached");
        assertThat(served.watches()).isZero();

        cache.informer(ConfigMap.class);
        assertThat(cache.get(ConfigMap.class, ObjectKey.of("default", "a"))).isEmpty();
    }

    @Test
    void readWhenNotStartedOrStartedTwiceFails() {
        Cache cache = served.open(CacheOptions.defaults());
        assertThatThrownBy(() -> cache.list(Kind.of(ConfigMap.class), Selection.all()))
                .isInstanceOf(CacheNotStartedException.class);
        cache.start();
        assertThatThrownBy(cache::start).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void readWhenManyUsersComeAndGoAlwaysFindsWhatIsThere() throws Exception {
        served.configMap("default", "a");
        ObjectKey key = ObjectKey.of("default", "a");
        Cache cache = served.open(CacheOptions.defaults());
        Informer<ConfigMap> informer = cache.informer(ConfigMap.class);
        informer.addIndex("name", map -> List.of(map.key().name()));
        cache.start();
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<?>> work = new ArrayList<>();
        work.add(repeat(threads, 60, () -> subscribeUntilDelivered(informer, key)));
        work.add(repeat(threads, 60, () -> subscribeUntilDelivered(informer, key)));
        work.add(repeat(threads, 60, () -> cache.release(Kind.of(CONFIG_MAP))));
        work.add(repeat(
                threads, 60, () -> assertThat(cache.get(ConfigMap.class, key)).isPresent()));
        work.add(repeat(
                threads,
                60,
                () -> assertThat(served.names(Selection.all().withFieldSelector("name=a")))
                        .contains("default/a")));
        work.add(repeat(threads, 10, () -> {
            cache.changeNamespaces(Kind.of(CONFIG_MAP), CachedNamespaces.only(Set.of("default")));
            cache.changeNamespaces(Kind.of(CONFIG_MAP), CachedNamespaces.only(Set.of("default", "kube-system")));
        }));
        for (Future<?> each : work) {
            each.get(LONG.toSeconds(), TimeUnit.SECONDS);
        }
        threads.shutdown();
        cache.release(Kind.of(CONFIG_MAP));
        until("end of the watches", () -> served.watches() == 0);
    }

    @Test
    void readWhenNamespacesChangeForTheFirstTimeDoesNotFailAsNotCached() throws Exception {
        served.configMap("default", "a");
        for (int round = 0; round < 100; round++) {
            try (Cache cache = served.open(CacheOptions.defaults())) {
                cache.start();
                ObjectKey key = ObjectKey.of("default", "a");
                assertThat(cache.get(ConfigMap.class, key)).isPresent();
                AtomicBoolean changed = new AtomicBoolean();
                ExecutorService threads = Executors.newFixedThreadPool(2);
                Work reads = () -> {
                    while (!changed.get()) {
                        assertThat(cache.get(ConfigMap.class, key)).isPresent();
                    }
                };
                List<Future<?>> readers = List.of(repeat(threads, 1, reads), repeat(threads, 1, reads));
                cache.changeNamespaces(Kind.of(CONFIG_MAP), CachedNamespaces.only(Set.of("default")));
                changed.set(true);
                for (Future<?> each : readers) {
                    each.get(LONG.toSeconds(), TimeUnit.SECONDS);
                }
                threads.shutdown();
            }
        }
    }

    @Test
    void readWhenKindIsReleasedWhileItWaitsReadsFromTheNextWatch() throws Exception {
        served.configMap("default", "a");
        Cache cache = served.open(CacheOptions.defaults());
        cache.start();
        RequestMatch lists = RequestMatch.verbs("list", "watch").kind("configmaps");
        ActiveFault stalled = served.fault(FaultRule.of(lists, Fault.stall()));
        FutureTask<?> read = new FutureTask<>(
                () -> assertThat(served.names(Selection.inNamespace("default"))).contains("default/a"));
        Thread reader = new Thread(read);
        reader.start();
        until("the read waits", () -> reader.getState() == Thread.State.TIMED_WAITING);

        assertThat(cache.release(Kind.of(CONFIG_MAP))).isTrue();
        stalled.close();

        read.get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    private static void subscribeUntilDelivered(Informer<ConfigMap> informer, ObjectKey key)
            throws InterruptedException {
        Set<ObjectKey> seen = ConcurrentHashMap.newKeySet();
        try (Subscription subscription =
                informer.subscribe("coming", event -> seen.add(event.snapshot().key()))) {
            subscription.awaitInitial(LONG);
        }
        assertThat(seen).contains(key);
    }

    private interface Work {
        void run() throws Exception;
    }

    private static Future<?> repeat(ExecutorService threads, int times, Work work) {
        return threads.submit(() -> {
            for (int i = 0; i < times; i++) {
                work.run();
            }
            return null;
        });
    }
}
