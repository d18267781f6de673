package io.github.reconciler4j.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.controller.internal.SourceSink.Triggers;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.source.RequestSource;
import io.github.reconciler4j.workqueue.WorkItem;
import io.github.reconciler4j.workqueue.WorkQueue;
import io.github.reconciler4j.workqueue.WorkQueueOptions;
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

    private final WorkQueue<String> queue =
            WorkQueue.create(WorkQueueOptions.<String>defaults("test").withTimeSource(new ManualTimeSource()));

    private final Triggers<String> triggers = new Triggers<>();
    private final List<String> calls = new ArrayList<>();
    private final Source source = new Source();
    private final RunningSource<String> running = new RunningSource<>(source, TestSinks.create(queue, triggers));

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
            RunningSource<String> broken = new RunningSource<>(failing, TestSinks.create(queue, triggers));
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
        RequestSink<String> sink = source.sink;
        assertThat(sink.name()).isEqualTo("controller");
        sink.add("a", Duration.ofSeconds(5), 9, TRIGGER);
        assertThat(queue.poll()).as("delayed").isNull();
        assertThat(queue.snapshot().delayed()).isEqualTo(1);
        assertThat(triggers.take("a")).containsExactly(TRIGGER);
        sink.add("b", 7);
        assertThat(queue.poll()).extracting(WorkItem::item, WorkItem::priority).containsExactly("b", 7);
        assertThat(triggers.take("b")).containsExactly(Trigger.external("controller"));
    }

    @Test
    void copiesForEventsHaveTheirDefaults() throws Exception {
        running.start();
        RequestSink<String> ofEvent = source.sink.with(-5, TRIGGER, "east");
        assertThat(ofEvent.name()).isEqualTo("controller");
        assertThat(ofEvent.cluster()).isEqualTo("east");
        assertThat(source.sink.cluster()).isEmpty();
        ofEvent.add("a");
        assertThat(queue.poll()).extracting(WorkItem::item, WorkItem::priority).containsExactly("a", -5);
        assertThat(triggers.take("a")).containsExactly(TRIGGER);
    }

    @Test
    void addWhenClosedIsIgnored() throws Exception {
        running.start();
        RequestSink<String> ofEvent = source.sink.with(0, TRIGGER);
        running.close();
        source.sink.add("b");
        ofEvent.add("c");
        assertThat(queue.size()).isZero();
        assertThat(triggers.take("b")).isEmpty();
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
