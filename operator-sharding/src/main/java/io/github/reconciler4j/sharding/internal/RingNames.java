package io.github.reconciler4j.sharding.internal;

import io.github.reconciler4j.sharding.ShardingOptions;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
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
    private static final int HASH_BYTES = 8;
    private static final int LAYOUT_BYTES = 4;

    private static final Pattern VALID = Pattern.compile("[a-z0-9-]{0," + LONGEST_NAME + "}[a-z0-9]");

    private final ShardingOptions options;
    private final String layout;
    private final String[] shards;

    /**
     * Creates the names.
     *
     * @param keys describes how objects are divided, besides the options
     */
    RingNames(ShardingOptions options, String keys) {
        this.options = options;
        layout = options.shards() + "-" + options.families().name().toLowerCase(Locale.ROOT) + "-"
                + hash(keys, LAYOUT_BYTES);
        shards = new String[options.shards()];
        Arrays.setAll(shards, shard -> String.format(Locale.ROOT, "%s-shard-%02d", options.name(), shard));
    }

    ShardingOptions options() {
        return options;
    }

    String ring() {
        return options.name();
    }

    String shard(int shard) {
        return shards[shard];
    }

    /**
     * An identity that cannot be part of a name is made one, with a hash so that different identities have different names. No
     * identity that can be part of a name contains the dot in front of the hash.
     */
    String replica(String identity) {
        String valid = identity;
        if (!VALID.matcher(identity).matches()) {
            String allowed = identity.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
            String start = allowed.substring(0, Math.min(allowed.length(), LONGEST_NAME));
            valid = start.replaceAll("^-|-$", "") + "." + hash(identity, HASH_BYTES);
            valid = valid.startsWith(".") ? "x" + valid : valid;
        }
        return options.name() + "-replica-" + valid;
    }

    private static String hash(String text, int bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Each Java platform has SHA-256", e);
        }
    }

    /** Whether this is the name of the Lease of a replica or of a shard, as which one its labels may describe it by mistake. */
    boolean isName(String name, boolean replica) {
        return name.startsWith(options.name() + (replica ? "-replica-" : "-shard-"));
    }

    /** What all replicas must agree on. */
    String layout() {
        return layout;
    }

    /** Describe what is wrong when replicas with another layout live. */
    String otherLayouts() {
        return "other replicas have another number of shards, other families, other partition keys or other borders of"
                + " namespaces than this one, whose layout is " + layout + "; this one waits until they have ended";
    }

    Map<String, String> labels(boolean replica) {
        return replica ? Map.of(RING, ring(), ROLE, REPLICA, LAYOUT, layout()) : Map.of(RING, ring(), ROLE, SHARD);
    }
}
