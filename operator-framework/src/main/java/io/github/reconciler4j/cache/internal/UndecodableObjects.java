package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.LogLimiter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects of a kind that did not fit the class somebody wanted to read them into, until they change or go. Safe for
 * use by many threads.
 */
final class UndecodableObjects {

    private static final Logger LOG = LoggerFactory.getLogger(UndecodableObjects.class);

    private final KindMetrics metrics;
    private final LogLimiter log;
    private final Map<ObjectKey, Bad> objects = new ConcurrentHashMap<>();

    private record Bad(Entry entry, UndecodableObjectException failure) {}

    UndecodableObjects(KindMetrics metrics, LogLimiter log) {
        this.log = log;
        this.metrics = metrics;
    }

    /** Notes that an entry could not be decoded; says so in the log once per state of an object. */
    void add(Entry entry, UndecodableObjectException failure) {
        metrics.decodeFailed();
        Bad before = objects.put(entry.key(), new Bad(entry, failure));
        if (before == null || before.entry() != entry) {
            log.log(
                    "undecodable " + failure.kind() + " " + failure.field(),
                    occurrence -> LOG.warn(
                            "{}; reads leave it out until it changes{}", failure.getMessage(), occurrence.suffix()));
        }
    }

    /** Forgets objects that changed or went. */
    void forget(List<Change> changes) {
        if (objects.isEmpty()) {
            return;
        }
        for (Change change : changes) {
            objects.computeIfPresent(change.entry().key(), (key, bad) -> bad.entry() == change.entry() ? bad : null);
        }
    }

    /** How many there are. */
    int size() {
        return objects.size();
    }

    /** What is wrong with some of them, in words for people. */
    List<String> messages(int most) {
        return objects.values().stream()
                .map(bad -> String.valueOf(bad.failure().getMessage()))
                .sorted()
                .limit(most)
                .toList();
    }
}
