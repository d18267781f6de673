package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.StorageForm;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.scheme.Kind;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What settings of a cache and reads by index look like. */
final class CacheUse {

    private CacheUse() {}

    static CacheOptions options() {
        return CacheOptions.defaults()
                .withKind(
                        Kind.of("v1", "Pod"),
                        KindCacheOptions.defaults()
                                .withLabelSelector("app.kubernetes.io/managed-by=shop")
                                .withTransform(pod -> ((Map<?, ?>) pod.get("spec")).remove("volumes")))
                .withKind(Kind.of("v1", "Secret"), KindCacheOptions.defaults().withStorage(StorageForm.METADATA))
                .withKind(
                        Kind.of("v1", "ConfigMap"),
                        KindCacheOptions.defaults().withNamespaces(CachedNamespaces.only(Set.of("shop", "billing"))));
    }

    static List<Pod> onNode(Cache cache, String node) {
        Informer<Pod> pods = cache.informer(Pod.class);
        pods.addIndex("node", pod -> List.of(pod.object().getSpec().getNodeName())); // once
        return cache.list(Kind.of(Pod.class), Selection.all().withFieldSelector("node=" + node));
    }

    static void follow(Cache cache) {
        cache.informer(ConfigMap.class)
                .subscribe(
                        "settings", event -> System.out.println(event.snapshot().key()));
    }
}
