package io.github.reconciler4j.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class CacheOptionsTests {

    private static final KindName SECRET = KindName.of("v1", "Secret");
    private static final ObjectTransform FIRST = object -> object.remove("first");
    private static final ObjectTransform SECOND = object -> object.remove("second");

    /** One setting: how to set it for all kinds and for one, and how to read it. */
    private record Setting(
            UnaryOperator<KindCacheOptions> forAll,
            UnaryOperator<KindCacheOptions> forOne,
            Function<KindCacheOptions, Object> read,
            List<Object> unsetAllOne) {

        Object expected(boolean all, boolean one) {
            return unsetAllOne.get(one ? 2 : all ? 1 : 0);
        }
    }

    private static final List<Setting> SETTINGS = List.of(
            new Setting(
                    options -> options.withNamespaces(Set.of("a")),
                    options -> options.withNamespaces(CachedNamespaces.all()),
                    KindCacheOptions::namespaces,
                    List.of(CachedNamespaces.all(), CachedNamespaces.only(Set.of("a")), CachedNamespaces.all())),
            new Setting(
                    options -> options.withLabelSelector("all"),
                    options -> options.withLabelSelector(""),
                    options -> options.selector().labels(),
                    List.of("", "all", "")),
            new Setting(
                    options -> options.withFieldSelector("all=1"),
                    options -> options.withFieldSelector("one=1"),
                    options -> options.selector().fields(),
                    List.of("", "all=1", "one=1")),
            new Setting(
                    options -> options.withPartitionKey(PartitionKey.owner()),
                    options -> options.withPartitionKey(PartitionKey.whole()),
                    KindCacheOptions::partitionKey,
                    List.of(Optional.empty(), Optional.of(PartitionKey.owner()), Optional.of(PartitionKey.whole()))),
            new Setting(
                    options -> options.withTransform(FIRST),
                    options -> options.withTransform(SECOND),
                    KindCacheOptions::transform,
                    List.of(Optional.empty(), Optional.of(FIRST), Optional.of(SECOND))),
            new Setting(
                    options -> options.withStorage(StorageForm.METADATA),
                    options -> options.withStorage(StorageForm.COMPACT),
                    KindCacheOptions::storage,
                    List.of(StorageForm.COMPACT, StorageForm.METADATA, StorageForm.COMPACT)),
            new Setting(
                    options -> options.withDropLastApplied(true),
                    options -> options.withDropLastApplied(false),
                    KindCacheOptions::dropLastApplied,
                    List.of(false, true, false)));

    @Test
    void labelSelectorWhenItIsNoneIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KindCacheOptions.defaults().withLabelSelector("a=b=c"))
                .withMessageContaining("'a=b=c' in label selector");
    }

    @Test
    void ofWhenSettingsAreCombinedInAnyWayInheritsExactlyWhatTheKindDoesNotSet() {
        int combinations = 1 << SETTINGS.size();
        for (int all = 0; all < combinations; all++) {
            for (int one = 0; one < combinations; one++) {
                KindCacheOptions defaults = KindCacheOptions.defaults();
                KindCacheOptions own = KindCacheOptions.defaults();
                for (int i = 0; i < SETTINGS.size(); i++) {
                    defaults = has(all, i) ? SETTINGS.get(i).forAll.apply(defaults) : defaults;
                    own = has(one, i) ? SETTINGS.get(i).forOne.apply(own) : own;
                }
                KindCacheOptions merged = CacheOptions.defaults()
                        .withKindDefaults(defaults)
                        .withKind(Kind.of(SECRET), own)
                        .of(Kind.of(SECRET));
                for (int i = 0; i < SETTINGS.size(); i++) {
                    assertThat(SETTINGS.get(i).read.apply(merged))
                            .as("setting %s, all kinds %s, one kind %s", i, all, one)
                            .isEqualTo(SETTINGS.get(i).expected(has(all, i), has(one, i)));
                }
            }
        }
    }

    private static boolean has(int bits, int position) {
        return (bits >> position & 1) == 1;
    }

    @Test
    void ofWhenKindHasNoOptionsIsThatOfAllKinds() {
        CacheOptions options = CacheOptions.defaults()
                .withKindDefaults(KindCacheOptions.defaults().withNamespaces(Set.of("a")))
                .withKind(Secret.class, KindCacheOptions.defaults().withStorage(StorageForm.METADATA));

        assertThat(options.of(Deployment.class).namespaces()).isEqualTo(CachedNamespaces.only(Set.of("a")));
        assertThat(options.of(Deployment.class).storage()).isEqualTo(StorageForm.COMPACT);
        assertThat(options.of(Kind.of(SECRET))).isEqualTo(options.of(Secret.class));
        assertThat(options.of(Kind.of(SECRET)).namespaces()).isEqualTo(CachedNamespaces.only(Set.of("a")));
        assertThat(options.hasOwnNamespaces(Kind.of(SECRET))).isFalse();
    }

    @Test
    void ofWhenSelectorIsSetAsAWholeInheritsNoPartOfIt() {
        KindCacheOptions all = KindCacheOptions.defaults().withLabelSelector("all");
        KindCacheOptions one = KindCacheOptions.defaults()
                .withSelector(ObjectSelector.everything().withFields("metadata.name=x"));

        assertThat(CacheOptions.defaults()
                        .withKindDefaults(all)
                        .withKind(Kind.of(SECRET), one)
                        .of(Kind.of(SECRET))
                        .selector())
                .isEqualTo(ObjectSelector.everything().withFields("metadata.name=x"));
    }

    @Test
    void ofWhenKindRemovesTheTransformHasNone() {
        CacheOptions options = CacheOptions.defaults()
                .withKindDefaults(KindCacheOptions.defaults().withTransform(FIRST))
                .withKind(Kind.of(SECRET), KindCacheOptions.defaults().withoutTransform());

        assertThat(options.of(Kind.of(SECRET)).transform()).isEmpty();
    }

    @Test
    void optionsWhenValuesMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> CacheOptions.defaults().withResync(Duration.ofSeconds(-1)))
                .hasMessage("'resync' must not be negative, was PT-1S");
        assertThatThrownBy(() -> CacheOptions.defaults().withSyncTimeout(Duration.ZERO))
                .hasMessage("'syncTimeout' must be positive, was PT0S");
        assertThatThrownBy(() -> KindCacheOptions.defaults().withNamespaces(Set.of()))
                .hasMessageContaining("CachedNamespaces.none()");
        assertThatThrownBy(() -> CachedNamespaces.only(Set.of(" "))).hasMessageContaining("blank");
        assertThatThrownBy(() -> CachedNamespaces.matchingLabels("")).hasMessageContaining("'labelSelector'");
        assertThatThrownBy(() -> WatchOptions.defaults().withPageSize(0))
                .hasMessage("'pageSize' must be at least 1, was 0");
        assertThatThrownBy(() -> WatchOptions.defaults().withBackoff(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .hasMessage("'backoffMax' must not be below 'backoffMin' (PT2S), was PT1S");
    }

    @Test
    void toStringOfOptionsNamesWhatIsSet() {
        CacheOptions options = CacheOptions.defaults()
                .withKind(Kind.of(SECRET), KindCacheOptions.defaults().withNamespaces(Set.of("b", "a")));

        assertThat(options)
                .hasToString("CacheOptions[resync=PT10H, syncTimeout=PT2M, " + WatchOptions.defaults() + ", "
                        + KindCacheOptions.defaults() + ", kinds={v1/Secret=KindCacheOptions[CachedNamespaces[[a, b]],"
                        + " ObjectSelector[labels=, fields=], COMPACT]}, watchOnRead=true]");
    }

    @Test
    void cachesWhenCreatedAtTheSameTimeFromTheSameOptionsWorkAndLeaveThemAlone() throws Exception {
        CacheOptions options = CacheOptions.defaults()
                .withKindDefaults(KindCacheOptions.defaults().withLabelSelector("app=web"))
                .withKind(Kind.of(SECRET), KindCacheOptions.defaults().withStorage(StorageForm.METADATA));
        String before = options.toString();
        Scheme scheme = Scheme.create();
        CyclicBarrier start = new CyclicBarrier(8);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (KubernetesServer server = KubernetesServer.start();
                ApiConnection connection = ApiConnection.open(server.clientConfig())) {
            List<Future<Integer>> found = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                found.add(threads.submit(() -> {
                    start.await();
                    try (Cache cache = Cache.create(connection, scheme, options)) {
                        cache.informer(Deployment.class);
                        cache.start();
                        cache.awaitSync(Duration.ofMinutes(1));
                        return cache.list(Kind.of(Secret.class).metadata(), Selection.all())
                                        .size()
                                + cache.list(Kind.of(Deployment.class), Selection.all())
                                        .size();
                    }
                }));
            }
            for (Future<Integer> each : found) {
                assertThat(each.get()).isZero();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(options).hasToString(before);
    }

    @Test
    void namedNamespacesAreThoseOfAllKindsIfEachIsLimitedToSome() {
        CacheOptions named = CacheOptions.defaults()
                .withKindDefaults(KindCacheOptions.defaults()
                        .withNamespaces(
                                CachedNamespaces.only(Set.of("a", "b", "c")).without(Set.of("c"))))
                .withKind(Deployment.class, KindCacheOptions.defaults().withNamespaces(Set.of("d")))
                .withKind(Secret.class, KindCacheOptions.defaults());
        assertThat(named.namedNamespaces()).containsExactly("a", "b", "d");

        assertThat(CacheOptions.defaults().namedNamespaces()).isEmpty();
        for (CachedNamespaces others : List.of(
                CachedNamespaces.all(),
                CachedNamespaces.allExcept(Set.of("e")),
                CachedNamespaces.matchingLabels("team=blue"))) {
            assertThat(named.withKind(
                                    Deployment.class,
                                    KindCacheOptions.defaults().withNamespaces(others))
                            .namedNamespaces())
                    .as("%s", others)
                    .isEmpty();
        }
    }
}
