package io.github.reconciler4j.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A read never returns early, whatever namespaces and parts the cache had at the read before, and in whichever order both changed.
 * More steps: {@code -Dready.cases=20000}, others: {@code -Dready.seed=7}.
 */
class ReadyReadsTests {

    private static final int CASES = Integer.getInteger("ready.cases", 300);
    private static final long SEED = Long.getLong("ready.seed", 1);
    private static final List<String> NAMESPACES = List.of("a", "b", "c");
    private static final Partition PARTS = Partition.of(2, Set.of());
    private static final List<Set<Integer>> HELD = List.of(Set.of(), Set.of(0), Set.of(1), Set.of(0, 1));
    private static final Kind<ConfigMap> CONFIG_MAPS = Kind.of(ConfigMap.class);

    private final ServedCache served = new ServedCache();
    private final Random random = new Random(SEED);
    private CachedNamespaces namespaces = CachedNamespaces.all();
    private Partition parts = Partition.all();

    @AfterEach
    void close() {
        served.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readWhenNamespacesAndPartsChangeSeesWhatTheCacheHas(boolean divided) {
        parts = divided ? PARTS : Partition.all();
        for (String namespace : NAMESPACES) {
            served.namespace(namespace);
            served.configMap(namespace, "x");
        }
        Cache cache = served.open(CacheOptions.defaults().withPartition(parts));
        cache.start();
        read(cache, "the start");
        for (int step = 1; step <= CASES / 2; step++) {
            read(cache, "seed " + SEED + ", step " + step + ": " + change(cache));
        }
        cache.close();
        assertThatThrownBy(() -> cache.get(CONFIG_MAPS, ObjectKey.of("a", "x")))
                .as("a closed cache")
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("The cache is closed");
    }

    private String change(Cache cache) {
        switch (random.nextInt(parts.isUndivided() ? 2 : 3)) {
            case 0 -> {
                namespaces = random.nextBoolean()
                        ? CachedNamespaces.all()
                        : random.nextBoolean() ? CachedNamespaces.only(some()) : CachedNamespaces.allExcept(some());
                cache.changeNamespaces(CONFIG_MAPS, namespaces);
            }
            case 1 -> cache.release(CONFIG_MAPS);
            default -> {
                parts = PARTS.withHeld(HELD.get(random.nextInt(HELD.size())));
                cache.changePartition(parts);
            }
        }
        return namespaces + ", " + parts;
    }

    private Set<String> some() {
        String one = NAMESPACES.get(random.nextInt(NAMESPACES.size()));
        return NAMESPACES.stream()
                .filter(namespace -> namespace.equals(one) || random.nextBoolean())
                .collect(Collectors.toSet());
    }

    private void read(Cache cache, String story) {
        for (String namespace : NAMESPACES) {
            boolean held = parts.isUndivided() || parts.isHeld(parts.ofNamespace(namespace));
            ObjectKey key = ObjectKey.of(namespace, "x");
            if (held) {
                Optional<ConfigMap> found = cache.get(CONFIG_MAPS, key);
                assertThat(found.isPresent()).as("%s: %s", story, key).isEqualTo(isCovered(namespace));
            } else {
                assertThatThrownBy(() -> cache.get(CONFIG_MAPS, key))
                        .as("%s: %s", story, key)
                        .isInstanceOf(NotCachedException.class);
            }
        }
    }

    private boolean isCovered(String namespace) {
        return namespaces.named().contains(namespace)
                || namespaces.others() && !namespaces.excluded().contains(namespace);
    }
}
