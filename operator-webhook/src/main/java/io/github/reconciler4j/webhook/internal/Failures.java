package io.github.reconciler4j.webhook.internal;

import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Texts;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.HexFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs failures of user code under an ID that the user of the API gets instead of the failure. Failures of one kind at one place
 * have the same ID, which is logged once a minute at most, and with a stack trace once an hour, because logs are rotated.
 */
final class Failures {

    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    private final LogLimiter lines;
    private final LogLimiter traces;

    Failures() {
        this(TimeSource.system());
    }

    Failures(TimeSource time) {
        lines = new LogLimiter(Duration.ofMinutes(1), time);
        traces = new LogLimiter(Duration.ofHours(1), time);
    }

    /**
     * Log a failure and return its ID.
     *
     * @param place what was called
     */
    String log(String place, String message, Throwable failure) {
        String cause = place + " " + LogLimiter.cause(failure);
        String text = Texts.escaped(message);
        String id = HexFormat.of().toHexDigits(cause.hashCode());
        lines.log(cause, line -> {
            boolean[] traced = {false};
            traces.log(cause, trace -> {
                LOG.error("{} (error {}){}", text, id, line.suffix(), Causes.loggable(failure));
                traced[0] = true;
            });
            if (!traced[0]) {
                LOG.error("{} (error {}): {}{}", text, id, Texts.of(failure), line.suffix());
            }
        });
        return id;
    }
}
