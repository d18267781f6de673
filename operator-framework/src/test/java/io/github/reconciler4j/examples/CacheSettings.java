package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.cache.ObjectTransform;
import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.cache.Subscription;
import io.github.reconciler4j.cache.WatchOptions;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** What the watches of a cache look like. */
final class CacheSettings {

    private CacheSettings() {}

    static CacheOptions watches() {
        return CacheOptions.defaults()
                .withSyncTimeout(Duration.ofMinutes(5))
                .withWatch(WatchOptions.defaults()
                        .withPageSize(1000)
                        .withBackoff(Duration.ofMillis(500), Duration.ofMinutes(1)));
    }

    static CachedNamespaces namespaces() {
        return CachedNamespaces.allExcept(Set.of("kube-system"))
                .with("shop", ObjectSelector.everything().withLabels("app=shop"));
    }

    static KindCacheOptions withoutValues() {
        ObjectTransform transform = secret -> secret.computeIfPresent("data", (field, data) -> Map.of());
        return KindCacheOptions.defaults().withTransform(transform);
    }

    static CacheOptions firstHalf() {
        return CacheOptions.defaults().withPartition(Partition.of(2, Set.of(0)));
    }

    static void follow(Cache cache, Consumer<String> log) throws InterruptedException {
        try (Subscription names = cache.informer(ConfigMap.class)
                .subscribe("names", event -> log.accept(event.snapshot().key().name()))) {
            names.awaitInitial(Duration.ofMinutes(1));
        }
    }
}
