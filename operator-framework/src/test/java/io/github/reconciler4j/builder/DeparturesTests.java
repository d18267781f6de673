package io.github.reconciler4j.builder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.LiveReader;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.fixtures.TestCache;
import io.github.reconciler4j.fixtures.TestHeader;
import io.github.reconciler4j.fixtures.TestSnapshot;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.LabelMatcher;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.Scheme;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
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
    private final List<String> listed = new ArrayList<>();
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
        Departures.Rounds rounds = departures("on in (yes, sure),!off").new Rounds(() -> true);
        assertThat(rounds.call()).containsOnlyKeys(Request.of(HELD.key()));
        assertThat(listed).containsExactly("");
    }

    @Test
    void sweepListsOnceADayAndNotBeforeTheControllerWatches() {
        labels.add(Map.of());
        AtomicBoolean watching = new AtomicBoolean();
        Departures.Rounds rounds = departures("on=yes").new Rounds(watching::get);
        assertThat(rounds.call()).isEmpty();
        assertThat(listed).as("the object could leave until the watch runs").isEmpty();
        watching.set(true);
        assertThat(rounds.call()).containsOnlyKeys(Request.of(HELD.key()));
        assertThat(rounds.call()).containsOnlyKeys(Request.of(HELD.key()));
        assertThat(listed).containsExactly("on notin (yes)");
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
}
