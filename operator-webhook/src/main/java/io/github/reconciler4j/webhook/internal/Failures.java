package io.github.reconciler4j.webhook.internal;

import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs failures of user code under an ID that the user of the API gets instead of the failure. */
final class Failures {

    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);
    private static final int ID_LENGTH = 8;

    private Failures() {}

    /** Log a failure and return its ID. */
    static String log(String message, Throwable failure) {
        String id = UUID.randomUUID().toString().substring(0, ID_LENGTH);
        LOG.error("{} (error {})", message, id, failure);
        return id;
    }
}
