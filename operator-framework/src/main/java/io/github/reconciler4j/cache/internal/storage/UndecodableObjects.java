package io.github.reconciler4j.cache.internal.storage;

import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.LogLimiter;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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

    /** What may be in a log: the name comes from an object that is not what it should be. */
    private static final Pattern NAMES = Pattern.compile("[A-Za-z0-9.:/_-]{1,320}");

    private static final int MAX_SET_ASIDE = 10_000;

    private final LogLimiter log;
    private final Map<ObjectKey, Failure> failures = new ConcurrentHashMap<>();

    /** What could not even be an object of the kind, by the watch that received it and its name or number. */
    private final Map<Object, Map<Object, String>> setAside = new ConcurrentHashMap<>();

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

    /**
     * Add something that a watch or list contained in the place of an object of the kind. It is counted until the watch lists again, or
     * until it has a successor of the same name.
     *
     * @param watch the watch that received it
     * @param what what is watched, for the message
     * @param key its namespace and name; null if they are unknown
     * @param problem what it is
     */
    public void setAside(Object watch, Object what, @Nullable ObjectKey key, String problem) {
        Map<Object, String> known = setAside.computeIfAbsent(watch, any -> new ConcurrentHashMap<>());
        if (known.size() >= MAX_SET_ASIDE) {
            return;
        }
        boolean named = key != null && NAMES.matcher(key.toString()).matches();
        String message = "The response for " + what + " contains " + problem + (named ? ": " + key : "");
        known.put(key != null ? key : new Object(), message);
        log.log(
                "set aside " + what + problem,
                occurrence -> LOG.warn(
                        "{}; it is left out, and all else is used; check the API server and the proxies before it (R4J-043){}",
                        message,
                        occurrence.suffix()));
    }

    /** Forget what other watches than these have received. */
    public void retain(Collection<?> watches) {
        setAside.keySet().retainAll(watches);
    }

    /** Forget what a watch has received, because it has listed again. */
    public void forget(Object watch) {
        setAside.remove(watch);
    }

    /** Remove objects that changed or were deleted. */
    public void remove(List<Change> changes) {
        for (Map<Object, String> known : setAside.values()) {
            changes.forEach(change -> known.remove(change.entry().key()));
        }
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
        return failures.size() + setAside.values().stream().mapToInt(Map::size).sum();
    }

    /** Return the messages of some of them, sorted. */
    public List<String> messages(int max) {
        Stream<String> others = setAside.values().stream().flatMap(known -> known.values().stream());
        return Stream.concat(
                        failures.values().stream()
                                .map(failure ->
                                        String.valueOf(failure.exception().getMessage())),
                        others)
                .sorted()
                .limit(max)
                .toList();
    }
}
