package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Secret;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.Owned;
import io.github.reconciler4j.builder.Reference;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerOperations;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.finalizer.FinalizerNames;
import io.github.reconciler4j.finalizer.Finalizers;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.ReconcileObserver;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.workqueue.Fairness;
import io.github.reconciler4j.workqueue.PriorityAging;
import io.github.reconciler4j.workqueue.RateLimiters;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** What the parts of a controller look like. */
final class ControllerUse {

    private ControllerUse() {}

    static void watching(Manager manager) {
        ControllerBuilder.of(Greeting.class)
                .watches(Watch.kind(Kind.of(Namespace.class).metadata())
                        .when(EventPredicates.labelsChanged())
                        .map(namespace -> List.of(new Request(namespace.key().name(), "default"))))
                .references(Reference.to(Secret.class)
                        .when(EventPredicates.labelsChanged())
                        .by("signature", ControllerUse::signatures))
                .reconciler((greeting, context) -> Result.done())
                .addTo(manager);
    }

    private static List<String> signatures(Greeting greeting) {
        return List.of(greeting.getSpec().getName());
    }

    static List<RequiredPermission> permissions() {
        return List.of(
                RequiredPermission.on(ConfigMap.class, "create", "patch").inNamespace("guests"),
                RequiredPermission.on("apps", "deployments", "create", "patch"),
                RequiredPermission.onCore("pods/status", "patch"));
    }

    static void permitted(Manager manager) {
        ControllerBuilder.of(Greeting.class)
                .owns(Owned.of(ConfigMap.class).when(EventPredicates.labelSelector("app=greeter")))
                .requiredPermissions(RequiredPermission.on(ConfigMap.class, "create", "patch"))
                .reconciler((greeting, context) -> Result.done())
                .addTo(manager);
    }

    static void filtered(Manager manager) {
        EventPredicate<Object> named =
                EventPredicates.changed(header -> header.annotations().get("example.com/name"));
        ControllerBuilder.of(Greeting.class)
                .when(named.or(EventPredicates.generationChanged()))
                .reconciler((greeting, context) -> Result.done())
                .addTo(manager);
    }

    static ControllerOptions options() {
        return ControllerOptions.defaults()
                .withMaxConcurrentReconciles(8)
                .withReconcileTimeout(Duration.ofMinutes(1))
                .withBackoff(Duration.ofSeconds(1), Duration.ofMinutes(5));
    }

    static ControllerOptions queues() {
        return ControllerOptions.defaults()
                .withFairness(Fairness.between(request -> ((Request) request).namespace())
                        .withShare(0.5))
                .withPriorityAging(PriorityAging.defaults().withAfter(Duration.ofMinutes(2)));
    }

    static ControllerOptions retries() {
        return ControllerOptions.defaults()
                .withRateLimiter(() -> RateLimiters.<Object>byError()
                        .when(IOException.class, RateLimiters.constant(Duration.ofSeconds(30)))
                        .otherwise(RateLimiters.defaults()));
    }

    static void operate(Controller<Request> controller, Consumer<String> log) {
        ControllerOperations<Request> operations = controller.operations();
        operations.failing(10).forEach(failing -> log.accept(failing.request() + ": " + failing.error()));
        operations.setMaxConcurrentReconciles(2);
        operations.requeue(new Request("guests", "first"));
    }

    static Result check(Greeting greeting, ReconcileContext context, Consumer<String> log) {
        if (context.isLastAttempt()) {
            log.accept(context.request().key() + " is not retried if this fails");
        }
        return greeting.getSpec().getName().isEmpty() ? Result.done() : Result.requeueAfter(Duration.ofMinutes(10));
    }

    static void causes(Manager manager, Consumer<String> log) {
        ControllerBuilder.of(Greeting.class)
                .reconciler((greeting, context) -> {
                    for (Trigger trigger : context.triggers()) {
                        log.accept(trigger.change() + " from " + trigger.source());
                    }
                    return Result.done();
                })
                .addTo(manager);
    }

    static ControllerOptions observed(Consumer<String> log) {
        ReconcileObserver observer =
                run -> (outcome, error) -> log.accept(run.context().request() + " " + outcome);
        return ControllerOptions.defaults().withObserver(observer);
    }

    static void rooms(Manager manager, Consumer<String> rooms) {
        Finalizers<Greeting> finalizers = Finalizers.<Greeting>create(manager.client())
                .register("example.com/room", (greeting, context) -> free(greeting, rooms));
        ControllerBuilder.of(Greeting.class)
                .reconciler((greeting, context) -> {
                    Finalizers.Outcome<Greeting> outcome = finalizers.reconcile(greeting, context);
                    return outcome.isBeingDeleted() ? outcome.result() : Result.done();
                })
                .addTo(manager);
    }

    private static CleanupResult free(Greeting greeting, Consumer<String> rooms) {
        rooms.accept(greeting.getMetadata().getName());
        return CleanupResult.done();
    }

    static void forget(Manager manager, Greeting greeting) {
        manager.client().edit(greeting, changed -> FinalizerNames.remove(changed, "example.com/old"));
    }
}
