package io.github.reconciler4j.sharding.internal;

import io.github.reconciler4j.leaderelection.internal.LeaseRecord;
import io.github.reconciler4j.leaderelection.internal.LeaseStore;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** The Lease of one replica among all Leases. Each write states the layout of the replica. */
record SimulatedLease(FakeShardStore store, String name, String layout, Requests requests) implements LeaseStore {

    /** Sends requests that can fail. */
    interface Requests {
        <T> T request(Duration limit, Supplier<T> action);
    }

    @Override
    public ObjectKey key() {
        return ObjectKey.of("test", name);
    }

    @Override
    public Optional<StoredLease> read(Duration timeout) {
        return requests.request(timeout, () -> Optional.ofNullable(store.read(name)))
                .map(SimulatedLease::stored);
    }

    @Override
    public StoredLease create(LeaseRecord record, Duration timeout) {
        return stored(requests.request(timeout, () -> {
            store.create(name, true, record, timeout);
            return store.layOut(name, layout);
        }));
    }

    @Override
    public StoredLease update(StoredLease previous, LeaseRecord record, Duration timeout) {
        return stored(requests.request(timeout, () -> {
            store.update((ShardStore.Version) previous.handle(), record, timeout);
            return store.layOut(name, layout);
        }));
    }

    private static StoredLease stored(ShardStore.Version version) {
        return new StoredLease(version.record(), version);
    }
}
