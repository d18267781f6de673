package io.github.reconciler4j.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * The metrics {@code process_cpu_seconds_total} and {@code process_resident_memory_bytes} of the Prometheus client libraries, which
 * dashboards for Go programs need. The latter exists on Linux only. Needs {@code micrometer-core}.
 *
 * <p>Thread-safe. Does not throw.
 *
 * <!-- snippet: MetricsUse -->
 * <pre>{@code
 * new ProcessMetrics().bindTo(registry);
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ProcessMetrics implements MeterBinder {

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String RESIDENT = "VmRSS:";
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int BYTES_PER_KILOBYTE = 1024;

    /** Create the metrics. {@link #bindTo} registers them. */
    public ProcessMetrics() {}

    @Override
    public void bindTo(MeterRegistry registry) {
        FunctionCounter.builder("process_cpu_seconds_total", this, process -> cpuSeconds())
                .description("Total user and system CPU time spent in seconds.")
                .register(registry);
        if (Files.isReadable(STATUS)) {
            Gauge.builder("process_resident_memory_bytes", ProcessMetrics::residentBytes)
                    .description("Resident memory size in bytes.")
                    .register(registry);
        }
    }

    private static double cpuSeconds() {
        return ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .map(Duration::toNanos)
                        .orElse(0L)
                / NANOS_PER_SECOND;
    }

    private static double residentBytes() {
        try (Stream<String> lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith(RESIDENT))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) * BYTES_PER_KILOBYTE)
                    .findFirst()
                    .orElse(Double.NaN);
        } catch (IOException e) {
            return Double.NaN;
        }
    }
}
