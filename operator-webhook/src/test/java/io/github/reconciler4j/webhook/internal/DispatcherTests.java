package io.github.reconciler4j.webhook.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.webhook.internal.Dispatcher.Answer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
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
        public ObjectNode respond(ObjectNode review, CallWorkers work) throws InterruptedException {
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

    private static byte[] body(int size) {
        return ("{\"a\":\"" + "x".repeat(size) + "\"}").getBytes(StandardCharsets.UTF_8);
    }

    private static CompletableFuture<Integer> async(Dispatcher dispatcher, String path, byte[] body) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return dispatcher
                                .dispatch(path, Duration.ofSeconds(30), body)
                                .status();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                task -> new Thread(task).start());
    }

    /** Endpoint whose calls wait until they are released. */
    private static final class Gate implements Endpoint {
        private final boolean userCode;
        private final Semaphore entered = new Semaphore(0);
        private final CountDownLatch open = new CountDownLatch(1);

        Gate(boolean userCode) {
            this.userCode = userCode;
        }

        @Override
        public String path() {
            return "/gate";
        }

        @Override
        public boolean isConversion() {
            return false;
        }

        @Override
        public ObjectNode respond(ObjectNode review, CallWorkers work) throws Exception {
            if (userCode) {
                work.call(this::pass);
            } else {
                pass();
            }
            return review;
        }

        private void pass() throws InterruptedException {
            entered.release();
            open.await();
        }
    }

    private record Echo(String path) implements Endpoint {

        @Override
        public boolean isConversion() {
            return false;
        }

        @Override
        public ObjectNode respond(ObjectNode review, CallWorkers work) {
            return review;
        }
    }

    @Test
    void largeReviewsWhenManyTakeHalfOfTheProcessorsAtMost() throws Exception {
        int turns = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        Gate gate = new Gate(false);
        try (Dispatcher dispatcher = new Dispatcher(List.of(gate, new Echo("/echo")), OperatorMetrics.NONE, false)) {
            List<CompletableFuture<Integer>> calls = new ArrayList<>();
            for (int i = 0; i < turns; i++) {
                calls.add(async(dispatcher, "/gate", body(CallWorkers.LARGE)));
            }
            gate.entered.acquire(turns);

            Answer large = dispatcher.dispatch("/echo", Duration.ofMillis(100), body(CallWorkers.LARGE));
            Answer small = dispatcher.dispatch("/echo", Duration.ofSeconds(30), body(10));
            gate.open.countDown();

            assertThat(large.status()).isEqualTo(504);
            assertThat(small.status()).isEqualTo(200);
            assertThat(calls).allMatch(call -> call.join() == 200);
            assertThat(dispatcher
                            .dispatch("/echo", Duration.ofSeconds(30), body(CallWorkers.LARGE))
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void largeReviewsWhenTheCodeOfTheOperatorWaitsLetOthersTakeTheirTurn() throws Exception {
        Gate gate = new Gate(true);
        try (Dispatcher dispatcher = new Dispatcher(List.of(gate, new Echo("/echo")), OperatorMetrics.NONE, false)) {
            List<CompletableFuture<Integer>> calls = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                calls.add(async(dispatcher, "/gate", body(CallWorkers.LARGE)));
            }
            gate.entered.acquire(20);

            assertThat(dispatcher
                            .dispatch("/echo", Duration.ofSeconds(30), body(CallWorkers.LARGE))
                            .status())
                    .isEqualTo(200);
            gate.open.countDown();
            assertThat(calls).allMatch(call -> call.join() == 200);
        }
    }

    @Test
    void webhookWhenManyOfItsCallsIgnoreTheirInterruptGetsNoMoreUntilTheyEnd() throws Exception {
        Deaf deaf = new Deaf();
        try (Dispatcher dispatcher = new Dispatcher(List.of(deaf, new Echo("/echo")), OperatorMetrics.NONE, false)) {
            int status = 504;
            while (status == 504) {
                status = dispatcher
                        .dispatch("/deaf", Duration.ofMillis(20), body(1))
                        .status();
            }
            assertThat(status).isEqualTo(503);
            assertThat(dispatcher.overdue()).containsEntry("/deaf", Dispatcher.MAX_OVERDUE);
            assertThat(dispatcher
                            .dispatch("/echo", Duration.ofSeconds(30), body(1))
                            .status())
                    .isEqualTo(200);

            deaf.released.countDown();
            deaf.ended.await();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> dispatcher.overdue().isEmpty());
            assertThat(dispatcher
                            .dispatch("/deaf", Duration.ofSeconds(30), body(1))
                            .status())
                    .isEqualTo(200);
        }
    }

    /** Ignores interrupts until it is released. */
    private static final class Deaf implements Endpoint {
        final CountDownLatch released = new CountDownLatch(1);
        final CountDownLatch ended = new CountDownLatch(Dispatcher.MAX_OVERDUE);

        @Override
        public String path() {
            return "/deaf";
        }

        @Override
        public boolean isConversion() {
            return false;
        }

        @Override
        public ObjectNode respond(ObjectNode review, CallWorkers work) {
            while (released.getCount() > 0) {
                try {
                    released.await();
                } catch (InterruptedException e) {
                    // deaf
                }
            }
            ended.countDown();
            return review;
        }
    }
}
