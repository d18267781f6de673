package io.github.reconciler4j.webhook.internal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.metrics.OperatorMetrics;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

@Timeout(60)
class DispatcherTests {

    /** An endpoint whose calls end by an interrupt only. */
    private record Stuck(String path) implements Endpoint {

        @Override
        public boolean isConversion() {
            return false;
        }

        @Override
        public ObjectNode respond(ObjectNode review) throws InterruptedException {
            new CountDownLatch(1).await();
            return review;
        }
    }

    @Test
    void dispatchWhenCallsTakeTooLongLogsOneLineWhateverTheClientsWaitFor() throws InterruptedException {
        Logger logger = (Logger) LoggerFactory.getLogger(Dispatcher.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try (Dispatcher dispatcher =
                new Dispatcher(List.of(new Stuck("/one"), new Stuck("/two")), OperatorMetrics.NONE, false)) {
            for (int millis = 2; millis <= 8; millis += 2) {
                assertThat(dispatcher.dispatch("/one", Duration.ofMillis(millis), new byte[] {'{', '}'}))
                        .extracting(Dispatcher.Answer::status)
                        .isEqualTo(504);
            }
            dispatcher.dispatch("/two", Duration.ofMillis(2), new byte[] {'{', '}'});
        } finally {
            logger.detachAppender(lines);
        }
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "A call of the webhook /one was interrupted because it took 1 ms",
                        "A call of the webhook /two was interrupted because it took 1 ms");
    }
}
