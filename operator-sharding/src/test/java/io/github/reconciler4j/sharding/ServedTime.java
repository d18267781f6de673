package io.github.reconciler4j.sharding;

import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ApiException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Time in which the machine and the API server work: a thread sends small requests and pauses for a moment between them. A turn that takes
 * longer than it should, since the server is away or the processors are taken, counts for no more than a turn may take. So what waits
 * for a time of this clock does so although others are served.
 */
final class ServedTime {

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONGEST_TURN = TimeUnit.MILLISECONDS.toNanos(100);

    private static final ApiRequest PROBE =
            ApiRequest.of("get", "GET", "/api/v1/namespaces/default").withTimeout(Duration.ofSeconds(1));

    private final ApiConnection connection;
    private final AtomicLong nanos = new AtomicLong();
    private final Thread thread = new Thread(this::run, "served-time");
    private volatile boolean closed;

    ServedTime(ApiConnection connection) {
        this.connection = connection;
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        long last = System.nanoTime();
        while (!closed) {
            boolean served = isServed();
            LockSupport.parkNanos(PAUSE);
            long now = System.nanoTime();
            if (served) {
                nanos.addAndGet(Math.min(now - last, LONGEST_TURN));
            }
            last = now;
        }
    }

    private boolean isServed() {
        try {
            connection.send(PROBE);
            return true;
        } catch (ApiException e) {
            return false;
        }
    }

    long nanoTime() {
        return nanos.get();
    }

    void end() throws InterruptedException {
        closed = true;
        thread.join();
    }
}
