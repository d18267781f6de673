package io.github.reconciler4j.sharding.internal;

import io.github.reconciler4j.sharding.ShardingOptions;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** The names and labels of the Leases of a set of replicas. */
final class RingNames {

    /** The label with the name of the set of replicas. */
    static final String RING = "reconciler4j.io/sharding";

    /** The label that distinguishes the Leases of replicas from those of shards. */
    static final String ROLE = "reconciler4j.io/sharding-role";

    /** The label with the layout of a replica. */
    static final String LAYOUT = "reconciler4j.io/sharding-layout";

    /** The label of a replica that gives its shards away. */
    static final String LEAVING = "reconciler4j.io/sharding-leaving";

    static final String REPLICA = "replica";
    static final String SHARD = "shard";

    private static final int LONGEST_NAME = 150;

    private static final Pattern VALID = Pattern.compile("[a-z0-9-]{0," + LONGEST_NAME + "}[a-z0-9]");

    private final ShardingOptions options;
    private final String[] shards;

    RingNames(ShardingOptions options) {
        this.options = options;
        shards = new String[options.shards()];
        Arrays.setAll(shards, shard -> String.format(Locale.ROOT, "%s-shard-%02d", options.name(), shard));
    }

    String ring() {
        return options.name();
    }

    String shard(int shard) {
        return shards[shard];
    }

    /** An identity that cannot be part of a name is made one, with a hash so that different identities have different names. */
    String replica(String identity) {
        String valid = identity;
        if (!VALID.matcher(identity).matches()) {
            String allowed = identity.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]+", "-");
            String hash = String.format(Locale.ROOT, "%08x", identity.hashCode());
            valid = allowed.substring(0, Math.min(allowed.length(), LONGEST_NAME)) + "-" + hash;
        }
        return options.name() + "-replica-" + valid;
    }

    /** What all replicas must agree on. */
    String layout() {
        return options.shards() + "-" + options.families().name().toLowerCase(Locale.ROOT);
    }

    Map<String, String> labels(boolean replica) {
        return replica ? Map.of(RING, ring(), ROLE, REPLICA, LAYOUT, layout()) : Map.of(RING, ring(), ROLE, SHARD);
    }
}
