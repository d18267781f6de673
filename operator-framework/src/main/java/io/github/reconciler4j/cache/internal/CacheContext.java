package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.connection.ApiConnection;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/**
 * What all kinds of one cache share.
 *
 * @param connection the way to the server
 * @param options the settings
 * @param pool shares strings between all kinds
 * @param zip compresses bodies
 * @param timer does short work later; its thread begins with the first of it
 */
record CacheContext(
        ApiConnection connection,
        Discovery discovery,
        CacheOptions options,
        StringPool pool,
        ZipPool zip,
        ScheduledExecutorService timer) {

    static CacheContext create(ApiConnection connection, CacheOptions options) {
        return new CacheContext(
                connection, Discovery.of(connection), options, new StringPool(), new ZipPool(), newTimer());
    }

    private static ScheduledExecutorService newTimer() {
        ScheduledThreadPoolExecutor timer =
                new ScheduledThreadPoolExecutor(1, work -> Threads.unstarted("cache-timer", work));
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
