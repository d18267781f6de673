package io.github.reconciler4j.controller;

import static io.github.reconciler4j.controller.ControllerFixture.A;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.source.RequestSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which sources a controller has, and what these learn of it. */
class ControllerSourcesTests extends ControllerLifecycleFixture {

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final ControllerFixture fixture = doingNothing(ControllerOptions.defaults());
    private final Controller<Request> controller = fixture.controller;

    /** Notes its calls; equal to others of its name. */
    private record Source(
            String name,
            String cluster,
            List<String> calls,
            @Nullable Exception failure) implements RequestSource<Request>, RequestSource.Running {

        @Override
        public void attach(String controller) {
            calls.add("attach " + name + " to " + controller);
        }

        @Override
        public void detach(String controller) {
            calls.add("detach " + name + " from " + controller);
        }

        @Override
        public Running start(RequestSink<Request> target) throws Exception {
            calls.add("start " + name);
            if (failure != null) {
                throw failure;
            }
            return this;
        }

        @Override
        public void close() {
            calls.add("close " + name);
        }
    }

    private Source source(String name, String cluster) {
        return new Source(name, cluster, calls, null);
    }

    private Source failing(Exception failure) {
        return new Source("failing", "", calls, failure);
    }

    @AfterEach
    void stopOnAnotherThread() throws Exception {
        CompletableFuture.runAsync(fixture::close).get(60, TimeUnit.SECONDS); // no lock is left
    }

    @Test
    void watchBeforeTheStartAttachesAndStartsLater() throws Exception {
        controller.watch(source("a", ""));
        assertThat(calls).containsExactly("attach a to test");
        fixture.started();
        assertThat(calls).containsExactly("attach a to test", "start a");
    }

    @Test
    void watchWhenRunningAttachesAndStarts() throws Exception {
        fixture.started();
        controller.watch(source("a", ""));
        assertThat(calls).containsExactly("attach a to test", "start a");
        assertThat(controller.sources()).hasSize(2);
    }

    @Test
    void watchDistinguishesEqualSources() {
        Source first = source("a", "");
        controller.watch(first);
        controller.watch(source("a", ""));
        assertThat(controller.sources()).hasSize(3);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> controller.watch(first))
                .withMessage("Controller 'test' already has the source a");
        assertThat(controller.unwatch(first)).isTrue();
        assertThat(controller.unwatch(first)).isFalse();
        assertThat(controller.sources()).hasSize(2).noneMatch(source -> source == first);
    }

    @Test
    void watchWhenTheStartFailsDetachesTheSource() throws Exception {
        fixture.started();
        Source failing = failing(new java.io.IOException("no way"));
        assertThatIllegalStateException()
                .isThrownBy(() -> controller.watch(failing))
                .withMessage("Controller 'test' could not start source failing: no way")
                .withCause(failing.failure());
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(calls).containsExactly("attach failing to test", "start failing", "detach failing from test");
        assertThat(controller.sources()).hasSize(1);
    }

    @Test
    void watchWhenInterruptedKeepsTheInterrupt() throws Exception {
        fixture.started();
        assertThatIllegalStateException().isThrownBy(() -> controller.watch(failing(new InterruptedException())));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void unwatchStopsAndDetachesTheSource() throws Exception {
        Source before = source("before", "");
        controller.watch(before);
        assertThat(controller.unwatch(before)).isTrue();
        assertThat(calls).containsExactly("attach before to test", "detach before from test");
        calls.clear();
        Source source = source("a", "");
        controller.watch(source);
        fixture.started();
        assertThat(controller.unwatch(source)).isTrue();
        assertThat(calls).containsExactly("attach a to test", "start a", "close a", "detach a from test");
        assertThat(controller.unwatch(source)).isFalse();
        assertThat(calls).hasSize(4);
    }

    @Test
    void leavingClusterTakesItsSourcesAndMetrics() throws Exception {
        controller.watch(source("a", "east"));
        controller.watch(source("b", "west"));
        controller.joined("east");
        fixture.started();
        fixture.channel.send(A.in("east"));
        String east = "controller_runtime_reconcile_total{controller=test,result=success,cluster=east}";
        fixture.awaitRuns(1);
        fixture.awaitIdle();
        assertThat(fixture.metrics.count(east)).isEqualTo(1);
        controller.left("east");
        assertThat(calls).contains("close a", "detach a from test").doesNotContain("close b", "detach b from test");
        assertThat(controller.sources()).hasSize(2);
        fixture.channel.send(A.in("east"));
        ControllerFixture.eventually("counted", () -> fixture.results("success") == 1);
        assertThat(fixture.metrics.count(east)).isEqualTo(1);
    }

    @Test
    void removedDetachesAllSources() {
        controller.watch(source("a", ""));
        controller.watch(source("b", ""));
        calls.clear();
        controller.removed();
        assertThat(calls).containsExactly("detach a from test", "detach b from test");
    }

    @Test
    void permissionsAreThoseToWatchAndThoseDeclared() {
        RequiredPermission declared = RequiredPermission.onCore("events", "create");
        controller.watch(podSource());
        controller.watch(podSource());
        controller.addRequiredPermissions(List.of(declared));
        assertThat(controller.requiredPermissions()).containsExactly(RequiredPermission.watching(POD), declared);
    }
}
