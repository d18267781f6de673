package io.github.reconciler4j.controller;

import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.manager.ComponentState;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

/** What tests of controllers on a server share. */
interface ControllerOnServer {

    KindName WIDGET = KindName.of("controller.test.reconciler4j.io/v1", "Widget");

    /** The manager of the test. */
    Manager manager();

    /** The namespace of the test. */
    String namespace();

    /** What reconcilers saw, in words. */
    List<String> seen();

    default Client client() {
        return manager().client();
    }

    default void eventually(String what, Callable<Boolean> condition) {
        await(what).atMost(Duration.ofSeconds(60)).until(condition);
    }

    /** Starts the manager and waits until all its controllers run. */
    default void start() {
        manager().start();
        eventually(
                "all run",
                () -> manager().status().components().stream()
                        .allMatch(status -> status.state() == ComponentState.State.RUNNING));
    }

    default ControllerBuilder<Widget> widgets() {
        return ControllerBuilder.of(Widget.class).inNamespaces(namespace());
    }

    /** A reconciler that writes down {@code words} and the name of the object. */
    default RequestReconciler<Request> noting(String words) {
        return (request, context) -> {
            seen().add(words + request.name());
            return Result.done();
        };
    }

    default ObjectKey key(String name) {
        return ObjectKey.of(namespace(), name);
    }
}
