package io.github.reconciler4j.sharding;

import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.manager.ManagerExtension;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.WorkDivision;
import io.github.reconciler4j.sharding.internal.member.DividedWork;
import io.github.reconciler4j.sharding.internal.member.ShardingExtension;
import io.github.reconciler4j.support.internal.OptionValues;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Settings of sharding, for {@link ManagerOptions#withExtension}. The cache of the manager contains the objects of the shards that this
 * replica holds, controllers of divided kinds reconcile these on every replica, and components that implement {@link ShardHandler} are
 * notified of them. Immutable. All replicas must have the same name, number of shards and families, and divide clusters or not; a
 * replica that differs in any but the name waits until the others have ended.
 *
 * <!-- snippet: ShardedOperator -->
 * <pre>{@code
 * return ManagerOptions.defaults().withExtension(ShardingOptions.named("my-operator"));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ShardingOptions implements ManagerExtension.Options {

    private static final int DEFAULT_SHARDS = 16;
    private static final int MAX_SHARDS = 4096;
    private static final int MAX_IDENTITY = 1024;

    /** A control character, or half of a surrogate pair, which UTF-8 cannot represent, could differ in what a Lease returns. */
    private static final Pattern IDENTITY = Pattern.compile("[^\\p{Cc}\\p{Cs}]*");

    /**
     * Which objects are always in the same shard.
     *
     * @since 0.1.0
     */
    public enum Families {
        /** All objects of a namespace. Objects without a namespace are distributed by their uid. */
        BY_NAMESPACE,
        /** An object without a controller among its owners, and the objects that it controls. */
        BY_OWNER
    }

    private final Values values;

    private ShardingOptions(Values values) {
        Objects.requireNonNull(values.name, "'name' must not be null");
        Objects.requireNonNull(values.families, "'families' must not be null");
        Objects.requireNonNull(values.leaseNamespace, "'leaseNamespace' must not be null");
        Objects.requireNonNull(values.identity, "'identity' must not be null");
        Objects.requireNonNull(values.timing, "'timing' must not be null");
        Objects.requireNonNull(values.drainTimeout, "'drainTimeout' must not be null");
        Objects.requireNonNull(values.namespaceReview, "'namespaceReview' must not be null");
        if (!values.name.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")) {
            throw new IllegalArgumentException(
                    "'name' must consist of at most 63 lower case letters, digits and '-', and have"
                            + " a letter or digit as first and last character, was '" + values.name + "'");
        }
        if (values.shards < 1 || values.shards > MAX_SHARDS) {
            throw new IllegalArgumentException("'shards' must be from 1 to " + MAX_SHARDS + ", was " + values.shards);
        }
        if (values.identity.length() > MAX_IDENTITY
                || !IDENTITY.matcher(values.identity).matches()) {
            throw new IllegalArgumentException("'identity' must have at most " + MAX_IDENTITY
                    + " characters, none of them a control character or half of a surrogate pair");
        }
        if (values.drainTimeout.isNegative()) {
            throw new IllegalArgumentException("'drainTimeout' must not be negative, was " + values.drainTimeout);
        }
        if (values.namespaceReview.isNegative() || values.namespaceReview.isZero()) {
            throw new IllegalArgumentException("'namespaceReview' must be positive, was " + values.namespaceReview);
        }
        this.values = values;
    }

    /**
     * Return the defaults for a set of replicas with the given name. The names of its Leases have it as
     * prefix.
     *
     * @throws IllegalArgumentException if the name does not consist of at most 63 lower case letters, digits and {@code -}, or
     *     has {@code -} as its first or last character
     */
    public static ShardingOptions named(String name) {
        return new ShardingOptions(new Values(name));
    }

    /** Return the settings of sharding that a manager has, empty if this replica does not share its work with others. */
    public static Optional<ShardingOptions> of(ManagerOptions manager) {
        return manager.extensions().stream()
                .filter(ShardingOptions.class::isInstance)
                .map(ShardingOptions.class::cast)
                .findFirst();
    }

    /** Return the name of the set of replicas, which is the prefix of the names of its Leases. */
    public String name() {
        return values.name;
    }

    /** Return the number of shards, by default 16. A replica beyond this number has nothing to do. */
    public int shards() {
        return values.shards;
    }

    /** Return which objects are always in the same shard. The default is {@link Families#BY_NAMESPACE}. */
    public Families families() {
        return values.families;
    }

    /**
     * Return whether the replicas divide the clusters of {@code ClusterProvider}s, by default true. Each of these clusters belongs to a
     * shard by its name. The replica that holds the shard connects to the cluster and runs its controllers; the others do not.
     * If false, each replica connects to all clusters, and the leader runs their controllers.
     */
    public boolean dividedClusters() {
        return values.dividedClusters;
    }

    /**
     * Return the namespace of the Leases, {@code ""} (the default) for the namespace of the pod. Outside of a pod it must be
     * set.
     */
    public String leaseNamespace() {
        return values.leaseNamespace;
    }

    /**
     * Return the identity of this replica, {@code ""} (the default) for the host name, an underscore and a random UUID.
     */
    public String identity() {
        return values.identity;
    }

    /**
     * Return the time limits of the Lease of a replica, by default those of leader election. Another replica acquires the shards
     * of one that has not renewed its Lease for the lease duration.
     */
    public LeaseTiming timing() {
        return values.timing;
    }

    /**
     * Return how long running reconciliations of a shard may take to finish before the shard moves to another replica, by
     * default 10 seconds. They are interrupted afterwards, and their writes are refused.
     */
    public Duration drainTimeout() {
        return values.drainTimeout;
    }

    /**
     * Return how often one replica counts the namespaces of each shard, by default every 10 minutes. If one shard has far more than the
     * others, all replicas divide the namespaces again, which stops them for some seconds. Has an effect only if the API server selects
     * namespaces: with {@code Partition.withServerNamespaces(true)} in the options of the cache.
     */
    public Duration namespaceReview() {
        return values.namespaceReview;
    }

    /**
     * Return a copy of these options with the given number of shards.
     *
     * @throws IllegalArgumentException if it is not from 1 to 4096
     */
    public ShardingOptions withShards(int count) {
        return change(copy -> copy.shards = count);
    }

    /** Return a copy of these options with the given families. */
    public ShardingOptions withFamilies(Families newFamilies) {
        return change(copy -> copy.families = newFamilies);
    }

    /** Return a copy of these options that divides the clusters of providers, or not. */
    public ShardingOptions withDividedClusters(boolean divided) {
        return change(copy -> copy.dividedClusters = divided);
    }

    /** Return a copy of these options with the given namespace of the Leases, {@code ""} for that of the pod. */
    public ShardingOptions withLeaseNamespace(String namespace) {
        return change(copy -> copy.leaseNamespace = namespace);
    }

    /**
     * Return a copy of these options with the given identity. It must differ between replicas. The name of the Lease of the replica
     * contains it if it consists of at most 151 lower-case letters, digits and {@code -}, and otherwise a hash of it.
     *
     * @throws IllegalArgumentException if it is longer than 1024, or has a control character or half of a surrogate pair
     */
    public ShardingOptions withIdentity(String newIdentity) {
        return change(copy -> copy.identity = newIdentity);
    }

    /** Return a copy of these options with the given time limits. */
    public ShardingOptions withTiming(LeaseTiming newTiming) {
        return change(copy -> copy.timing = newTiming);
    }

    /**
     * Return a copy of these options with the given time to finish before a shard moves; zero interrupts immediately.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public ShardingOptions withDrainTimeout(Duration timeout) {
        return change(copy -> copy.drainTimeout = timeout);
    }

    /**
     * Return a copy of these options with the given time between two counts of namespaces.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public ShardingOptions withNamespaceReview(Duration interval) {
        return change(copy -> copy.namespaceReview = interval);
    }

    private ShardingOptions change(Consumer<Values> change) {
        return new ShardingOptions(values.changed(change));
    }

    /**
     * Return the options for the cache of a manager: it starts with no shard. If the client does not write, or there is one shard, it
     * has all objects.
     *
     * @throws IllegalArgumentException if the options of the manager have shards of the cache
     */
    @Override
    public CacheOptions cache(ManagerOptions manager) {
        return DividedWork.cache(this, manager);
    }

    /** Return the division of the work, empty if the client does not write. */
    @Override
    public Optional<WorkDivision> division(ManagerOptions manager) {
        return DividedWork.of(this, manager);
    }

    /** Create what shares the shards with the other replicas. A client that does not write takes no part. */
    @Override
    public Optional<ManagerExtension> create(ManagerExtension.Host host) {
        boolean writes = host.manager().options().client().mode() == WriteMode.NORMAL;
        return writes ? Optional.of(ShardingExtension.create(this, host)) : Optional.empty();
    }

    @Override
    public String toString() {
        return "ShardingOptions[name=" + values.name + ", shards=" + values.shards + ", families=" + values.families
                + ", dividedClusters="
                + values.dividedClusters + ", leaseNamespace=" + values.leaseNamespace + ", identity=" + values.identity
                + ", timing="
                + values.timing + ", drainTimeout=" + values.drainTimeout + ", namespaceReview="
                + values.namespaceReview
                + "]";
    }

    private static final class Values extends OptionValues<Values> {
        private final String name;
        private int shards = DEFAULT_SHARDS;
        private Families families = Families.BY_NAMESPACE;
        private boolean dividedClusters = true;
        private String leaseNamespace = "";
        private String identity = "";
        private LeaseTiming timing = LeaseTiming.defaults();
        private Duration drainTimeout = Duration.ofSeconds(10);
        private Duration namespaceReview = Duration.ofMinutes(10);

        private Values(String name) {
            this.name = name;
        }
    }
}
