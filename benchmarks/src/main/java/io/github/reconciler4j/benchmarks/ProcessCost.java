package io.github.reconciler4j.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;

/** Processor time and memory of another process. Needs Linux. */
final class ProcessCost {

    private final ProcessHandle process;

    ProcessCost(long pid) {
        this.process = ProcessHandle.of(pid).orElseThrow(() -> new IllegalStateException("No process " + pid));
    }

    /**
     * What a process has done so far.
     *
     * @param switches how often its threads have lost a core, most of the times because they waited
     * @param reads calls that read from a file or a socket
     * @param writes calls that write; a TLS record that is sent is one
     */
    record Activity(long switches, long reads, long writes) {}

    /** What it has done so far; threads that have ended have no switches. */
    Activity activity() throws IOException {
        long switches = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(path("task"))) {
            for (Path thread : threads) {
                switches += sum(thread.resolve("status"), "_ctxt_switches:");
            }
        }
        return new Activity(switches, sum(path("io"), "syscr:"), sum(path("io"), "syscw:"));
    }

    /** Forget the peak of the resident memory. */
    void forgetPeak() throws IOException {
        Files.writeString(path("clear_refs"), "5");
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
            return sum(path("status"), field) / 1024;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path path(String name) {
        return Path.of("/proc", Long.toString(process.pid()), name);
    }

    /** The sum of the fields of a file whose names contain a text; 0 if the file is gone. */
    private static long sum(Path file, String field) throws IOException {
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> line.contains(field))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .sum();
        } catch (NoSuchFileException e) {
            return 0;
        }
    }
}
