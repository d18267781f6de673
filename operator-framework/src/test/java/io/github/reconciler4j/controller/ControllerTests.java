package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.reconcile.Reason;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.source.ChannelSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ControllerTests {

    private static final Request A = new Request("default", "a");

    private final ChannelSource<Request, Request> channel = ChannelSource.ofRequests("channel");
    private final List<ReconcileContext> runs = new CopyOnWriteArrayList<>();
    private final List<Controller<?>> controllers = new CopyOnWriteArrayList<>();

    @AfterEach
    void stopControllers() {
        controllers.forEach(controller -> controller.stop(Duration.ZERO));
    }

    private Controller<Request> controller(ControllerOptions options, RequestReconciler<Request> reconciler) {
        Controller<Request> controller = Controller.create(
                "test",
                (request, context) -> {
                    runs.add(context);
                    return reconciler.reconcile(request, context);
                },
                options,
                OperatorMetrics.NONE);
        controllers.add(controller);
        controller.watch(channel);
        return controller;
    }

    private void awaitRuns(int count) {
        await("runs").atMost(Duration.ofSeconds(30)).until(() -> runs.size() >= count);
    }

    @Test
    void requestWhenSentBeforeStartIsReconciledAfterStart() throws Exception {
        Controller<Request> controller = controller(ControllerOptions.defaults(), (request, context) -> Result.done());
        channel.send(A);
        controller.start();
        awaitRuns(1);
        assertThat(runs.get(0).request()).isEqualTo(A);
        assertThat(runs.get(0).attempt()).isEqualTo(1);
        assertThat(runs.get(0).reasons()).containsExactly(Reason.external("channel"));
    }

    @Test
    void requestWhenReconcilerThrowsIsTriedAgain() throws Exception {
        Controller<Request> controller = controller(ControllerOptions.defaults(), (request, context) -> {
            if (context.attempt() < 3) {
                throw new StackOverflowError("attempt " + context.attempt());
            }
            return Result.done();
        });
        controller.start();
        channel.send(A);
        awaitRuns(3);
        assertThat(runs).extracting(ReconcileContext::attempt).containsExactly(1, 2, 3);
        assertThat(controller.healthCheck().check().alive()).isTrue();
    }

    @Test
    void startWhenStartedAlreadyFails() throws Exception {
        Controller<Request> controller = controller(ControllerOptions.defaults(), (request, context) -> Result.done());
        controller.start();
        assertThatIllegalStateException().isThrownBy(controller::start).withMessageContaining("RUNNING");
    }

    @Test
    void startWhenStoppedBeforeWorksAgain() throws Exception {
        Controller<Request> controller = controller(ControllerOptions.defaults(), (request, context) -> Result.done());
        controller.start();
        controller.stop(Duration.ofSeconds(5));
        assertThat(controller.state()).isEqualTo(ControllerState.STOPPED);
        channel.send(A);
        controller.start();
        awaitRuns(1);
    }
}
