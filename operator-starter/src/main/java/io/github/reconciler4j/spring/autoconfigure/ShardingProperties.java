package io.github.reconciler4j.spring.autoconfigure;

import static io.github.reconciler4j.spring.autoconfigure.OperatorConfigurationException.fromProperty;
import static io.github.reconciler4j.spring.autoconfigure.OperatorConfigurationException.set;

import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.cache.PartitionKey;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.sharding.ShardingOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Shards that the replicas share.
 *
 * @param enabled Whether the replicas divide the objects into shards and work at the same time.
 * @param name Prefix of the names of the Leases. Defaults to the name of the operator.
 * @param shards Number of shards, at most 4096. It must be the same in all replicas.
 * @param families Objects that are always in the same shard. It must be the same in all replicas.
 * @param dividedClusters Whether the replicas divide the clusters that join at runtime, instead of leaving them to the leader. It
 *     must be the same in all replicas.
 * @param serverNamespaces Whether the API server sends the objects of namespaces in the shards of this replica only, if it supports
 *     shard selectors. It must be the same in all replicas.
 * @param namespaceReview Interval between two counts of namespaces by shard, with 'reconciler4j.sharding.server-namespaces'.
 * @param leaseNamespace Namespace of the Leases. Defaults to the namespace of the pod.
 * @param identity Identity of this replica, which must differ between replicas. Defaults to the host name with a random suffix.
 * @param leaseDuration Time without a renewal after which other replicas acquire the shards of a replica.
 * @param renewDeadline Time without a successful renewal after which a replica regards its shards as lost.
 * @param retryPeriod Interval between two renewals.
 * @param drainTimeout Maximum time that running reconciliations of a shard have to finish before it moves to another replica.
 */
record ShardingProperties(
        @DefaultValue("false") boolean enabled,
        @Nullable String name,
        @DefaultValue("16") int shards,
        @DefaultValue("by-namespace") ShardingOptions.Families families,
        @DefaultValue("true") boolean dividedClusters,
        @DefaultValue("false") boolean serverNamespaces,
        @DefaultValue("10m") Duration namespaceReview,
        @Nullable String leaseNamespace,
        @Nullable String identity,
        @DefaultValue("15s") Duration leaseDuration,
        @DefaultValue("10s") Duration renewDeadline,
        @DefaultValue("2s") Duration retryPeriod,
        @DefaultValue("10s") Duration drainTimeout) {

    static final String LEASE_NAMESPACE = OperatorProperties.PREFIX + ".sharding.lease-namespace";

    private static final String PREFIX = OperatorProperties.PREFIX + ".sharding.";

    /** The keys that need no function. */
    enum Key {
        NAMESPACE(PartitionKey.namespace()),
        UID(PartitionKey.uid()),
        OWNER(PartitionKey.owner()),
        WHOLE(PartitionKey.whole());

        private final PartitionKey key;

        Key(PartitionKey key) {
            this.key = key;
        }

        PartitionKey key() {
            return key;
        }
    }

    /** Return options with sharding if it is enabled. */
    ManagerOptions applyTo(ManagerOptions unsharded) {
        ManagerOptions before = serverNamespaces ? withServerNamespaces(unsharded) : unsharded;
        if (!enabled) {
            return before;
        }
        ShardingOptions options = fromProperty(
                        PREFIX + "name", () -> ShardingOptions.named(name == null ? before.name() : name))
                .withFamilies(families)
                .withDividedClusters(dividedClusters)
                .withTiming(fromProperty(
                        PREFIX + "lease-duration", () -> LeaseTiming.of(leaseDuration, renewDeadline, retryPeriod)));
        options = set(PREFIX + "shards", options, shards, ShardingOptions::withShards);
        NamespaceNames.check(LEASE_NAMESPACE, leaseNamespace);
        options = set(LEASE_NAMESPACE, options, leaseNamespace, ShardingOptions::withLeaseNamespace);
        options = set(PREFIX + "namespace-review", options, namespaceReview, ShardingOptions::withNamespaceReview);
        options = set(PREFIX + "identity", options, identity, ShardingOptions::withIdentity);
        return before.withExtension(
                set(PREFIX + "drain-timeout", options, drainTimeout, ShardingOptions::withDrainTimeout));
    }

    /** Without sharding it has no effect, but the generator learns from it that replicas list namespaces. */
    private static ManagerOptions withServerNamespaces(ManagerOptions options) {
        Partition shards = options.cache().partition().withServerNamespaces(true);
        return options.withCache(options.cache().withPartition(shards));
    }
}
