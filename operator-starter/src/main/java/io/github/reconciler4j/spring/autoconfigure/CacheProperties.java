package io.github.reconciler4j.spring.autoconfigure;

import static io.github.reconciler4j.spring.autoconfigure.OperatorConfigurationException.set;

import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.StorageForm;
import io.github.reconciler4j.cache.WatchOptions;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Watched objects.
 *
 * @param namespaces Namespaces to watch. Defaults to all namespaces.
 * @param namespaceSelector Label selector of the namespaces to watch. Namespaces that start or cease to match are
 *     followed.
 * @param labelSelector Label selector of the objects to watch, for all kinds.
 * @param storage Form in which objects are kept in memory, for all kinds.
 * @param resync Interval at which all cached objects are enqueued again. Zero disables the resync.
 * @param syncTimeout Maximum time that a read waits for the initial list of a kind.
 * @param watch Watch requests.
 * @param kinds Settings of single kinds, by kind or by group, version and kind such as '[apps/v1/Deployment]'.
 */
record CacheProperties(
        @DefaultValue Set<String> namespaces,
        @Nullable String namespaceSelector,
        @Nullable String labelSelector,
        @DefaultValue("compact") StorageForm storage,
        @DefaultValue("10h") Duration resync,
        @DefaultValue("2m") Duration syncTimeout,
        @Nullable Watch watch,
        @DefaultValue Map<String, Kind> kinds) {

    CacheOptions toOptions(KindNames names) {
        String prefix = OperatorProperties.PREFIX + ".cache.";
        Kind all = new Kind(namespaces, namespaceSelector, labelSelector, null, storage, null);
        CacheOptions options =
                CacheOptions.defaults().withKindDefaults(all.applyTo(KindCacheOptions.defaults(), prefix));
        options = set(prefix + "resync", options, resync, CacheOptions::withResync);
        options = set(prefix + "sync-timeout", options, syncTimeout, CacheOptions::withSyncTimeout);
        options = watch == null ? options : options.withWatch(watch.toOptions());
        for (Map.Entry<String, Kind> kind : kinds.entrySet()) {
            String name = kind.getKey();
            String property = prefix + "kinds" + (name.contains("/") ? "[" + name + "]" : "." + name);
            var found = names.find(property, name);
            options = options.withKind(
                    io.github.reconciler4j.scheme.Kind.of(found),
                    kind.getValue().applyTo(options.of(io.github.reconciler4j.scheme.Kind.of(found)), property + "."));
        }
        return options;
    }

    /**
     * Settings of one kind in the cache. What is not set is taken from the settings of all kinds.
     *
     * @param namespaces Namespaces to watch.
     * @param namespaceSelector Label selector of the namespaces to watch.
     * @param labelSelector Label selector of the objects to watch.
     * @param fieldSelector Field selector of the objects to watch.
     * @param storage Form in which objects are kept in memory.
     * @param partitionKey Part of an object that decides to which shard it belongs, with sharding. Defaults to the key for
     *     'reconciler4j.sharding.families'.
     */
    record Kind(
            @DefaultValue Set<String> namespaces,
            @Nullable String namespaceSelector,
            @Nullable String labelSelector,
            @Nullable String fieldSelector,
            @Nullable StorageForm storage,
            ShardingProperties.@Nullable Key partitionKey) {

        private KindCacheOptions applyTo(KindCacheOptions before, String prefix) {
            KindCacheOptions options = before;
            if (!namespaces.isEmpty() && namespaceSelector != null) {
                throw OperatorConfigurationException.property(
                        prefix + "namespace-selector", "cannot be combined with '" + prefix + "namespaces'", null);
            }
            if (!namespaces.isEmpty()) {
                NamespaceNames.check(prefix + "namespaces", namespaces);
                options = options.withNamespaces(new LinkedHashSet<>(namespaces));
            }
            options = set(
                    prefix + "namespace-selector",
                    options,
                    namespaceSelector,
                    (kind, selector) -> kind.withNamespaces(CachedNamespaces.matchingLabels(selector)));
            options = set(prefix + "label-selector", options, labelSelector, KindCacheOptions::withLabelSelector);
            options = set(prefix + "field-selector", options, fieldSelector, KindCacheOptions::withFieldSelector);
            options = set(prefix + "storage", options, storage, KindCacheOptions::withStorage);
            return partitionKey == null ? options : options.withPartitionKey(partitionKey.key());
        }
    }

    /**
     * Watch requests.
     *
     * @param minLifetime Minimum time after which a watch is renewed.
     * @param maxLifetime Maximum time after which a watch is renewed.
     * @param idleTimeout Maximum time without any data from the API server before a watch is renewed.
     * @param minBackoff Delay before the first retry after a failure.
     * @param maxBackoff Maximum delay between two retries.
     * @param pageSize Number of objects per page of a list.
     * @param listMode Mode used to read the objects of a kind when there is no watch to resume.
     * @param gzipLists Whether to request compressed lists. Has no effect on streamed lists.
     */
    record Watch(
            @DefaultValue("5m") Duration minLifetime,
            @DefaultValue("10m") Duration maxLifetime,
            @DefaultValue("2m") Duration idleTimeout,
            @DefaultValue("800ms") Duration minBackoff,
            @DefaultValue("30s") Duration maxBackoff,
            @DefaultValue("2500") int pageSize,
            @DefaultValue("automatic") WatchOptions.ListMode listMode,
            @DefaultValue("true") boolean gzipLists) {

        private WatchOptions toOptions() {
            String prefix = OperatorProperties.PREFIX + ".cache.watch.";
            WatchOptions options =
                    WatchOptions.defaults().withListMode(listMode).withGzipLists(gzipLists);
            options = set(
                    prefix + "min-lifetime",
                    options,
                    minLifetime,
                    (watch, min) -> watch.withLifetime(min, maxLifetime));
            options = set(prefix + "idle-timeout", options, idleTimeout, WatchOptions::withIdleTimeout);
            options = set(
                    prefix + "min-backoff", options, minBackoff, (watch, min) -> watch.withBackoff(min, maxBackoff));
            return set(prefix + "page-size", options, pageSize, WatchOptions::withPageSize);
        }
    }
}
