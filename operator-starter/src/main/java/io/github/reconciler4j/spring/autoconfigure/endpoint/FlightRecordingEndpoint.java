package io.github.reconciler4j.spring.autoconfigure.endpoint;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import jdk.jfr.Configuration;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;

/**
 * {@link WebEndpoint Web endpoint} that starts a recording of the JDK Flight Recorder and returns what it has recorded. A
 * recording can contain values of system properties and environment variables, so there is no access by default. One recording
 * at a time, of at most 64 MB. Thread-safe.
 *
 * @since 0.1.0
 */
@WebEndpoint(id = "reconciler4jrecording", defaultAccess = Access.NONE)
public class FlightRecordingEndpoint implements AutoCloseable {

    private static final String NAME = "reconciler4j";
    private static final long MAX_BYTES = 64L * 1024 * 1024;
    private static final Duration DEFAULT_DURATION = Duration.ofMinutes(1);
    private static final Duration MAX_DURATION = Duration.ofHours(1);
    private static final int CONFLICT = 409;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable Recording recording;

    /** Create the endpoint. Nothing is recorded. */
    public FlightRecordingEndpoint() {}

    /** The state of the recording. */
    record RecordingDescriptor(String state, String detail) {}

    /**
     * Start a recording that ends after the given duration.
     *
     * @param duration the duration, at most an hour; null for one minute
     * @return status 409 if a recording is running, 400 if the duration is not valid, 503 if the JVM cannot record
     */
    @WriteOperation
    public WebEndpointResponse<RecordingDescriptor> start(@Nullable Duration duration) {
        Duration wanted = duration == null ? DEFAULT_DURATION : duration;
        if (wanted.isNegative() || wanted.isZero() || wanted.compareTo(MAX_DURATION) > 0) {
            return answer(WebEndpointResponse.STATUS_BAD_REQUEST, "'duration' must be positive and at most an hour");
        }
        if (!FlightRecorder.isAvailable()) {
            return answer(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, "the JVM has no flight recorder");
        }
        lock.lock();
        try {
            if (recording != null && recording.getState() == RecordingState.RUNNING) {
                return answer(CONFLICT, "a recording is running");
            }
            discard();
            recording = started(wanted);
            return answer(WebEndpointResponse.STATUS_OK, "recording for " + wanted);
        } catch (IOException | ParseException e) {
            return answer(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, e.toString());
        } finally {
            lock.unlock();
        }
    }

    private static Recording started(Duration duration) throws IOException, ParseException {
        Recording started = new Recording(Configuration.getConfiguration("profile"));
        started.setName(NAME);
        started.setMaxSize(MAX_BYTES);
        started.setDuration(duration);
        started.start();
        return started;
    }

    /** Return what was recorded so far, for {@code jfr print} or JDK Mission Control; status 404 without a recording. */
    @ReadOperation(produces = "application/octet-stream")
    public WebEndpointResponse<Resource> read() throws IOException {
        lock.lock();
        try {
            if (recording == null) {
                return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
            }
            Path file = Files.createTempFile(NAME, ".jfr");
            try {
                recording.dump(file);
                return new WebEndpointResponse<>(new ByteArrayResource(Files.readAllBytes(file)));
            } finally {
                Files.deleteIfExists(file);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Stop the recording and discard what was recorded. Does nothing without one. */
    @DeleteOperation
    public void stop() {
        lock.lock();
        try {
            discard();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void discard() {
        if (recording != null) {
            recording.close();
            recording = null;
        }
    }

    @Override
    public void close() {
        stop();
    }

    private static WebEndpointResponse<RecordingDescriptor> answer(int status, String detail) {
        String state = status == WebEndpointResponse.STATUS_OK ? "running" : "refused";
        return new WebEndpointResponse<>(new RecordingDescriptor(state, detail), status);
    }
}
