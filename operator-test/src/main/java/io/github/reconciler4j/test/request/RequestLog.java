package io.github.reconciler4j.test.request;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The latest requests that a server answered, oldest first; older ones are dropped beyond the capacity, but go on being
 * counted. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class RequestLog {
    private final int capacity;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by {@code lock}. */
    private final Deque<LoggedRequest> latest = new ArrayDeque<>();
    /** Guarded by {@code lock}: by verb and resource. */
    private final Map<String, Long> counts = new TreeMap<>();

    /** Makes an empty log that keeps that many requests. */
    public RequestLog(int capacity) {
        this.capacity = capacity;
    }

    /** Adds a request; the server calls it. */
    public void add(LoggedRequest request) {
        String key = request.request().verb() + " " + request.request().resource();
        lock.lock();
        try {
            latest.add(request);
            if (latest.size() > capacity) {
                latest.remove();
            }
            counts.merge(key.trim(), 1L, Long::sum);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the requests that are kept, oldest first. */
    public List<LoggedRequest> all() {
        lock.lock();
        try {
            return List.copyOf(latest);
        } finally {
            lock.unlock();
        }
    }

    /** Returns those that match, oldest first. */
    public List<LoggedRequest> matching(Predicate<ServerRequest> match) {
        return all().stream().filter(logged -> match.test(logged.request())).toList();
    }

    /** Returns how many of those that are kept match. */
    public long count(Predicate<ServerRequest> match) {
        return matching(match).size();
    }

    /** Returns the successful writes, oldest first: what somebody did to the cluster. */
    public List<LoggedRequest> writes() {
        return all().stream()
                .filter(logged -> logged.request().isWrite() && logged.status() / 100 == 2)
                .toList();
    }

    /** Returns the successful writes that match, oldest first, such as those of one user. */
    public List<LoggedRequest> writes(Predicate<ServerRequest> match) {
        return writes().stream().filter(logged -> match.test(logged.request())).toList();
    }

    /** Returns how many of the requests that are kept match, by verb and kind, such as {@code "patch Deployment"}. */
    public Map<String, Long> counts(Predicate<ServerRequest> match) {
        return matching(match).stream()
                .collect(Collectors.groupingBy(
                        logged ->
                                logged.request().verb() + " " + logged.request().kind(),
                        TreeMap::new,
                        Collectors.counting()));
    }

    /** Returns how many requests there were by verb and resource, such as {@code "patch pods"}; dropped ones included. */
    public Map<String, Long> counts() {
        lock.lock();
        try {
            return new TreeMap<>(counts);
        } finally {
            lock.unlock();
        }
    }

    /** Forgets everything. */
    public void clear() {
        lock.lock();
        try {
            latest.clear();
            counts.clear();
        } finally {
            lock.unlock();
        }
    }
}
