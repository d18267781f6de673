package io.github.reconciler4j.webhook.internal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class FailuresTests {

    private final Failures failures = new Failures();
    private final Logger logger = (Logger) LoggerFactory.getLogger(Failures.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void capture() {
        log.start();
        logger.addAppender(log);
        logger.setAdditive(false);
    }

    @AfterEach
    void release() {
        logger.detachAppender(log);
        logger.setAdditive(true);
    }

    @Test
    void failureWhenItComesFromAnotherPlaceHasAnotherIdAndIsLogged() {
        RuntimeException failure = new IllegalStateException("broken");
        String first = failures.log("/validate-widget", "The webhook failed", failure);
        String other = failures.log("/default-widget", "The webhook failed", failure);

        assertThat(other).isNotEqualTo(first);
        assertThat(failures.log("/validate-widget", "The webhook failed", failure))
                .isEqualTo(first);
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .satisfiesExactly(
                        line -> assertThat(line).contains("(error " + first + ")"),
                        line -> assertThat(line).contains("(error " + other + ")"));
    }
}
