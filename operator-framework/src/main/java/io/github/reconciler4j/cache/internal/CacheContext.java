package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.cache.internal.json.StringInterner;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder.DeflaterPool;
import io.github.reconciler4j.cache.internal.watch.HeldParts;
import io.github.reconciler4j.cache.internal.watch.Reflector;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What all kinds of one cache share.
 *
 * @param options the options
 * @param reflectors what all reflectors share
 * @param deflaters compress bodies
 * @param timer runs short tasks later; its thread starts with the first of them
 * @param parts the parts that are held now
 */
record CacheContext(
        CacheOptions options,
        Reflector.Context reflectors,
        DeflaterPool deflaters,
        ScheduledExecutorService timer,
        AtomicReference<HeldParts> parts) {

    static CacheContext create(ApiConnection connection, CacheOptions options, TimeSource time) {
        Reflector.Context reflectors = new Reflector.Context(
                connection,
                Discovery.of(connection),
                options.watch(),
                new StringInterner(),
                time,
                new LogLimiter(Duration.ofMinutes(1), time));
        return new CacheContext(
                options,
                reflectors,
                new DeflaterPool(),
                Threads.timer("cache-timer"),
                new AtomicReference<>(HeldParts.initial(options.partition())));
    }

    /** Return the parts that are held now. */
    Partition held() {
        return Objects.requireNonNull(parts.get()).partition();
    }

    TimeSource time() {
        return reflectors.time();
    }

    LogLimiter log() {
        return reflectors.log();
    }

    /** Free what is kept outside the heap, and the thread of the timer. */
    void close() {
        timer.shutdownNow();
        deflaters.close();
    }
}
