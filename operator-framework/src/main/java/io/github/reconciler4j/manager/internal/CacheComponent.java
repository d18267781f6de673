package io.github.reconciler4j.manager.internal;

import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.StartGroup;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the cache, on every replica, so that a standby is warm. Waits until all kinds have synced, but not for those
 * whose definition or right is missing: who needs them waits alone.
 */
final class CacheComponent implements ManagedComponent {

    static final String NAME = "cache";

    private static final Logger LOG = LoggerFactory.getLogger(CacheComponent.class);

    private final Cache cache;
    private final Duration timeout;

    CacheComponent(Cache cache, Duration timeout) {
        this.cache = cache;
        this.timeout = timeout;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public StartGroup group() {
        return StartGroup.CACHES;
    }

    @Override
    public void start() throws InterruptedException {
        cache.start();
        List<KindStatus> missing = cache.awaitSettled(timeout);
        if (!missing.isEmpty()) { // why was logged when it happened
            LOG.warn(
                    "Going on without {}: not cached yet; only what needs it waits",
                    missing.stream().map(kind -> kind.kind().resource()).collect(Collectors.joining(", ")));
        }
    }

    @Override
    public void stop(Duration grace) {
        cache.close();
    }
}
