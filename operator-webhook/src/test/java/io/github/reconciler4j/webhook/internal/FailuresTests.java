package io.github.reconciler4j.webhook.internal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class FailuresTests {

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(Failures.class);
    private Duration now = Duration.ofDays(1);
    private final Failures failures = new Failures(new TimeSource() {
        @Override
        public long nanoTime() {
            return now.toNanos();
        }

        @Override
        public Instant instant() {
            return Instant.EPOCH.plus(now);
        }
    });

    @BeforeEach
    void capture() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void release() {
        logger.detachAppender(log);
    }

    private String fail(String place) {
        return failures.log(place, "The webhook failed", new IllegalStateException("broken"));
    }

    /** The lines since the last call. */
    private List<String> lines() {
        List<String> lines = log.list.stream()
                .map(line -> line.getFormattedMessage() + (line.getThrowableProxy() == null ? "" : " +stack"))
                .toList();
        log.list.clear();
        return lines;
    }

    /** An object can have any text, which becomes part of what the code of the operator throws. */
    @Test
    void logWhenTextsHaveLinesStartsNoLineWithThem() {
        Throwable failure = new IllegalStateException("a\nFORGED", new IllegalArgumentException("b\r\nFORGED"));
        failures.log("/a", "Could not convert Widget x\nFORGED", failure);
        now = now.plusMinutes(2);
        failures.log("/a", "Could not convert Widget x\nFORGED", failure);
        assertThat(log.list)
                .hasSize(2)
                .allSatisfy(event -> assertThat(event.getFormattedMessage() + "\n"
                                + ThrowableProxyUtil.asString(event.getThrowableProxy()))
                        .contains("x\\nFORGED")
                        .doesNotContainPattern("\\R\\s*FORGED"));
    }

    @Test
    void logWhenAFailureLastsHasAStackTraceOnceAnHour() {
        String id = fail("/a");
        String line = "The webhook failed (error " + id + ")";
        assertThat(lines()).containsExactly(line + " +stack");

        assertThat(fail("/a")).isEqualTo(id);
        assertThat(lines()).isEmpty();

        now = now.plusMinutes(1);
        assertThat(fail("/a")).isEqualTo(id);
        assertThat(lines())
                .containsExactly(line + ": java.lang.IllegalStateException: broken (1 more since the last message)");

        now = now.plusMinutes(59);
        assertThat(fail("/a")).isEqualTo(id);
        assertThat(lines()).containsExactly(line + " +stack");
    }

    @Test
    void logWhenAnotherPlaceFailsHasAnIdAndAStackTraceOfItsOwn() {
        String id = fail("/a");
        assertThat(fail("/b")).isNotEqualTo(id);
        assertThat(lines()).hasSize(2).allMatch(line -> line.endsWith(" +stack"));
    }
}
