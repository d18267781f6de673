package io.github.reconciler4j.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Processor time and memory of another process. Needs Linux. */
final class ProcessCost {

    private final ProcessHandle process;

    ProcessCost(long pid) {
        this.process = ProcessHandle.of(pid).orElseThrow(() -> new IllegalStateException("No process " + pid));
    }

    double processorSeconds() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1e3;
    }

    /** The resident memory in MB. */
    long memory() {
        return status("VmRSS:");
    }

    /** The peak of the resident memory in MB. */
    long peakMemory() {
        return status("VmHWM:");
    }

    private long status(String field) {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
                    .filter(line -> line.startsWith(field))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
