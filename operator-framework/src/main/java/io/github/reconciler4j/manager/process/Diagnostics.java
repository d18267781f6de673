package io.github.reconciler4j.manager.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.Semaphore;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;

/** What the JVM does at the moment, for a developer: its threads, and a recording of the JDK Flight Recorder. Thread-safe. */
final class Diagnostics {

    static final Duration DEFAULT_DURATION = Duration.ofSeconds(30);
    static final Duration MAX_DURATION = Duration.ofMinutes(5);
    private static final long MAX_BYTES = 64L * 1024 * 1024;

    private final Semaphore recordings = new Semaphore(1);

    /** Return the name, state and stack of each platform thread, in the order of the names. */
    static byte[] threads() {
        StringBuilder text = new StringBuilder();
        Thread.getAllStackTraces().entrySet().stream()
                .sorted(Comparator.comparing(
                        (Map.Entry<Thread, ?> entry) -> entry.getKey().getName()))
                .forEach(entry -> append(text, entry.getKey(), entry.getValue()));
        return text.toString().getBytes(UTF_8);
    }

    private static void append(StringBuilder text, Thread thread, StackTraceElement[] stack) {
        String name = thread.getName().replaceAll("\\p{Cntrl}", "?");
        text.append('"').append(name).append('"').append(thread.isDaemon() ? " daemon " : " ");
        text.append(thread.getState()).append('\n');
        for (StackTraceElement frame : stack) {
            text.append("    at ").append(frame).append('\n');
        }
        text.append('\n');
    }

    /** Return how long a query asks to record; null if it is not a number of seconds from 1 to 300. */
    static @Nullable Duration duration(@Nullable String query) {
        if (query == null || query.isEmpty()) {
            return DEFAULT_DURATION;
        }
        if (!query.matches("seconds=[1-9][0-9]{0,2}")) {
            return null;
        }
        Duration duration = Duration.ofSeconds(Long.parseLong(query.substring("seconds=".length())));
        return duration.compareTo(MAX_DURATION) > 0 ? null : duration;
    }

    /**
     * Record for a time, and return the recording.
     *
     * @return null if another recording is in progress
     * @throws IOException if the JVM cannot record
     * @throws InterruptedException if the thread is interrupted; the recording is discarded
     */
    byte @Nullable [] record(Duration duration) throws IOException, InterruptedException {
        if (!recordings.tryAcquire()) {
            return null;
        }
        try (Recording recording = new Recording(Configuration.getConfiguration("profile"))) {
            recording.setMaxSize(MAX_BYTES);
            recording.start();
            TimeSource.system().sleep(duration.toNanos());
            recording.stop();
            Path file = Files.createTempFile("reconciler4j", ".jfr");
            try {
                recording.dump(file);
                return Files.readAllBytes(file);
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (ParseException | IllegalStateException e) { // IllegalStateException: the JVM has no flight recorder
            throw new IOException("the JVM cannot record: " + e.getMessage(), e);
        } finally {
            recordings.release();
        }
    }
}
