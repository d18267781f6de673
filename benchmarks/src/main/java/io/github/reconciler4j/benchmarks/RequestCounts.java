package io.github.reconciler4j.benchmarks;

import io.github.reconciler4j.metrics.OperatorMetrics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;

/** Counts the requests of a client by method and status, and nothing else. */
final class RequestCounts implements OperatorMetrics {

    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    @Override
    public Counter counter(String name, String help, String... labels) {
        if (!name.equals("rest_client_requests_total")) {
            return NONE.counter(name, help, labels);
        }
        List<String> known = List.of(labels);
        String method = known.get(known.indexOf("method") + 1);
        String code = known.get(known.indexOf("code") + 1);
        LongAdder count = counts.computeIfAbsent(method + " " + code, key -> new LongAdder());
        return amount -> count.add((long) amount);
    }

    @Override
    public Histogram histogram(String name, String help, double[] buckets, String... labels) {
        return NONE.histogram(name, help, buckets, labels);
    }

    @Override
    public Registration gauge(String name, String help, DoubleSupplier value, String... labels) {
        return NONE.gauge(name, help, value, labels);
    }

    /** How many requests there were. */
    long all() {
        return counts.values().stream().mapToLong(LongAdder::sum).sum();
    }

    /** How many answers had this status. */
    long withStatus(int status) {
        return counts.entrySet().stream()
                .filter(count -> count.getKey().endsWith(" " + status))
                .mapToLong(count -> count.getValue().sum())
                .sum();
    }

    /** How many requests wrote: all but those that read. */
    long writes() {
        return all()
                - counts.entrySet().stream()
                        .filter(count -> count.getKey().startsWith("GET "))
                        .mapToLong(count -> count.getValue().sum())
                        .sum();
    }

    @Override
    public String toString() {
        return new TreeMap<>(counts).toString();
    }
}
