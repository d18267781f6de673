package io.github.reconciler4j.controller.internal;

import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.fixtures.RecordingMetrics;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.source.RequestSource;
import io.github.reconciler4j.workqueue.RateLimiters;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** A run with one source, whose queue has a time that stands still. */
abstract class ControllerRunFixture {

    static final Request A = new Request("ns", "a");
    static final Request B = new Request("ns", "b");

    final List<String> calls = new CopyOnWriteArrayList<>();
    final List<ReconcileContext> contexts = new CopyOnWriteArrayList<>();
    final ManualTimeSource time = new ManualTimeSource();
    final RecordingMetrics metrics = new RecordingMetrics();
    final Source source = new Source("source");

    final ControllerOptions options = ControllerOptions.defaults()
            .withTimeSource(time)
            .withInterruptTimeout(Duration.ofSeconds(30))
            .withRateLimiter(() -> RateLimiters.exponential(Duration.ofMinutes(1), Duration.ofMinutes(1), 0));

    volatile RequestReconciler<Request> reconciler = (request, context) -> Result.done();
    ControllerDefinition<Request> definition;
    ControllerRun<Request> run;

    ControllerRunFixture() {
        create(options);
    }

    final void create(ControllerOptions with) {
        definition = ControllerDefinition.of(
                "runs",
                null,
                (request, context) -> {
                    contexts.add(context);
                    return reconciler.reconcile(request, context);
                },
                with,
                metrics);
        run = new ControllerRun<>(definition, null);
    }

    @AfterEach
    void stopOnAnotherThread() throws Exception {
        CompletableFuture.runAsync(() -> run.stop(Duration.ZERO)).get(60, TimeUnit.SECONDS); // no lock is left
        eventually("no thread is left", () -> threads().isEmpty());
    }

    /** Notes its calls, and answers what the test says. */
    final class Source implements RequestSource<Request>, RequestSource.Running {

        private final String name;
        volatile RequestSink<Request> sink;
        volatile @Nullable Throwable failure;
        volatile String reason = "";
        volatile int undelivered;
        volatile boolean dead;

        Source(String name) {
            this.name = name;
        }

        void send(Request request) {
            sink.add(request, Duration.ZERO, 0, Trigger.external(name));
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Running start(RequestSink<Request> target) throws Exception {
            calls.add("start " + name);
            sink = target;
            failIfAsked();
            return this;
        }

        private void failIfAsked() {
            Throwable thrown = failure;
            if (thrown != null) {
                ControllerRunFixture.<RuntimeException>sneak(thrown);
            }
        }

        @Override
        public void awaitSync(Duration timeout) {
            calls.add("sync " + name);
        }

        @Override
        public String notReadyReason() {
            return reason;
        }

        @Override
        public int undelivered() {
            return undelivered;
        }

        @Override
        public boolean isAlive() {
            return !dead;
        }

        @Override
        public void detach(String controller) {
            calls.add("detach " + name + " from " + controller);
            failIfAsked();
        }

        @Override
        public void close() {
            calls.add("close " + name);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable failure) throws T {
        throw (T) failure;
    }

    void start(int workers) throws InterruptedException {
        run.resize(() -> workers);
        run.start(List.of(source));
    }

    static RequestReconciler<Request> failing() {
        return (request, context) -> {
            throw new IllegalStateException("no luck");
        };
    }

    static void eventually(String what, Callable<Boolean> condition) {
        await(what).atMost(Duration.ofSeconds(30)).until(condition);
    }

    void awaitRuns(int count) {
        eventually(count + " runs", () -> contexts.size() >= count);
    }

    /** Names of the live threads of workers and the watchdog. */
    static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("controller-runs-w"))
                .toList();
    }
}
