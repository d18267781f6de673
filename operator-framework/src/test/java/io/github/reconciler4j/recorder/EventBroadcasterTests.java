package io.github.reconciler4j.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.client.WorkScope;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.fixtures.BrokenMetrics;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.FailingTimeSource;
import io.github.reconciler4j.fixtures.LiveThreads;
import io.github.reconciler4j.metrics.OperatorMetrics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EventBroadcasterTests {

    private final RecordingSink sink = new RecordingSink();
    private EventBroadcaster broadcaster = broadcaster(EventOptions.defaults());
    private final ConfigMap object = new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("ns")
            .withName("object")
            .endMetadata()
            .build();

    private EventBroadcaster broadcaster(EventOptions options) {
        return new EventBroadcaster(sink, options, OperatorMetrics.NONE, InstantSource.system());
    }

    private static final class RecordingSink implements EventSink {
        final List<String> writes = new CopyOnWriteArrayList<>();
        final List<String> controllers = new CopyOnWriteArrayList<>();
        final List<Throwable> failures = new CopyOnWriteArrayList<>();
        volatile Runnable before = () -> {};

        @Override
        public String create(EventSeries series) {
            controllers.add(series.first().reportingController());
            write("create " + series.first().note() + " " + series.count());
            return "event-" + writes.size();
        }

        @Override
        public void update(EventSeries series) {
            write("update " + series.first().note() + " " + series.count());
        }

        private void write(String what) {
            before.run();
            if (!failures.isEmpty()) {
                Throwable failure = failures.remove(0);
                writes.add(what + " failed");
                if (failure instanceof Error error) {
                    throw error;
                }
                throw (RuntimeException) failure;
            }
            writes.add(what);
        }
    }

    @AfterEach
    void close() {
        sink.before = () -> {};
        broadcaster.close();
        Awaitility.await("no writer is left")
                .until(() -> LiveThreads.named("event-writer").isEmpty());
    }

    private void record(String note) {
        broadcaster.recorder("controller").normal(object, "Reason", "Action", note);
    }

    @Test
    void recordWhenEventsAreEqualWritesDoublingCountsAndTheLastAtClose() {
        for (int i = 0; i < 7; i++) {
            record("a");
        }
        broadcaster.close();
        assertThat(sink.writes).containsExactly("create a 1", "update a 2", "update a 4", "update a 7");
    }

    @Test
    void recordWhenQueueIsFullDropsWithoutBlocking() {
        broadcaster = broadcaster(EventOptions.defaults().withQueueSize(2));
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch writing = new CountDownLatch(1);
        sink.before = () -> {
            writing.countDown();
            awaitQuietly(release);
        };
        record("first");
        awaitQuietly(writing);
        for (int i = 0; i < 5; i++) {
            record("more " + i);
        }
        release.countDown();
        broadcaster.close();
        assertThat(sink.writes).containsExactly("create first 1", "create more 0 1", "create more 1 1");
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void recordWhenServerFailsRetries() {
        sink.failures.add(new ApiException("busy", ErrorDetails.of(429, "")));
        record("a");
        Awaitility.await("the event is written")
                .atMost(Duration.ofSeconds(30))
                .until(() -> sink.writes.contains("create a 1"));
        assertThat(sink.writes).containsExactly("create a 1 failed", "create a 1");
    }

    @Test
    void recordWhenForbiddenGivesUpAndWritesTheNext() {
        sink.failures.add(new ApiException("no", ErrorDetails.of(403, "")));
        record("a");
        record("b");
        broadcaster.close();
        assertThat(sink.writes).containsExactly("create a 1 failed", "create b 1");
    }

    @Test
    void recordWhenTheSinkThrowsAnErrorWritesTheNextEvent() {
        sink.failures.add(new StackOverflowError());
        sink.failures.add(new OutOfMemoryError("for a test"));
        sink.failures.add(new IllegalStateException("broken"));
        record("a");
        record("b");
        record("c");
        record("d");
        broadcaster.close();
        assertThat(sink.writes)
                .containsExactly("create a 1 failed", "create b 1 failed", "create c 1 failed", "create d 1");
    }

    @Test
    void recordWhenTheThreadOfTheWriterFailsWritesTheNextEvent() {
        FailingTimeSource time = new FailingTimeSource();
        broadcaster = new EventBroadcaster(sink, EventOptions.defaults(), OperatorMetrics.NONE, time);
        time.failOnceIn("event-writer");
        record("a");
        Awaitility.await("the thread has failed once")
                .atMost(Duration.ofSeconds(30))
                .until(time::hasFailed);
        record("b");
        broadcaster.close();
        assertThat(sink.writes).contains("create b 1");
    }

    @Test
    void recordWhenTheClockFailsDoesNotThrow() {
        FailingTimeSource time = new FailingTimeSource();
        broadcaster = new EventBroadcaster(sink, EventOptions.defaults(), OperatorMetrics.NONE, time);
        time.failOnceIn(Thread.currentThread().getName());
        record("a");
        record("b");
        broadcaster.close();
        assertThat(sink.writes).containsExactly("create b 1");
    }

    @Test
    void recordWhenMetricsThrowErrorsWritesTheEvent() {
        OperatorMetrics broken = OperatorMetrics.guarded(new BrokenMetrics());
        broadcaster = new EventBroadcaster(sink, EventOptions.defaults(), broken, InstantSource.system());
        record("a");
        broadcaster.close();
        record("b");
        assertThat(sink.writes).containsExactly("create a 1");
    }

    @Test
    void recordWhenTheNamespaceIsTerminatingLogsNoWarning() {
        try (CapturedLog log = CapturedLog.of(EventBroadcaster.class.getPackageName())) {
            sink.failures.add(new ForbiddenException(
                    "forbidden",
                    ErrorDetails.of(403, "Forbidden")
                            .withCauses(List.of(new ApiException.Cause(
                                    "metadata.namespace", "NamespaceTerminating", "is being terminated")))));
            sink.failures.add(new NotFoundException("namespace not found", ErrorDetails.of(404, "NotFound")));
            record("a");
            record("b");
            broadcaster.close();
            assertThat(log.lines(Level.INFO)).isEmpty();
        }
        assertThat(sink.writes).containsExactly("create a 1 failed", "create b 1 failed");
    }

    @Test
    void recordWhenManyEventsFailForOneCauseWarnsOnce() {
        try (CapturedLog log = CapturedLog.of(EventBroadcaster.class.getPackageName())) {
            for (int i = 0; i < 20; i++) {
                sink.failures.add(new ForbiddenException("no right", ErrorDetails.of(403, "Forbidden")));
                record("event " + i);
            }
            broadcaster.close();
            assertThat(log.lines(Level.WARN)).hasSize(1);
        }
    }

    @Test
    void recordWhenEventOfSeriesWasDeletedCreatesItAgain() {
        record("a");
        Awaitility.await("the event is written").atMost(Duration.ofSeconds(30)).until(() -> !sink.writes.isEmpty());
        sink.failures.add(new NotFoundException("gone"));
        record("a");
        broadcaster.close();
        assertThat(sink.writes).containsExactly("create a 1", "update a 2 failed", "create a 2");
    }

    @Test
    void recordWhenObjectIsInvalidDoesNotThrow() {
        broadcaster.recorder("controller").normal(new ConfigMap(), "Reason", "Action", "note");
        record("a");
        broadcaster.close();
        assertThat(sink.writes).contains("create a 1");
    }

    @Test
    void recordWhenClosedIsDropped() {
        broadcaster.close();
        record("a");
        assertThat(sink.writes).isEmpty();
    }

    @Test
    void closeWhenWriterHangsInterruptsItAfterTheFlushTimeout() {
        broadcaster = broadcaster(EventOptions.defaults().withQueueSize(10).withFlushTimeout(Duration.ofMillis(200)));
        sink.before = () -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw new io.github.reconciler4j.client.error.RequestInterruptedException("interrupted");
            }
        };
        record("a");
        record("b");
        broadcaster.close();
        assertThat(sink.writes).isEmpty();
    }

    @Test
    void threadRecorderReportsInTheNameOfTheControllerOfTheThread() {
        broadcaster = broadcaster(EventOptions.defaults().withDomain("shop.example.com"));
        EventRecorder recorder = broadcaster.threadRecorder("My Operator");
        WorkScope.in("webapp", "webapp", () -> recorder.normal(object, "Reason", "Action", "inside"))
                .run();
        recorder.normal(object, "Reason", "Action", "outside");
        broadcaster.recorder("nightly").normal(object, "Reason", "Action", "named");
        broadcaster.recorder("other.example.com/job").normal(object, "Reason", "Action", "qualified");
        broadcaster.close();
        assertThat(sink.controllers)
                .containsExactly(
                        "shop.example.com/webapp",
                        "shop.example.com/My-Operator",
                        "shop.example.com/nightly",
                        "other.example.com/job");
    }

    @Test
    void recorderWhenNameIsBlankIsRejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> broadcaster.recorder(" "));
        assertThatIllegalArgumentException().isThrownBy(() -> broadcaster.threadRecorder(""));
    }

    @Test
    void optionsWhenOutOfRangeAreRejected() {
        EventOptions options = EventOptions.defaults();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options.withDomain("Not a domain"))
                .withMessage("'domain' must be a DNS name such as 'example.com', was 'Not a domain'");
        assertThatIllegalArgumentException().isThrownBy(() -> options.withQueueSize(0));
        assertThatIllegalArgumentException().isThrownBy(() -> options.withRate(0, Duration.ofSeconds(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> options.withSeriesEnd(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> options.withFlushTimeout(Duration.ofSeconds(-1)));
        assertThat(options.withRate(3, Duration.ofSeconds(1)).withDomain("a.b").burst())
                .isEqualTo(3);
    }

    @Test
    void entryWhenTypeOrReasonIsInvalidIsRejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> EventEntry.of("Bad", object, "R", "A", "n"));
        assertThatIllegalArgumentException().isThrownBy(() -> EventEntry.of("Normal", object, "", "A", "n"));
    }
}
