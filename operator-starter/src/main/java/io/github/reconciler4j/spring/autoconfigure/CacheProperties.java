package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindCacheOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is watched.
 *
 * @since 0.1.0
 */
public class CacheProperties {

    /** Namespaces to watch; all of them unless set. */
    private List<String> namespaces = new ArrayList<>();

    /** Time between two repetitions of every object to its controllers; 10 hours unless set, zero is never. */
    private @Nullable Duration resync;

    /** Longest time that reading a kind waits for it to be synced; 2 minutes unless set. */
    private @Nullable Duration syncTimeout;

    /** Creates the defaults. */
    public CacheProperties() {}

    /** The options these settings amount to. */
    CacheOptions toOptions() {
        CacheOptions options = CacheOptions.defaults()
                .withKindDefaults(Setting.set(
                        "reconciler4j.cache.namespaces",
                        KindCacheOptions.defaults(),
                        Set.copyOf(namespaces),
                        KindCacheOptions::withNamespaces));
        options = Setting.set("reconciler4j.cache.resync", options, resync, CacheOptions::withResync);
        return Setting.set("reconciler4j.cache.sync-timeout", options, syncTimeout, CacheOptions::withSyncTimeout);
    }

    /** The namespaces to watch, empty for all. */
    public List<String> getNamespaces() {
        return namespaces;
    }

    /** Sets the namespaces to watch. */
    public void setNamespaces(List<String> namespaces) {
        this.namespaces = namespaces;
    }

    /** The time between two resyncs, null for the default. */
    public @Nullable Duration getResync() {
        return resync;
    }

    /** Sets the time between two resyncs. */
    public void setResync(@Nullable Duration resync) {
        this.resync = resync;
    }

    /** The longest time that reading a kind waits for it to be synced, null for the default. */
    public @Nullable Duration getSyncTimeout() {
        return syncTimeout;
    }

    /** Sets the longest time that reading a kind waits for it to be synced. */
    public void setSyncTimeout(@Nullable Duration syncTimeout) {
        this.syncTimeout = syncTimeout;
    }
}
