package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.metrics.OperatorMetrics.Counter;
import io.github.reconciler4j.metrics.OperatorMetrics.Registration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is measured of one kind. Labels: {@code kind} is the resource, for instance {@code deployments.apps}. */
final class KindMetrics {

    private static final Logger LOG = LoggerFactory.getLogger(KindMetrics.class);
    private static final String PREFIX = "reconciler4j_cache_";

    private final OperatorMetrics metrics;
    private final String kind;
    private final List<Registration> gauges = new CopyOnWriteArrayList<>();
    private final Map<Change.Type, Counter> events = new EnumMap<>(Change.Type.class);
    private final Map<Restart, Counter> restarts = new EnumMap<>(Restart.class);
    private final Counter lists;
    private final Counter watches;
    private final Counter listedObjects;
    private final Counter decodeFailures;
    private volatile long lastEvent;

    /** Why a watch had to be opened anew, or a list asked for again. */
    enum Restart {
        /** The watch reached its age. */
        ENDED,
        /** Nothing was heard for too long. */
        IDLE,
        /** The server no longer had the version. */
        GONE,
        /** The right, the kind or the credentials were missing. */
        REFUSED,
        /** The connection broke, or the server failed. */
        FAILED
    }

    KindMetrics(OperatorMetrics metrics, String kind) {
        this.metrics = metrics;
        this.kind = kind;
        lists = counter("lists_total", "Lists read completely");
        listedObjects = counter("listed_objects_total", "Objects that came in lists");
        watches = counter("watches_total", "Watches opened");
        decodeFailures = counter("decode_failures_total", "Reads of objects that do not fit their class");
        for (Change.Type type : Change.Type.values()) {
            events.put(type, counter("changes_total", "Changes of objects in the cache", "type", lower(type)));
        }
        for (Restart reason : Restart.values()) {
            restarts.put(reason, counter("watch_restarts_total", "Watches that went on anew", "reason", lower(reason)));
        }
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private Counter counter(String name, String help, String... labels) {
        Counter counter = metrics.counter(PREFIX + name, help, with(labels));
        return amount -> {
            try {
                counter.add(amount);
            } catch (Throwable e) { // a failing backend must not keep changes out
                LOG.debug("A counter of {} failed: {}", kind, e.getClass().getName());
            }
        };
    }

    private String[] with(String... labels) {
        String[] all = new String[labels.length + 2];
        all[0] = "kind";
        all[1] = kind;
        System.arraycopy(labels, 0, all, 2, labels.length);
        return all;
    }

    private Registration gauge(String name, String help, DoubleSupplier value, String... labels) {
        Registration gauge = metrics.gauge(PREFIX + name, help, value, with(labels));
        gauges.add(gauge);
        return gauge;
    }

    /** When a watch brought anything last, in {@link System#nanoTime}; 0 if none did. */
    long lastEvent() {
        return lastEvent;
    }

    /** Reports the state of a kind from now on. */
    void follow(Supplier<KindCache> kind) {
        gauge("objects", "Objects in the cache", () -> kind.get().store().size());
        gauge(
                "body_bytes",
                "Bytes of the bodies of objects in the cache, as they are kept",
                () -> kind.get().store().bodyBytes());
        gauge(
                "header_bytes",
                "Bytes of the headers of objects in the cache, estimated",
                () -> kind.get().store().headerBytes());
        gauge(
                "bad_objects",
                "Objects that do not fit the class they were read into",
                () -> kind.get().undecodableObjects().size());
        gauge(
                "own_writes",
                "Objects whose own writes are laid over the cache until its watch has passed them",
                () -> kind.get().ownWritesLeft());
        gauge(
                "synced",
                "1 if the first list has been taken in completely",
                () -> kind.get().hasSynced() ? 1 : 0);
        gauge(
                "blocked",
                "1 if the kind, a right to it or accepted credentials are missing",
                () -> kind.get().state().requiresAction() ? 1 : 0);
        gauge(
                "sync_seconds",
                "Time from the beginning of the watch to the first complete list",
                () -> secondsToSync(kind.get().state()));
        gauge(
                "lag_seconds",
                "The longest time a change has been waiting in a subscription",
                () -> kind.get().feed().lagSeconds());
        gauge("last_event_age_seconds", "Time since a watch brought anything, a bookmark included", this::eventAge);
    }

    private static double secondsToSync(SyncState state) {
        return state.syncedAt() == 0 ? 0 : seconds(state.syncedAt() - state.startedAt());
    }

    private double eventAge() {
        return lastEvent == 0 ? 0 : seconds(System.nanoTime() - lastEvent);
    }

    private static double seconds(long nanos) {
        return nanos / (double) TimeUnit.SECONDS.toNanos(1);
    }

    /** Reports the state of a subscription until the registration is closed. */
    Registration follow(String subscription, SubscriptionQueue queue) {
        Registration depth = gauge(
                "subscription_depth",
                "Objects whose changes a subscription has yet to tell",
                queue::depth,
                "subscription",
                subscription);
        Registration lag = gauge(
                "subscription_lag_seconds",
                "How long the oldest change has been waiting in a subscription",
                queue::lagSeconds,
                "subscription",
                subscription);
        return () -> {
            close(depth);
            close(lag);
        };
    }

    private void close(Registration gauge) {
        gauges.remove(gauge);
        gauge.close();
    }

    void listed(int objects) {
        lists.increment();
        listedObjects.add(objects);
    }

    void watchOpened() {
        watches.increment();
    }

    void heard() {
        lastEvent = System.nanoTime();
    }

    void changed(List<Change> changes) {
        for (Change change : changes) {
            events.getOrDefault(change.type(), amount -> {}).increment();
        }
    }

    void restarted(Restart reason) {
        restarts.getOrDefault(reason, amount -> {}).increment();
    }

    void decodeFailed() {
        decodeFailures.increment();
    }

    /** Ends all gauges. */
    void close() {
        gauges.forEach(Registration::close);
        gauges.clear();
    }
}
