package io.github.reconciler4j.client.internal;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the server's warnings, each text once. Safe for use by many threads. */
final class WarningLog {

    private static final Logger logger = LoggerFactory.getLogger("io.github.reconciler4j.client.warnings");
    private static final int MOST = 1000;

    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    void log(String what, List<String> warnings) {
        for (String warning : warnings) {
            if (seen.size() < MOST && seen.add(warning)) {
                logger.warn("The API server warns ({}): {}", what, warning);
            }
        }
    }
}
