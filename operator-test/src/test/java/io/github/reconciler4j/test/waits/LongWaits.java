package io.github.reconciler4j.test.waits;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets the tests of all modules wait for a minute where they set no limit. Awaitility's default is 10 s, in which a busy machine can stand
 * still. A wait ends as soon as its condition holds, so that the limit costs time only if a test fails.
 */
public final class LongWaits implements BeforeAllCallback {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(LIMIT);
    }
}
