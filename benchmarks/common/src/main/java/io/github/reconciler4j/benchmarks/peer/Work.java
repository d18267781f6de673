package io.github.reconciler4j.benchmarks.peer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The work that a peer has to do, and its reports to the driver. A peer calls {@link #synced} or, at the end of each
 * reconciliation, {@link #reconciled}. The driver reads {@code MARK NAME PROCESSOR_NANOS ALLOCATED_BYTES} from the standard output, writes
 * commands to the standard input ({@code heap}, {@code latencies}, {@code allocated}), and ends the process by closing it. Thread-safe.
 */
public final class Work {

    /** What the text of {@code spec.host} starts with if it contains the time of its write in microseconds. */
    private static final String WRITTEN_AT = "at-";

    private static final int WORKERS = 10;
    private static final String CONTROLLERS = "CONTROLLERS";
    private static final int COLLECTIONS = 3;

    private final Kind kind;
    private final int count;
    private final String objects;
    private final LongSupplier processorTime;
    private final LongSupplier allocated;
    private final AtomicLong runs = new AtomicLong();
    private final Set<String> converged = ConcurrentHashMap.newKeySet();
    private final Map<String, String> seen = new ConcurrentHashMap<>();
    private final AtomicInteger latencyCount = new AtomicInteger();
    private final long[] latencies;

    /** What is measured. */
    public enum Kind {
        /** From the start of the process until all objects are cached. */
        CACHE,
        /** From the start of the process until the only object is reconciled for the first time. */
        START,
        /** From the start of the process until each controller has reconciled each object. */
        FIRST,
        /** All objects are queued; one worker reads each and does nothing. */
        DRAIN,
        /** As {@code DRAIN}, with ten workers. */
        DRAIN10,
        /** Each reconciliation reads its object and asks to be called again after a millisecond. */
        RECONCILE,
        /** As {@code RECONCILE}, and each applies a ConfigMap that is as it should be already, except for the first time. */
        APPLY,
        /** As {@code APPLY}, but the ConfigMap is another one each time. */
        WRITE,
        /** The driver writes; each write is reconciled. */
        EVENTS,
        /** Each object gets an owned ConfigMap and a status. */
        CONVERGE
    }

    private Work(Kind kind, int count, String objects) {
        this.kind = kind;
        this.count = count;
        this.objects = objects;
        boolean isInterval = kind == Kind.DRAIN || kind == Kind.DRAIN10 || isRepeated();
        this.processorTime = isInterval ? processorTime() : () -> 0;
        this.allocated = isInterval ? Work::allocated : () -> 0;
        this.latencies = new long[kind == Kind.EVENTS ? 1_000_000 : 0];
    }

    /**
     * Return the work that the driver wants, and start to listen to its commands.
     *
     * @param arguments the kind in lower case, how many objects (or reconciliations), and {@code CUSTOM} or
     *     {@code CONFIG_MAP}
     */
    public static Work of(String... arguments) {
        Work work = new Work(
                Kind.valueOf(arguments[0].toUpperCase(java.util.Locale.ROOT)),
                Integer.parseInt(arguments[1]),
                arguments[2]);
        // Otherwise the driver waits for a peer whose main thread has failed.
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {
            error.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        new Thread(work::listen, "driver").start();
        return work;
    }

    /** Return what is measured. */
    public Kind kind() {
        return kind;
    }

    /** Return whether the objects are ConfigMaps, not custom resources. */
    public boolean isAboutConfigMaps() {
        return objects.equals("CONFIG_MAP");
    }

    /** Return whether each reconciliation applies a ConfigMap with {@link #version}. */
    public boolean isApplied() {
        return kind == Kind.APPLY || kind == Kind.WRITE;
    }

    /** Return whether objects own ConfigMaps. */
    public boolean isWithConfigMaps() {
        return kind == Kind.CONVERGE || isApplied();
    }

    /** Return the text that the ConfigMap of an object is to contain now. */
    public String version() {
        return kind == Kind.WRITE ? Long.toString(runs.get()) : "1";
    }

    private boolean isRepeated() {
        return kind == Kind.RECONCILE || isApplied();
    }

    /** Return how many reconciliations may run at once. */
    public int workers() {
        return kind == Kind.DRAIN ? 1 : WORKERS;
    }

    /** Return how many controllers reconcile the objects: the environment says so, and one without it. */
    public int controllers() {
        String controllers = System.getenv(CONTROLLERS);
        return controllers == null ? 1 : Integer.parseInt(controllers);
    }

    /** Take note that all objects are cached. */
    public void synced() {
        if (kind == Kind.CACHE) {
            mark("done");
        }
    }

    /**
     * Take note of a reconciliation.
     *
     * @param host the field {@code spec.host} of the object
     * @return whether the object is to be reconciled again after a millisecond
     */
    public boolean reconciled(String namespace, String name, @Nullable String host) {
        long run = runs.incrementAndGet();
        switch (kind) {
            case CACHE -> {}
            case START -> markAt(run, 1, "done");
            case FIRST -> markAt(run, (long) count * controllers(), "done");
            case DRAIN, DRAIN10 -> markBetween(run, 1, count);
            case RECONCILE, APPLY, WRITE -> markBetween(run, count, 2L * count);
            case EVENTS -> {
                takeLatency(namespace + "/" + name, host, run > count);
                markAt(run, count, "first");
            }
            case CONVERGE -> {
                if (converged.add(namespace + "/" + name) && converged.size() == count) {
                    mark("done");
                }
            }
        }
        return isRepeated() && run < 2L * count;
    }

    private void markBetween(long run, long first, long last) {
        markAt(run, first, "first");
        markAt(run, last, "done");
    }

    /** The first reconciliation of each object is about a write of an earlier run. */
    private void takeLatency(String key, @Nullable String host, boolean isCounted) {
        if (host != null && host.startsWith(WRITTEN_AT) && !host.equals(seen.put(key, host)) && isCounted) {
            int index = latencyCount.getAndIncrement();
            if (index < latencies.length) {
                latencies[index] = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now())
                        - Long.parseLong(host, WRITTEN_AT.length(), host.length(), 10);
            }
        }
    }

    private void markAt(long run, long wanted, String name) {
        if (run == wanted) {
            mark(name);
        }
    }

    private void mark(String name) {
        System.out.println("MARK " + name + " " + processorTime.getAsLong() + " " + allocated.getAsLong());
    }

    private static LongSupplier processorTime() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system::getProcessCpuTime;
    }

    private void listen() {
        try (BufferedReader commands =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
            for (String command = commands.readLine(); command != null; command = commands.readLine()) {
                System.out.println(
                        switch (command) {
                            case "heap" -> "HEAP " + heap();
                            case "allocated" -> "ALLOCATED " + allocated();
                            case "latencies" -> "LATENCIES " + percentiles();
                            default -> throw new IllegalArgumentException(command);
                        });
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        System.exit(0);
    }

    /** The bytes that the threads which live now have allocated so far. */
    private static long allocated() {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
                .filter(bytes -> bytes > 0)
                .sum();
    }

    private static long heap() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** How many, median and 99th percentile in microseconds. */
    private String percentiles() {
        int size = Math.min(latencyCount.get(), latencies.length);
        if (size == 0) {
            return "0 0 0";
        }
        long[] sorted = Arrays.copyOf(latencies, size);
        Arrays.sort(sorted);
        return size + " " + sorted[size / 2] + " " + sorted[(int) (size * 0.99)];
    }
}
