package io.github.reconciler4j.cache;

import static io.github.reconciler4j.cache.ServedCache.CONFIG_MAP;
import static io.github.reconciler4j.cache.ServedCache.LONG;
import static io.github.reconciler4j.cache.ServedCache.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.scheme.Kind;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who waits for code of the user, and who must not. */
class CacheWaitingTests {

    private final ServedCache served = new ServedCache();

    @AfterEach
    void close() {
        served.close();
    }

    @Test
    void subscribeWhenNamespacesChangeWhileATransformHangsDoesNotWait() throws Exception {
        Semaphore hangs = new Semaphore(0);
        Semaphore goOn = new Semaphore(0);
        KindCacheOptions slow = KindCacheOptions.defaults().withTransform(object -> {
            hangs.release();
            goOn.acquireUninterruptibly();
        });
        Cache cache = served.open(CacheOptions.defaults().withKindDefaults(slow));
        Informer<ConfigMap> informer = cache.informer(ConfigMap.class);
        informer.subscribe("first", event -> {});
        cache.start();
        cache.awaitSync(LONG);
        served.configMap("default", "a");
        hangs.acquire();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        CachedNamespaces one = CachedNamespaces.only(Set.of("default"));

        Future<?> change = threads.submit(() -> cache.changeNamespaces(Kind.of(CONFIG_MAP), one));
        until("end of the watch of all", () -> served.watches() == 0);
        threads.submit(() -> informer.subscribe("second", event -> {})).get(LONG.toSeconds(), TimeUnit.SECONDS);

        assertThat(change).isNotDone();
        goOn.release(10);
        change.get(LONG.toSeconds(), TimeUnit.SECONDS);
        threads.shutdown();
    }
}
