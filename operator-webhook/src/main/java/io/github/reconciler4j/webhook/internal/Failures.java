package io.github.reconciler4j.webhook.internal;

import io.github.reconciler4j.support.LogLimiter;
import java.util.HexFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs failures of user code under an ID that the user of the API gets instead of the failure. Failures of one kind at one place
 * have the same ID, which is logged once a minute at most.
 */
final class Failures {

    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    private final LogLimiter limiter = new LogLimiter();

    /**
     * Log a failure and return its ID.
     *
     * @param place what was called
     */
    String log(String place, String message, Throwable failure) {
        String cause = place + " " + LogLimiter.cause(failure);
        String id = HexFormat.of().toHexDigits(cause.hashCode());
        limiter.log(
                cause,
                occurrence -> LOG.error(
                        "{} (error {}){}", message, id, occurrence.suffix(failure), occurrence.trace(failure)));
        return id;
    }
}
