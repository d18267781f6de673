package io.github.reconciler4j.cache.internal.metrics;

import io.github.reconciler4j.cache.internal.storage.Change;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.metrics.OperatorMetrics.Counter;
import io.github.reconciler4j.metrics.OperatorMetrics.Histogram;
import io.github.reconciler4j.metrics.OperatorMetrics.Registration;
import io.github.reconciler4j.scheme.KindInfo;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The metrics of one kind. Their label {@code kind} is the resource, for instance {@code deployments.apps}. A backend that
 * fails never fails the caller. Thread-safe.
 *
 * @since 0.1.0
 */
public final class KindMetrics {

    private static final Logger LOG = LoggerFactory.getLogger(KindMetrics.class);
    private static final String PREFIX = "reconciler4j_cache_";
    private static final double[] PROCESSING_BUCKETS = {0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};

    private final OperatorMetrics metrics;
    private final String kind;
    private final List<Registration> gauges = new CopyOnWriteArrayList<>();
    private final Map<Change.Type, Counter> changes = new EnumMap<>(Change.Type.class);
    private final Map<Restart, Counter> restarts = new EnumMap<>(Restart.class);
    private final Counter lists;
    private final Counter watches;
    private final Counter listedObjects;
    private final Counter decodeFailures;
    private final Counter filtered;
    private final String[] informer;
    private final Histogram processing;

    /** Why a watch was resumed or a list repeated. */
    public enum Restart {
        /** The watch reached its lifetime. */
        ENDED,
        /** Nothing was received for too long. */
        IDLE,
        /** The API server no longer had the version. */
        GONE,
        /** The kind, a permission or accepted credentials were missing. */
        REFUSED,
        /** The connection broke, or the API server failed. */
        FAILED
    }

    /** Create the metrics of a kind. */
    public KindMetrics(OperatorMetrics metrics, KindInfo info) {
        this.metrics = metrics;
        this.kind = info.resource();
        lists = counter("lists_total", "Lists read completely");
        listedObjects = counter("listed_objects_total", "Objects received in lists");
        watches = counter("watches_total", "Watches opened");
        filtered = counter("filtered_objects_total", "Objects received that belong to parts of other processes");
        decodeFailures = counter("decode_failures_total", "Reads of objects that do not fit their class");
        for (Change.Type type : Change.Type.values()) {
            if (type != Change.Type.BODY) {
                changes.put(type, counter("changes_total", "Changes of objects in the cache", "type", lower(type)));
            }
        }
        for (Restart reason : Restart.values()) {
            restarts.put(
                    reason,
                    counter("watch_restarts_total", "Watches that were resumed or restarted", "reason", lower(reason)));
        }
        informer = new String[] {
            "name", "reconciler4j",
            "group", info.kind().group(),
            "version", info.kind().version(),
            "resource", info.plural()
        };
        processing = metrics.histogram(
                "informer_processing_latency_seconds",
                "Time that a listener took to process a change",
                PROCESSING_BUCKETS,
                informer);
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

    /** Report a value until {@link #close}. */
    public void gauge(String name, String help, DoubleSupplier value) {
        register(name, help, value);
    }

    /**
     * Report what client-go reports of an informer, until {@link #close}.
     *
     * @param queued how many objects have changes that are not delivered yet
     * @param version the resource version up to which everything is in the store
     */
    public void informer(DoubleSupplier queued, DoubleSupplier version) {
        gauges.add(metrics.gauge(
                "informer_queued_items", "Objects with changes that are not delivered yet", queued, informer));
        gauges.add(metrics.gauge(
                "informer_store_resource_version",
                "The 15 least significant digits of the resource version of the store",
                version,
                informer));
    }

    /** Record that so many objects were received that belong to other parts. */
    public void filtered(int objects) {
        if (objects > 0) {
            filtered.add(objects);
        }
    }

    /** Record how long a listener took to process one change. */
    public void processed(long nanos) {
        processing.record(nanos / 1e9);
    }

    private Registration register(String name, String help, DoubleSupplier value, String... labels) {
        Registration gauge = metrics.gauge(PREFIX + name, help, value, with(labels));
        gauges.add(gauge);
        return gauge;
    }

    /**
     * Report the state of a subscription until the registration is closed.
     *
     * @param depth how many objects wait
     * @param lag how long the oldest change has been waiting, in seconds
     */
    public Registration subscription(String subscription, DoubleSupplier depth, DoubleSupplier lag) {
        Registration first = register(
                "subscription_depth",
                "Objects whose changes are not delivered to a subscription yet",
                depth,
                "subscription",
                subscription);
        Registration second = register(
                "subscription_lag_seconds",
                "How long the oldest change has been waiting in a subscription",
                lag,
                "subscription",
                subscription);
        return () -> {
            close(first);
            close(second);
        };
    }

    private void close(Registration gauge) {
        gauges.remove(gauge);
        gauge.close();
    }

    /** Count a list that was read completely. */
    public void listed(int objects) {
        lists.increment();
        listedObjects.add(objects);
    }

    /** Count a watch that was opened. */
    public void watchOpened() {
        watches.increment();
    }

    /** Count changes of objects. */
    public void changed(List<Change> applied) {
        for (Change change : applied) {
            Counter counter = changes.get(change.type());
            if (counter != null) {
                counter.increment();
            }
        }
    }

    /** Count a watch that was resumed or a list that was repeated. */
    public void restarted(Restart reason) {
        restarts.getOrDefault(reason, amount -> {}).increment();
    }

    /** Count a read of an object that does not fit its class. */
    public void decodeFailed() {
        decodeFailures.increment();
    }

    /** End all gauges. */
    public void close() {
        gauges.forEach(Registration::close);
        gauges.clear();
    }
}
