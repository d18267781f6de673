package io.github.reconciler4j.builder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.LiveReader;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.fixtures.TestCache;
import io.github.reconciler4j.fixtures.TestHeader;
import io.github.reconciler4j.fixtures.TestSnapshot;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.LabelMatcher;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.source.RequestSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentMatchers;

class DeparturesTests {

    private static final String FINALIZER = "example.io/held";
    private static final TestHeader HELD = TestHeader.of("ns", "a").withFinalizers(FINALIZER);

    private final Scheme scheme = Scheme.create();
    private final TestCache cache = new TestCache(scheme);
    private final Manager manager = mock(Manager.class);
    private final Cluster home = mock(Cluster.class);
    private final Client client = mock(Client.class);
    private final LiveReader live = mock(LiveReader.class);
    private final List<String> listed = new CopyOnWriteArrayList<>();
    private final List<Map<String, String>> labels = new ArrayList<>();

    @BeforeEach
    void prepareManager() {
        when(manager.home()).thenReturn(home);
        when(home.name()).thenReturn("");
        when(home.cache()).thenReturn(cache.cache());
        when(home.client()).thenReturn(client);
        when(client.live()).thenReturn(live);
        when(live.list(ArgumentMatchers.<Kind<ObjectHeader>>any(), any(Selection.class)))
                .thenAnswer(call -> list(call.getArgument(1)));
    }

    /** The object has the next of its labels when the next list is made. */
    private List<TestHeader> list(Selection options) {
        Map<String, String> now = labels.get(Math.min(listed.size(), labels.size() - 1));
        listed.add(options.labelSelector());
        return LabelMatcher.parse(options.labelSelector()).matches(now) ? List.of(HELD.withLabels(now)) : List.of();
    }

    private Departures departures(String selectedByCache) {
        when(manager.options())
                .thenReturn(ManagerOptions.defaults()
                        .withScheme(scheme)
                        .withCache(CacheOptions.defaults()
                                .withKind(
                                        Kind.of(ConfigMap.class),
                                        KindCacheOptions.defaults().withLabelSelector(selectedByCache))));
        PrimarySettings<ConfigMap> settings = new PrimarySettings<>(new Primary<>(Kind.of(ConfigMap.class)));
        settings.cleaner((object, context) -> CleanupResult.done());
        settings.finalizer(FINALIZER);
        Departures departures = settings.departures(BuildTarget.home(manager));
        assertThat(departures).isNotNull();
        return departures;
    }

    @Test
    void sweepWhenAnObjectMovesFromOnePartOfTheHiddenToAnotherFindsIt() {
        labels.add(Map.of("on", "yes", "off", "x"));
        labels.add(Map.of());
        try (Sweeping sweeping = new Sweeping("on in (yes, sure),!off", () -> true, Duration.ofDays(1))) {
            await("the object").until(() -> sweeping.found.contains(Request.of(HELD.key())));
            assertThat(listed).containsExactly("");
        }
    }

    @Test
    void sweepListsWhenTheControllerWatchesAndOnceMoreAndEndsItsThreads() throws Exception {
        labels.add(Map.of());
        labels.add(Map.of());
        AtomicBoolean watching = new AtomicBoolean();
        CountDownLatch asked = new CountDownLatch(2);
        BooleanSupplier counted = () -> {
            asked.countDown();
            return watching.get();
        };
        try (Sweeping sweeping = new Sweeping("on=yes", counted, Duration.ofMillis(1))) {
            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(listed).as("the object could leave until the watch runs").isEmpty();
            watching.set(true);
            await("the end of the threads").until(() -> sweeping.threads().isEmpty());
            assertThat(sweeping.found).containsExactly(Request.of(HELD.key()), Request.of(HELD.key()));
            assertThat(listed).containsExactly("on notin (yes)", "on notin (yes)");
            assertThat(sweeping.running.isAlive()).isTrue();
        }
    }

    @Test
    void sweepWhenAListFailsRepeatsIt() throws Exception {
        labels.add(Map.of());
        AtomicInteger attempts = new AtomicInteger();
        when(live.list(ArgumentMatchers.<Kind<ObjectHeader>>any(), any(Selection.class)))
                .thenAnswer(call -> {
                    if (attempts.incrementAndGet() == 1) {
                        throw new ApiException("no", ErrorDetails.of(500, ""));
                    }
                    return list(call.getArgument(1));
                });
        try (Sweeping sweeping = new Sweeping("on=yes", () -> true, Duration.ofDays(1))) {
            await("the object").until(() -> sweeping.found.contains(Request.of(HELD.key())));
            await("the end of a thread").until(() -> sweeping.threads().size() == 1);
        }
    }

    /** A sweep that runs. */
    private final class Sweeping implements AutoCloseable {

        private final String controller = "sweep-" + System.identityHashCode(this);
        private final List<Request> found = new CopyOnWriteArrayList<>();
        private final RequestSource.Running running;

        Sweeping(String selectedByCache, BooleanSupplier watching, Duration second) {
            running = departures(selectedByCache).new Sweep(watching, second).start(new RequestSink<>() {
                @Override
                public void add(Request request, Duration delay, int priority, Trigger trigger) {
                    found.add(request);
                }

                @Override
                public String name() {
                    return controller;
                }
            });
        }

        List<Thread> threads() {
            return Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().contains(controller))
                    .toList();
        }

        @Override
        public void close() {
            running.close();
        }
    }

    @Test
    void mayConcernWhenChangesWereMissedDoesNotTrustTheFinalizersOfTheLastState() {
        TestHeader known = TestHeader.of("ns", "a").withLabels(Map.of("on", "yes"));
        Departures hiding = departures("on=yes");
        assertThat(hiding.mayConcern(new ObjectEvent.Deleted<>(TestSnapshot.of(known), true)))
                .isTrue();
        assertThat(hiding.mayConcern(new ObjectEvent.Deleted<>(TestSnapshot.of(known), false)))
                .isFalse();
        assertThat(hiding.mayConcern(new ObjectEvent.Deleted<>(TestSnapshot.of(HELD), false)))
                .isTrue();
        assertThat(departures("").mayConcern(new ObjectEvent.Deleted<>(TestSnapshot.of(known), true)))
                .isFalse();
    }

    /** One with the right labels can be so new that the cache does not have it yet. */
    @Test
    void findLiveWhenTheObjectIsSelectedFindsNothing() {
        Departures hiding = departures("on=yes");
        when(live.get(ArgumentMatchers.<Kind<ObjectHeader>>any(), any(ObjectKey.class)))
                .thenReturn(Optional.of(HELD.withLabels(Map.of("on", "yes"))))
                .thenReturn(Optional.of(HELD.withLabels(Map.of("on", "no"))))
                .thenReturn(Optional.of(TestHeader.of("ns", "a").withLabels(Map.of("on", "no"))));
        Request request = Request.of(HELD.key());
        assertThat(hiding.findLive(request)).as("selected").isEmpty();
        assertThat(hiding.findLive(request)).as("not selected").isPresent();
        assertThat(hiding.findLive(request)).as("without the finalizer").isEmpty();
    }
}
