package io.github.reconciler4j.leaderelection.internal;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A lease in memory, with the API server's answers to stale writes, and faults on demand. Safe for many threads. */
final class FakeStore implements LeaseStore {

    private long version;
    private Optional<StoredLease> current = Optional.empty();
    final List<Duration> timeouts = new ArrayList<>();
    boolean down;
    boolean losesAnswers;

    /** Whether the next update is applied and then answered as a conflict, as if a proxy had sent it twice. */
    boolean repeatsUpdate;

    Runnable onRequest = () -> {};

    @Override
    public ObjectKey key() {
        return ObjectKey.of("test", "lease");
    }

    synchronized Optional<LeaseRecord> record() {
        return current.map(StoredLease::record);
    }

    synchronized void overwrite(LeaseRecord record) {
        current = Optional.of(new StoredLease(record, ++version));
    }

    synchronized void delete() {
        current = Optional.empty();
    }

    @Override
    public synchronized Optional<StoredLease> read(Duration timeout) {
        return request(timeout, () -> current);
    }

    @Override
    public synchronized StoredLease create(LeaseRecord record, Duration timeout) {
        return request(timeout, () -> {
            if (current.isPresent()) {
                throw failure(409, "already exists");
            }
            overwrite(record);
            return current.orElseThrow();
        });
    }

    @Override
    public synchronized StoredLease update(StoredLease previous, LeaseRecord record, Duration timeout) {
        return request(timeout, () -> {
            if (current.isEmpty()) {
                throw failure(404, "not found");
            }
            if (!current.get().handle().equals(previous.handle())) {
                throw failure(409, "conflict");
            }
            overwrite(record);
            if (repeatsUpdate) {
                repeatsUpdate = false;
                throw failure(409, "conflict");
            }
            return current.orElseThrow();
        });
    }

    private <T> T request(Duration timeout, Supplier<T> action) {
        timeouts.add(timeout);
        onRequest.run();
        if (down) {
            throw failure(0, "no answer");
        }
        T answer = action.get();
        if (losesAnswers) {
            throw failure(0, "no answer");
        }
        return answer;
    }

    static ApiException failure(int code, String message) {
        return new ApiException(message, ErrorDetails.of(code, ""));
    }
}
