package io.github.reconciler4j.cache.internal.storage;

import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.LogLimiter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects of a kind that did not fit the class they were to be read into, until they change or are deleted.
 * Thread-safe.
 *
 * @since 0.1.0
 */
public final class UndecodableObjects {

    private static final Logger LOG = LoggerFactory.getLogger(UndecodableObjects.class);

    private final LogLimiter log;
    private final Map<ObjectKey, Failure> failures = new ConcurrentHashMap<>();

    private record Failure(Entry entry, UndecodableObjectException exception) {}

    /** Create an empty set. */
    public UndecodableObjects(LogLimiter log) {
        this.log = log;
    }

    /** Add an entry that could not be decoded. */
    public void add(Entry entry, UndecodableObjectException exception) {
        Failure before = failures.put(entry.key(), new Failure(entry, exception));
        if (before == null || before.entry() != entry) {
            log.log(
                    "undecodable " + exception.kind() + " " + exception.field(),
                    occurrence -> LOG.warn(
                            "{}; reads leave it out until it changes{}", exception.getMessage(), occurrence.suffix()));
        }
    }

    /** Remove objects that changed or were deleted. */
    public void remove(List<Change> changes) {
        if (failures.isEmpty()) {
            return;
        }
        for (Change change : changes) {
            boolean deleted = change.isRemoval();
            failures.computeIfPresent(
                    change.entry().key(),
                    (key, failure) -> !deleted && failure.entry() == change.entry() ? failure : null);
        }
    }

    /** Return the number of objects. */
    public int size() {
        return failures.size();
    }

    /** Return the messages of some of them, sorted. */
    public List<String> messages(int max) {
        return failures.values().stream()
                .map(failure -> String.valueOf(failure.exception().getMessage()))
                .sorted()
                .limit(max)
                .toList();
    }
}
