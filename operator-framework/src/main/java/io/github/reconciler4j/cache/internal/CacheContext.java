package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/**
 * What all kinds of one cache share.
 *
 * @param connection the way to the server
 * @param options the settings
 * @param pool shares strings between all kinds
 * @param zip compresses bodies
 * @param timer does short work later; its thread starts with the first of it
 * @param time the clock
 * @param log limits what is logged repeatedly
 */
record CacheContext(
        ApiConnection connection,
        Discovery discovery,
        CacheOptions options,
        StringPool pool,
        ZipPool zip,
        ScheduledExecutorService timer,
        TimeSource time,
        LogLimiter log) {

    static CacheContext create(ApiConnection connection, CacheOptions options, TimeSource time) {
        return new CacheContext(
                connection,
                Discovery.of(connection),
                options,
                new StringPool(),
                new ZipPool(),
                newTimer(),
                time,
                new LogLimiter(Duration.ofMinutes(1), time));
    }

    private static ScheduledExecutorService newTimer() {
        ScheduledThreadPoolExecutor timer =
                new ScheduledThreadPoolExecutor(1, work -> Threads.create("cache-timer", work, true));
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        return timer;
    }

    /** Gives back what is kept outside the heap, and the timer's thread. */
    void close() {
        timer.shutdownNow();
        zip.close();
    }
}
