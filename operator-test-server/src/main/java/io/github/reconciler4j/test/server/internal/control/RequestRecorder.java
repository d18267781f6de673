package io.github.reconciler4j.test.server.internal.control;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.test.request.LoggedRequest;
import io.github.reconciler4j.test.request.RequestLog;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/** Keeps the latest requests. Safe for use by multiple threads. */
public final class RequestRecorder implements RequestLog {
    private final int capacity;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Deque<LoggedRequest> latest = new ArrayDeque<>();

    /** By verb and resource. */
    @GuardedBy("lock")
    private final Map<String, Long> counts = new TreeMap<>();

    public RequestRecorder(int capacity) {
        this.capacity = capacity;
    }

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

    @Override
    public List<LoggedRequest> all() {
        lock.lock();
        try {
            return List.copyOf(latest);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Map<String, Long> counts() {
        lock.lock();
        try {
            return new TreeMap<>(counts);
        } finally {
            lock.unlock();
        }
    }

    @Override
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
