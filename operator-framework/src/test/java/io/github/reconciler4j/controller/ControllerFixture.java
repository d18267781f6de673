package io.github.reconciler4j.controller;

import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.fixtures.RecordingMetrics;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.source.ChannelSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;

/** A controller fed by a channel, and what its reconciler saw. */
final class ControllerFixture implements AutoCloseable {

    static final Request A = new Request("default", "a");
    static final Request B = new Request("default", "b");

    final ChannelSource<Request, Request> channel = ChannelSource.ofRequests("channel");
    final List<ReconcileContext> runs = new CopyOnWriteArrayList<>();
    final RecordingMetrics metrics = new RecordingMetrics();
    final Controller<Request> controller;

    ControllerFixture(ControllerOptions options, RequestReconciler<Request> reconciler) {
        controller = Controller.create(
                "test",
                (request, context) -> {
                    runs.add(context);
                    return reconciler.reconcile(request, context);
                },
                options,
                metrics);
        controller.watch(channel);
    }

    ControllerFixture(RequestReconciler<Request> reconciler) {
        this(ControllerOptions.defaults(), reconciler);
    }

    ControllerFixture started() throws InterruptedException {
        controller.start();
        return this;
    }

    void awaitRuns(int count) {
        await(count + " runs").atMost(Duration.ofSeconds(30)).until(() -> runs.size() >= count);
    }

    static void eventually(String what, Callable<Boolean> condition) {
        await(what).atMost(Duration.ofSeconds(30)).until(condition);
    }

    /** Waits until nothing is enqueued or running, and nothing is due soon. */
    void awaitIdle() {
        eventually("idle", () -> {
            var queue = controller.operations().queue().orElseThrow();
            return queue.running() == 0 && queue.depth().values().stream().allMatch(depth -> depth == 0);
        });
    }

    double results(String result) {
        return metrics.count("controller_runtime_reconcile_total{controller=test,result=" + result + "}");
    }

    double counter(String name) {
        return metrics.count("controller_runtime_" + name + "{controller=test}");
    }

    @Override
    public void close() {
        controller.stop(Duration.ZERO);
    }

    /** Names of the live threads that belong to a controller. */
    static List<String> threads(String controller) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("controller-" + controller + "-"))
                .toList();
    }
}
