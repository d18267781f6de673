package io.github.reconciler4j.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.RecordingSink;
import io.github.reconciler4j.fixtures.RecordingSink.Added;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.source.RequestSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A source between its start and its close. */
class RunningSourceTests {

    private static final Trigger TRIGGER = Trigger.external("source");

    private final RecordingSink<String> queue = new RecordingSink<>("controller");
    private final List<String> calls = new ArrayList<>();
    private final Source source = new Source();
    private final RunningSource<String> running = new RunningSource<>(source, queue);

    /** Notes its calls, and answers what the test says. */
    private final class Source implements RequestSource<String>, RequestSource.Running {

        private @Nullable RequestSink<String> sink;
        private @Nullable Throwable failure;
        private Runnable during = () -> {};

        @Override
        public String name() {
            return "source";
        }

        @Override
        public Running start(RequestSink<String> target) throws Exception {
            calls.add("start");
            sink = target;
            during.run();
            failIfAsked();
            return this;
        }

        private void failIfAsked() {
            if (failure != null) {
                RunningSourceTests.<RuntimeException>sneak(failure);
            }
        }

        @Override
        public void awaitSync(Duration timeout) {
            calls.add("await " + timeout);
        }

        @Override
        public String notReadyReason() {
            failIfAsked();
            return "no right";
        }

        @Override
        public int undelivered() {
            failIfAsked();
            return 3;
        }

        @Override
        public boolean isAlive() {
            failIfAsked();
            return false;
        }

        @Override
        public void close() {
            calls.add("close");
            failIfAsked();
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable failure) throws T {
        throw (T) failure;
    }

    @AfterEach
    void useFromAnotherThread() throws Exception {
        CompletableFuture.runAsync(running::isAlive).get(60, TimeUnit.SECONDS); // no lock is left
    }

    @Test
    void startStartsTheSourceOnce() throws Exception {
        running.start();
        running.start();
        assertThat(calls).containsExactly("start");
        assertThat(running.source()).isSameAs(source);
    }

    @Test
    void startThrowsWhatTheSourceThrows() {
        for (Throwable failure : List.of(
                new java.io.IOException("no way"), new NoClassDefFoundError("driver"), new InterruptedException())) {
            Source failing = new Source();
            failing.failure = failure;
            RunningSource<String> broken = new RunningSource<>(failing, queue);
            assertThat(catchThrowable(broken::start)).isSameAs(failure);
            assertThat(catchThrowable(broken::start)).as("for each caller").isSameAs(failure);
        }
        source.failure = new Throwable("neither an exception nor an error");
        assertThatThrownBy(running::start)
                .isInstanceOf(ExecutionException.class)
                .hasCause(source.failure);
    }

    @Test
    void awaitSyncWaitsForTheSourceWithThisTimeout() throws Exception {
        assertThat(running.isSynced()).isFalse();
        running.start();
        assertThat(running.isSynced()).isFalse();
        running.awaitSync(Duration.ofSeconds(7));
        assertThat(calls).containsExactly("start", "await PT7S");
        assertThat(running.isSynced()).isTrue();
    }

    @Test
    void awaitSyncWhenItHasNotStartedHasNothingToWaitFor() throws Exception {
        running.awaitSync(Duration.ofSeconds(7));
        assertThat(calls).isEmpty();
        assertThat(running.isSynced()).isTrue();
    }

    @Test
    void reportsAreThoseOfTheSourceOnceItHasStarted() throws Exception {
        assertThat(running.notReadyReason()).isEmpty();
        assertThat(running.undelivered()).isZero();
        assertThat(running.isAlive()).isTrue();
        running.start();
        assertThat(running.notReadyReason()).isEqualTo("no right");
        assertThat(running.undelivered()).isEqualTo(3);
        assertThat(running.isAlive()).isFalse();
        running.awaitSync(Duration.ZERO);
        assertThat(running.notReadyReason())
                .as("what it lacked does not matter")
                .isEmpty();
    }

    @Test
    void reportsWhenTheSourceCannotAnswerAreGoodAndLogged() throws Exception {
        running.start();
        source.failure = new NoClassDefFoundError("broken");
        try (CapturedLog log = CapturedLog.of(RunningSource.class.getName())) {
            assertThat(running.notReadyReason()).isEmpty();
            assertThat(running.undelivered()).isZero();
            assertThat(running.isAlive()).isTrue();
            assertThat(log.lines(Level.WARN)).containsExactly("WARN Source source could not report its state +stack");
        }
    }

    @Test
    void addWhenOpenReachesTheQueue() throws Exception {
        running.start();
        assertThat(source.sink.name()).isEqualTo("controller");
        source.sink.add("a", Duration.ofSeconds(5), 9, TRIGGER);
        assertThat(queue.added()).containsExactly(new Added<>("a", Duration.ofSeconds(5), 9, TRIGGER));
        running.close();
        source.sink.add("b", Duration.ZERO, 0, TRIGGER);
        assertThat(queue.requests()).as("closed").containsExactly("a");
    }

    @Test
    void closeClosesTheSource() throws Exception {
        running.start();
        assertThat(calls).containsExactly("start");
        running.close();
        assertThat(calls).containsExactly("start", "close");
    }

    @Test
    void closeBeforeTheStartClosesTheSourceAsSoonAsItHasStarted() throws Exception {
        running.close();
        assertThat(calls).isEmpty();
        running.start();
        assertThat(calls).containsExactly("start", "close");
    }

    @Test
    void closeDuringTheStartClosesTheSourceOnce() throws Exception {
        source.during = running::close;
        running.start();
        assertThat(calls).containsExactly("start", "close");
    }

    @Test
    void closeWhenTheSourceFailsIsLogged() throws Exception {
        running.start();
        source.failure = new NoClassDefFoundError("broken");
        try (CapturedLog log = CapturedLog.of(RunningSource.class.getName())) {
            running.close();
            assertThat(log.lines(Level.WARN)).containsExactly("WARN Source source could not close +stack");
        }
    }
}
