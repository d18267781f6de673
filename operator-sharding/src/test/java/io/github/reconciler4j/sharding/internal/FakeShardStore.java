package io.github.reconciler4j.sharding.internal;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.leaderelection.internal.LeaseRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The Leases in memory, with the API server's answers to stale writes. Used by one thread at a time. */
class FakeShardStore implements ShardStore {

    private final Map<String, Version> replicas = new TreeMap<>();
    private final Map<String, Version> shards = new TreeMap<>();
    private final String layout;
    private long version;

    /** How many writes of Leases of shards have been applied. */
    int shardWrites;

    /** How many writes of all Leases have been applied. */
    int writes;

    /** What happens once, right after the next list was answered. */
    Runnable afterList = () -> {};

    FakeShardStore(String layout) {
        this.layout = layout;
    }

    private Map<String, Version> of(String name) {
        return name.contains("-shard-") ? shards : replicas;
    }

    Version read(String name) {
        return of(name).get(name);
    }

    void put(String name, LeaseRecord record, Marks marks) {
        if (record.term().seconds() <= 0 || record.term().transitions() < 0) {
            throw failure(422);
        }
        of(name).put(name, new Version(name, record, marks, ++version));
        writes++;
    }

    void remove(String name) {
        writes++;
        of(name).remove(name);
    }

    void removeReleased(String name, String identity) {
        boolean named = shards.values().stream()
                .anyMatch(shard -> shard.record().holder().equals(identity));
        if (!named && read(name) != null && read(name).record().isReleased()) {
            remove(name);
        }
    }

    @Override
    public List<Version> replicas(Duration timeout) {
        return list(replicas);
    }

    @Override
    public List<Version> shards(Duration timeout) {
        return list(shards);
    }

    private List<Version> list(Map<String, Version> leases) {
        List<Version> list = new ArrayList<>(leases.values());
        Runnable once = afterList;
        afterList = () -> {};
        once.run();
        return list;
    }

    @Override
    public Version create(String name, boolean replica, LeaseRecord record, Duration timeout) {
        if (read(name) != null) {
            throw failure(409);
        }
        put(name, record, new Marks(replica ? layout : "", false));
        shardWrites += replica ? 0 : 1;
        return read(name);
    }

    @Override
    public Version update(Version previous, LeaseRecord record, Duration timeout) {
        check(previous);
        put(previous.name(), record, read(previous.name()).marks());
        shardWrites += of(previous.name()) == shards ? 1 : 0;
        return read(previous.name());
    }

    /** Sets the layout of the Lease of a replica, as each write of the replica does. */
    Version layOut(String name, String newLayout) {
        Version current = read(name);
        of(name).put(
                        name,
                        new Version(
                                name,
                                current.record(),
                                new Marks(newLayout, current.marks().leaving()),
                                ++version));
        return read(name);
    }

    @Override
    public void mark(Version previous, boolean leaving, Duration timeout) {
        Version current = read(previous.name());
        if (current == null) {
            throw failure(404);
        }
        put(previous.name(), current.record(), new Marks(current.marks().layout(), leaving));
    }

    @Override
    public void delete(Version previous, Duration timeout) {
        check(previous);
        remove(previous.name());
    }

    private void check(Version previous) {
        Version current = read(previous.name());
        if (current == null) {
            throw failure(404);
        }
        if (!current.handle().equals(previous.handle())) {
            throw failure(409);
        }
    }

    static ApiException failure(int code) {
        return new ApiException("status " + code, ErrorDetails.of(code, ""));
    }
}
