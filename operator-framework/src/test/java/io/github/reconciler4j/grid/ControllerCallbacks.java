package io.github.reconciler4j.grid;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Secret;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.handler.EventHandler;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.ReconcileObserver;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.workqueue.Fairness;
import io.github.reconciler4j.workqueue.RateLimiter;
import io.github.reconciler4j.workqueue.RateLimiters;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The callbacks of controllers. */
final class ControllerCallbacks {

    private static final Kind<GenericKubernetesResource> CONFIG_MAP = Kind.of("v1", "ConfigMap");

    private ControllerCallbacks() {}

    static List<CallbackRow> rows() {
        return Stream.of(reconcilers(), predicates(), mappers(), options())
                .flatMap(List::stream)
                .toList();
    }

    private static List<CallbackRow> reconcilers() {
        return List.of(reconciler(), requestReconciler(), requestsReconciler(), cleaner(), errorStatusHandler());
    }

    private static List<CallbackRow> predicates() {
        return List.of(
                predicates("predicate", thrower -> event -> thrower.call(true), "EventPredicate#test"),
                predicates(
                        "predicate of objects",
                        thrower -> EventPredicates.object(object -> thrower.call(true)),
                        "EventPredicates#object(Predicate)"),
                predicates(
                        "predicate of headers",
                        thrower -> EventPredicates.header(header -> thrower.call(true)),
                        "EventPredicates#header(Predicate)"),
                predicates(
                        "function of changes",
                        thrower -> EventPredicates.allOf(EventPredicates.not(EventPredicates.not(EventPredicates.anyOf(
                                EventPredicates.changed(header -> thrower.call(header.resourceVersion())))))),
                        "EventPredicates#changed(Function)"),
                globalPredicate());
    }

    private static List<CallbackRow> mappers() {
        return List.of(
                mapper(),
                mapperOfKind(),
                mapperOfMetadata(),
                handler(
                        "handler",
                        thrower -> (event, sink) -> {
                            thrower.call();
                            sink.add(GridOperator.request(event.snapshot().object()));
                        },
                        "EventHandler#onEvent"),
                handler(
                        "mapping",
                        thrower -> EventHandlers.mapping(object -> thrower.call(List.of(GridOperator.request(object)))),
                        "EventHandlers#mapping(Function)"),
                headerMapping());
    }

    private static List<CallbackRow> options() {
        return List.of(
                index(),
                references(),
                observer(),
                observerEnd(),
                limited("rate limiter", ControllerCallbacks::limiter, "RateLimiter#next"),
                limited(
                        "rule of errors",
                        thrower -> RateLimiters.<Object>byError()
                                .when(failure -> thrower.call(false), RateLimiters.constant(Duration.ofMillis(1)))
                                .otherwise(RateLimiters.constant(Duration.ofMillis(1))),
                        "ErrorRules#when(Predicate)"),
                limited(
                        "delay of errors",
                        thrower -> RateLimiters.retryAfter(
                                failure -> thrower.call(Duration.ofMillis(1)),
                                RateLimiters.constant(Duration.ofMillis(1))),
                        "RateLimiters#retryAfter(Function)"),
                limited(
                        "random numbers",
                        thrower -> RateLimiters.exponential(
                                Duration.ofMillis(2), Duration.ofMillis(4), 0.5, () -> thrower.call(0.5)),
                        "RateLimiters#exponential(DoubleSupplier)"),
                forget(),
                retries(),
                fairness());
    }

    private static CallbackRow reconciler() {
        return new CallbackRow("reconciler", "ObjectReconciler#reconcile")
                .setup((operator, thrower) -> operator.controller()
                        .reconciler((object, context) -> {
                            thrower.call();
                            return operator.seen(object);
                        })
                        .addTo(operator.manager));
    }

    private static CallbackRow requestReconciler() {
        return new CallbackRow("reconciler of requests", "RequestReconciler#reconcile")
                .setup((operator, thrower) -> operator.controller()
                        .requestReconciler((request, context) -> {
                            thrower.call();
                            return operator.manager
                                    .client()
                                    .get(ConfigMap.class, request.key())
                                    .map(operator::seen)
                                    .orElse(Result.done());
                        })
                        .addTo(operator.manager));
    }

    private static CallbackRow requestsReconciler() {
        return new CallbackRow("reconciler of texts")
                .setup((operator, thrower) -> operator.requests()
                        .watches(ConfigMap.class, object -> List.of(GridOperator.request(object)))
                        .reconciler((request, context) -> {
                            thrower.call();
                            return operator.seen(request);
                        })
                        .addTo(operator.manager));
    }

    private static CallbackRow cleaner() {
        return new CallbackRow("cleaner", "Cleaner#cleanup")
                .setup((operator, thrower) -> operator.controller()
                        .reconciler((object, context) -> operator.seen(object))
                        .finalizer("grid.reconciler4j.io/cleaner")
                        .cleaner((object, context) -> {
                            thrower.call();
                            return CleanupResult.done();
                        })
                        .addTo(operator.manager))
                .trigger((operator, thrower) -> {
                    operator.changeAndAwait("deleted");
                    operator.admin.delete(
                            Kind.of(ConfigMap.class), operator.key("deleted"), DeletionOptions.defaults());
                    GridOperator.await(
                            "the object is deleted",
                            () -> operator.admin
                                    .live()
                                    .get(ConfigMap.class, operator.key("deleted"))
                                    .isEmpty());
                });
    }

    private static CallbackRow errorStatusHandler() {
        AtomicBoolean failing = new AtomicBoolean();
        return new CallbackRow("error status", "ErrorStatusHandler#updateErrorStatus")
                .setup((operator, thrower) -> operator.controller()
                        .reconciler((object, context) -> {
                            if (failing.getAndSet(false)) {
                                throw new IllegalStateException("for the error status");
                            }
                            return operator.seen(object);
                        })
                        .errorStatusHandler((object, failure, context) -> thrower.call())
                        .addTo(operator.manager))
                .trigger((operator, thrower) -> {
                    failing.set(true);
                    operator.changeAndAwait("a");
                });
    }

    private static CallbackRow predicates(
            String name, Function<Thrower, EventPredicate<? super ConfigMap>> predicate, String covers) {
        return new CallbackRow(name, covers)
                .setup((operator, thrower) -> operator.controller()
                        .when(EventPredicates.<ConfigMap>anyOf(EventPredicates.created(), predicate.apply(thrower)))
                        .reconciler((object, context) -> operator.seen(object))
                        .addTo(operator.manager));
    }

    private static CallbackRow globalPredicate() {
        return new CallbackRow("global predicate")
                .setup((operator, thrower) -> operator.controller()
                        .withGlobalPredicate(event -> thrower.call(true))
                        .reconciler((object, context) -> operator.seen(object))
                        .addTo(operator.manager));
    }

    private static CallbackRow mapper() {
        return new CallbackRow("mapper", "AbstractControllerBuilder#watches(Function)", "Watch.Builder#map(Function)")
                .setup((operator, thrower) -> operator.seenRequests()
                        .watches(ConfigMap.class, object -> thrower.call(List.of(GridOperator.request(object))))
                        .addTo(operator.manager));
    }

    private static CallbackRow mapperOfKind() {
        return new CallbackRow("mapper of a kind")
                .setup((operator, thrower) -> operator.seenRequests()
                        .watches(Watch.kind(CONFIG_MAP)
                                .map(object -> thrower.call(List.of(object.getMetadata()
                                                .getName() + "="
                                        + object.getMetadata().getLabels().get(GridOperator.LABEL)))))
                        .addTo(operator.manager));
    }

    private static CallbackRow mapperOfMetadata() {
        return new CallbackRow("mapper of metadata")
                .setup((operator, thrower) -> operator.seenRequests()
                        .watches(Watch.kind(CONFIG_MAP.metadata())
                                .map(header -> thrower.call(List.of(GridOperator.request(header)))))
                        .addTo(operator.manager));
    }

    private static CallbackRow handler(
            String name, Function<Thrower, EventHandler<ConfigMap, String>> handler, String covers) {
        return new CallbackRow(name, covers)
                .setup((operator, thrower) -> operator.seenRequests()
                        .watches(Watch.kind(ConfigMap.class).handler(handler.apply(thrower)))
                        .addTo(operator.manager));
    }

    private static CallbackRow headerMapping() {
        return new CallbackRow("mapping of headers", "EventHandlers#mappingHeader(Function)")
                .setup((operator, thrower) -> operator.seenRequests()
                        .watches(Watch.kind(ConfigMap.class)
                                .handler(EventHandlers.mappingHeader(
                                        header -> thrower.call(List.of(GridOperator.request(header))))))
                        .addTo(operator.manager));
    }

    private static CallbackRow index() {
        return new CallbackRow("index", "ControllerBuilder#index(Function)")
                .setup((operator, thrower) -> operator.controller()
                        .index("terms", object -> thrower.call(List.of("term")))
                        .reconciler((object, context) -> operator.seen(object))
                        .addTo(operator.manager));
    }

    private static CallbackRow references() {
        return new CallbackRow(
                        "names of a reference",
                        "ControllerBuilder#references(Function)",
                        "Reference.Builder#by(Function)")
                .setup((operator, thrower) -> operator.controller()
                        .references(Secret.class, "names", object -> thrower.call(List.of("name")))
                        .reconciler((object, context) -> operator.seen(object))
                        .addTo(operator.manager));
    }

    private static CallbackRow withOptions(
            String name, BiFunction<ControllerOptions, Thrower, ControllerOptions> options, String... covers) {
        return new CallbackRow(name, covers)
                .setup((operator, thrower) -> operator.controller()
                        .customizeOptions(defaults -> options.apply(defaults, thrower))
                        .reconciler((object, context) -> operator.seen(object))
                        .addTo(operator.manager));
    }

    private static CallbackRow observer() {
        return withOptions(
                "observer",
                (options, thrower) -> options.withObserver(ReconcileObserver.all(
                        List.of(run -> (outcome, failure) -> {}, run -> thrower.call(ReconcileObserver.Scope.NONE)))),
                "ReconcileObserver#started");
    }

    private static CallbackRow observerEnd() {
        return withOptions(
                "end of an observation",
                (options, thrower) -> options.withObserver(run -> (outcome, failure) -> thrower.call()),
                "ReconcileObserver.Scope#ended");
    }

    /** A reconciler fails before each check, so that the limiter is asked. */
    private static CallbackRow limited(String name, Function<Thrower, RateLimiter<Object>> limiter, String... covers) {
        AtomicBoolean failing = new AtomicBoolean();
        return new CallbackRow(name, covers)
                .setup((operator, thrower) -> operator.controller()
                        .options(GridOperator.controllerOptions().withRateLimiter(() -> limiter.apply(thrower)))
                        .reconciler((object, context) -> {
                            if (failing.getAndSet(false)) {
                                throw new IllegalStateException("for the rate limiter");
                            }
                            return operator.seen(object);
                        })
                        .addTo(operator.manager))
                .trigger((operator, thrower) -> {
                    failing.set(true);
                    operator.changeAndAwait("a");
                });
    }

    private static RateLimiter<Object> limiter(Thrower thrower) {
        return new Limiter() {
            @Override
            public Duration next(Object item, @Nullable Throwable cause) {
                thrower.call();
                return super.next(item, cause);
            }
        };
    }

    private static CallbackRow forget() {
        return limited(
                "forgetting rate limiter",
                thrower -> new Limiter() {
                    @Override
                    public void forget(Object item) {
                        thrower.call();
                    }
                },
                "RateLimiter#forget");
    }

    private static CallbackRow retries() {
        return limited(
                "counting rate limiter",
                thrower -> new Limiter() {
                    @Override
                    public int retries(Object item) {
                        return thrower.call(0);
                    }
                },
                "RateLimiter#retries");
    }

    /** Waits a millisecond. */
    private static class Limiter implements RateLimiter<Object> {
        @Override
        public Duration next(Object item, @Nullable Throwable cause) {
            return Duration.ofMillis(1);
        }

        @Override
        public void forget(Object item) {}

        @Override
        public int retries(Object item) {
            return 0;
        }
    }

    private static CallbackRow fairness() {
        return withOptions(
                "fairness",
                (options, thrower) -> options.withFairness(Fairness.between(key -> thrower.call("group"))),
                "Fairness#between(Function)");
    }
}
