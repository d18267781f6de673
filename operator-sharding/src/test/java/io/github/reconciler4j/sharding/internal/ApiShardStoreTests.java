package io.github.reconciler4j.sharding.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.leaderelection.internal.LeaseRecord;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.sharding.ShardingOptions;
import io.github.reconciler4j.sharding.internal.ShardStore.Version;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ApiShardStoreTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int CASES = Integer.getInteger("shard.store.cases", 300);

    private final RingNames names = new RingNames(ShardingOptions.named("ring").withShards(4), "keys");
    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private KubernetesServer server;
    private ApiConnection connection;
    private ApiShardStore store;
    private Client client;

    @BeforeEach
    void open() {
        server = KubernetesServer.start();
        connection = ApiConnection.open(server.clientConfig());
        client = Client.create(connection, Scheme.create(), ClientOptions.defaults());
        client.create(new NamespaceBuilder()
                .withNewMetadata()
                .withName("leases")
                .endMetadata()
                .build());
        store = new ApiShardStore(connection, "leases", names);
    }

    @AfterEach
    void close() {
        connection.close();
        server.close();
    }

    private LeaseRecord record(String holder) {
        return LeaseRecord.first(holder, 15, Instant.EPOCH);
    }

    private void label(String lease, Map<String, Object> labels) {
        Lease found =
                client.live().get(Lease.class, ObjectKey.of("leases", lease)).orElseThrow();
        client.patch(found, ObjectPatch.merge(Map.of("metadata", Map.of("labels", labels))));
    }

    @Test
    void createWhenAnotherReplicaHasJustCreatedTheLeaseFails() {
        store.create(names.shard(1), false, record("one"), TIMEOUT);
        assertThatExceptionOfType(AlreadyExistsException.class)
                .isThrownBy(() -> store.create(names.shard(1), false, record("two"), TIMEOUT));
    }

    /** Each Lease loses labels or gets wrong ones; then no list has it, and the creation restores it. */
    @Test
    void createWhenTheLabelsOfTheLeaseWereChangedRestoresThem() {
        for (int i = 0; i < CASES; i++) {
            String what = "case " + i + " of seed " + seed;
            boolean replica = random.nextBoolean();
            String name = replica ? names.replica("r" + i) : names.shard(random.nextInt(4));
            if (store.shards(TIMEOUT).stream().noneMatch(lease -> lease.name().equals(name))) {
                store.create(name, replica, record("one"), TIMEOUT);
            }
            label(name, wrongLabels(replica));
            assertThat(store.replicas(TIMEOUT))
                    .as(what)
                    .extracting(Version::name)
                    .doesNotContain(name);
            assertThat(store.shards(TIMEOUT)).as(what).extracting(Version::name).doesNotContain(name);
            Version restored = store.create(name, replica, record("two"), TIMEOUT);
            assertThat(restored.record()).as(what).isEqualTo(record("two"));
            assertThat(replica ? store.replicas(TIMEOUT) : store.shards(TIMEOUT))
                    .as(what)
                    .filteredOn(lease -> lease.name().equals(name))
                    .extracting(Version::record)
                    .containsExactly(record("two"));
            if (replica) {
                store.delete(restored, TIMEOUT);
            }
        }
    }

    private Map<String, Object> wrongLabels(boolean replica) {
        Map<String, Object> labels = new HashMap<>();
        String other = replica ? RingNames.SHARD : RingNames.REPLICA;
        switch (random.nextInt(5)) {
            case 0 -> labels.put(RingNames.RING, null);
            case 1 -> labels.put(RingNames.RING, "another");
            case 2 -> labels.put(RingNames.ROLE, null);
            case 3 -> labels.put(RingNames.ROLE, other);
            default -> {
                labels.put(RingNames.RING, null);
                labels.put(RingNames.ROLE, null);
                labels.put(RingNames.LAYOUT, null);
            }
        }
        return labels;
    }
}
