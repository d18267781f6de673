package io.github.reconciler4j.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.fixtures.WatchedResource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * What the API server accepted, in the order of its revisions: who held each shard, and who wrote to each object. Also knows for how long
 * each object waited for a reconciliation.
 *
 * <p>Waits are measured by a clock that is given, which need not run while the API server or the machine stands still.
 */
final class ShardHistory {

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, NavigableMap<Long, Term>> terms = new HashMap<>();
    private final Map<Long, Write> writes = new TreeMap<>();
    private final Map<String, Long> waitingSince = new HashMap<>();
    private final LongSupplier clock;
    private final WatchedResource leases;
    private final WatchedResource objects;
    private long longestWait;
    private int moves;

    /** What happened to leases after this revision is not known yet. */
    private long known;

    private record Term(String holder, int transitions) {}

    private record Write(String key, String shard, String writer) {}

    ShardHistory(ApiConnection connection, String namespace, LongSupplier clock) {
        this.clock = clock;
        leases = new WatchedResource(
                connection, "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases", this::lease);
        objects = new WatchedResource(connection, "/api/v1/configmaps", this::object);
    }

    private void lease(long revision, boolean deleted, JsonNode lease) {
        lock.lock();
        try {
            known = Math.max(known, revision);
        } finally {
            lock.unlock();
        }
        String name = lease.path("metadata").path("name").asText();
        String prefix = ShardedReplica.RING + "-shard-";
        if (!name.startsWith(prefix)) {
            return;
        }
        JsonNode spec = lease.path("spec");
        Term term = new Term(
                deleted ? "" : spec.path("holderIdentity").asText(""),
                spec.path("leaseTransitions").asInt());
        lock.lock();
        try {
            NavigableMap<Long, Term> ofShard = terms.computeIfAbsent(
                    Integer.toString(Integer.parseInt(name.substring(prefix.length()))), shard -> new TreeMap<>());
            if (!term.holder.isEmpty()
                    && (ofShard.isEmpty() || !ofShard.lastEntry().getValue().equals(term))) {
                moves++;
            }
            ofShard.put(revision, term);
        } finally {
            lock.unlock();
        }
    }

    private void object(long revision, boolean deleted, JsonNode object) {
        JsonNode annotations = object.path("metadata").path("annotations");
        String done = annotations.path("done").asText("");
        String key = object.path("metadata").path("namespace").asText() + "/"
                + object.path("metadata").path("name").asText();
        String tick = object.path("data").path("tick").asText("");
        long now = clock.getAsLong();
        lock.lock();
        try {
            if (!done.equals(tick)) {
                waitingSince.putIfAbsent(key, now);
                return;
            }
            if (!done.isEmpty()) {
                writes.put(
                        revision,
                        new Write(
                                key,
                                annotations.path("shard").asText(),
                                annotations.path("writer").asText()));
            }
            Long since = waitingSince.remove(key);
            longestWait = Math.max(longestWait, since == null ? 0 : now - since);
        } finally {
            lock.unlock();
        }
    }

    int writes() {
        lock.lock();
        try {
            return writes.size();
        } finally {
            lock.unlock();
        }
    }

    /** How often a replica has acquired a shard. */
    int moves() {
        lock.lock();
        try {
            return moves;
        } finally {
            lock.unlock();
        }
    }

    /** Returns for how long a change has waited at most since the last call, those that still wait included. */
    Duration longestWait() {
        lock.lock();
        try {
            long now = clock.getAsLong();
            long longest = waitingSince.values().stream()
                    .mapToLong(since -> now - since)
                    .reduce(longestWait, Math::max);
            longestWait = 0;
            return Duration.ofNanos(longest);
        } finally {
            lock.unlock();
        }
    }

    boolean allDone() {
        lock.lock();
        try {
            return waitingSince.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many replicas hold shards, in the order of their names, with their numbers of shards. */
    Map<String, Integer> loads() {
        lock.lock();
        try {
            Map<String, Integer> loads = new TreeMap<>();
            for (NavigableMap<Long, Term> ofShard : terms.values()) {
                loads.merge(ofShard.lastEntry().getValue().holder(), 1, Integer::sum);
            }
            return loads;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Checks that each write came from the replica that held the shard, as far as the leases are known; returns the number of
     * writes that were checked.
     */
    int checkWriters() {
        lock.lock();
        try {
            int checked = 0;
            List<String> violations = new ArrayList<>();
            for (Map.Entry<Long, Write> entry : writes.entrySet()) {
                Write write = entry.getValue();
                if (entry.getKey() > known) {
                    continue;
                }
                NavigableMap<Long, Term> ofShard = terms.getOrDefault(write.shard, new TreeMap<>());
                Map.Entry<Long, Term> term = ofShard.floorEntry(entry.getKey());
                Map.Entry<Long, Term> next = ofShard.higherEntry(entry.getKey());
                if (term == null || next != null && next.getValue().transitions > term.getValue().transitions + 1) {
                    continue; // the history has a gap here, as after a restart of the server
                }
                checked++;
                if (!term.getValue().holder.equals(write.writer)) {
                    violations.add(entry + " while " + term);
                }
            }
            assertThat(violations)
                    .as("writes of replicas that did not hold the shard")
                    .isEmpty();
            return checked;
        } finally {
            lock.unlock();
        }
    }

    void end() throws InterruptedException {
        leases.end();
        objects.end();
    }
}
