package io.github.reconciler4j.grid;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.source.ChannelSource;
import io.github.reconciler4j.source.PollSource;
import io.github.reconciler4j.source.PollSource.Polled;
import io.github.reconciler4j.source.RequestSource;
import io.github.reconciler4j.source.ResyncSource;
import io.github.reconciler4j.source.ScheduleSource;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.stream.Stream;

/** The callbacks of sources, caches, metrics and health. */
final class ManagerCallbacks {

    private static final Duration PERIOD = Duration.ofMillis(20);

    private ManagerCallbacks() {}

    static List<CallbackRow> rows() {
        return Stream.of(sources(), observers()).flatMap(List::stream).toList();
    }

    private static List<CallbackRow> sources() {
        return List.of(
                transform(),
                listener(),
                informerIndex(),
                resync(),
                schedule(),
                filterOfASchedule(),
                polling(
                        "poll of all",
                        (thrower, number) -> PollSource.ofAll(
                                "poll", PERIOD, () -> thrower.call(Map.of("poll=" + number.incrementAndGet(), 1))),
                        "PollSource#ofAll(Callable)"),
                polling(
                        "list of polled requests",
                        (thrower, number) -> PollSource.perRequest(
                                "poll",
                                PERIOD,
                                () -> thrower.call(Set.of("poll=" + number.incrementAndGet())),
                                request -> new Polled(1, PERIOD)),
                        "PollSource#perRequest(Callable)"),
                polling(
                        "poll of one",
                        (thrower, number) -> PollSource.perRequest(
                                "poll",
                                PERIOD,
                                () -> Set.of("poll=1"),
                                request -> thrower.call(new Polled(number.incrementAndGet(), PERIOD))),
                        "PollSource.Poll#poll"),
                undelivered());
    }

    private static List<CallbackRow> observers() {
        return List.of(
                leadership("lost"),
                leadership("newLeader"),
                healthCheck(),
                healthCheckName(),
                metrics("counter", CounterMetrics::new, "OperatorMetrics.Counter#add", "OperatorMetrics#counter"),
                metrics(
                        "histogram",
                        HistogramMetrics::new,
                        "OperatorMetrics.Histogram#record",
                        "OperatorMetrics#histogram"));
    }

    private static void add(GridOperator operator) {
        operator.controller()
                .reconciler((object, context) -> operator.seen(object))
                .addTo(operator.manager);
    }

    private static CallbackRow transform() {
        return new CallbackRow("transform", "ObjectTransform#transform")
                .options((options, thrower) -> options.withCache(options.cache()
                        .withKindDefaults(options.cache().kindDefaults().withTransform(object -> thrower.call()))))
                .setup((operator, thrower) -> add(operator));
    }

    private static CallbackRow listener() {
        return new CallbackRow("listener", "ObjectListener#onEvent")
                .setup((operator, thrower) -> operator.manager
                        .cache()
                        .informer(ConfigMap.class)
                        .subscribe("grid", event -> {
                            thrower.call();
                            operator.seen(GridOperator.request(event.snapshot().object()));
                        }));
    }

    private static CallbackRow informerIndex() {
        return new CallbackRow("index of an informer", "Informer#addIndex(Function)").setup((operator, thrower) -> {
            Informer<ConfigMap> informer = operator.manager.cache().informer(ConfigMap.class);
            informer.addIndex("terms", object -> thrower.call(List.of("term")));
            add(operator);
        });
    }

    private static CallbackRow resync() {
        return new CallbackRow("filter of a resync", "ResyncSource#filtered(Predicate)")
                .setup((operator, thrower) -> operator.controller()
                        .source(ResyncSource.every(
                                        PERIOD, operator.manager.cache().informer(ConfigMap.class))
                                .filtered(header -> thrower.call(true)))
                        .reconciler((object, context) -> operator.seen(object))
                        .addTo(operator.manager))
                .check((operator, thrower) -> {
                    operator.changeAndAwait("a");
                    operator.awaitRuns();
                });
    }

    private static CallbackRow schedule() {
        return new CallbackRow("schedule", "ControllerBuilder#schedule(Function)", "ScheduleSource#at(Function)")
                .setup((operator, thrower) -> operator.controller()
                        .schedule(now -> thrower.call(now.plus(PERIOD)), ZoneOffset.UTC)
                        .reconciler((object, context) -> operator.seen(object))
                        .addTo(operator.manager))
                .check((operator, thrower) -> {
                    operator.changeAndAwait("a");
                    operator.awaitRuns();
                });
    }

    private static CallbackRow filterOfASchedule() {
        return new CallbackRow("filter of a schedule", "ScheduleSource#filtered(Predicate)")
                .setup((operator, thrower) -> operator.controller()
                        .source(ScheduleSource.at(
                                        now -> now.plus(PERIOD),
                                        ZoneOffset.UTC,
                                        operator.manager.cache().informer(ConfigMap.class))
                                .filtered(header -> thrower.call(true)))
                        .reconciler((object, context) -> operator.seen(object))
                        .addTo(operator.manager))
                .check((operator, thrower) -> {
                    operator.changeAndAwait("a");
                    operator.awaitRuns();
                });
    }

    private interface Polling {
        PollSource<String> create(Thrower thrower, AtomicInteger number);
    }

    private static CallbackRow polling(String name, Polling source, String... covers) {
        AtomicInteger number = new AtomicInteger();
        return new CallbackRow(name, covers)
                .setup((operator, thrower) -> operator.seenRequests()
                        .source(source.create(thrower, number))
                        .addTo(operator.manager))
                .check((operator, thrower) -> operator.awaitRuns());
    }

    private static CallbackRow undelivered() {
        return new CallbackRow("undelivered changes of a source", "RequestSource.Running#undelivered")
                .setup((operator, thrower) -> {
                    ChannelSource<String, String> delegate = ChannelSource.ofRequests("channel");
                    operator.seenRequests()
                            .watches(ConfigMap.class, object -> List.of(GridOperator.request(object)))
                            .source(new CountingSource(delegate, thrower))
                            .addTo(operator.manager);
                })
                .trigger((operator, thrower) -> operator.health());
    }

    /** A source that fails to say what it has not delivered. */
    private record CountingSource(RequestSource<String> delegate, Thrower thrower) implements RequestSource<String> {
        @Override
        public String name() {
            return "counting";
        }

        @Override
        public Running start(RequestSink<String> sink) throws Exception {
            Running running = delegate.start(sink);
            return new Running() {
                @Override
                public int undelivered() {
                    return thrower.call(0);
                }

                @Override
                public void close() {
                    running.close();
                }
            };
        }
    }

    /** Another replica takes the lease, and this one acquires it again. */
    private static CallbackRow leadership(String method) {
        return new CallbackRow("listener of " + method, "LeadershipListener#" + method)
                .options((options, thrower) -> GridOperator.withElection(options))
                .setup((operator, thrower) -> {
                    add(operator);
                    operator.manager.addLeadershipListener(new Listener(method, thrower));
                })
                .trigger((operator, thrower) -> {
                    GridOperator.await(
                            "it leads", () -> operator.manager.status().leader());
                    operator.takeLease();
                });
    }

    private record Listener(String method, Thrower thrower) implements LeadershipListener {
        @Override
        public void lost(String lease, String reason) {
            if (method.equals("lost")) {
                thrower.call();
            }
        }

        @Override
        public void newLeader(String lease, String holder) {
            if (method.equals("newLeader")) {
                thrower.call();
            }
        }
    }

    private static CallbackRow health(String name, Function<Thrower, HealthCheck> check, String... covers) {
        return new CallbackRow(name, covers)
                .setup((operator, thrower) -> {
                    add(operator);
                    operator.manager.addHealthCheck(check.apply(thrower));
                })
                .trigger((operator, thrower) -> operator.health());
    }

    private static CallbackRow healthCheck() {
        return health("health check", thrower -> new Check(thrower, new Thrower()), "HealthCheck#check");
    }

    private static CallbackRow healthCheckName() {
        return health("name of a health check", thrower -> new Check(new Thrower(), thrower), "HealthCheck#name");
    }

    private record Check(Thrower checking, Thrower naming) implements HealthCheck {
        @Override
        public String name() {
            return naming.call("grid");
        }

        @Override
        public Health check() {
            return checking.call(new Health(true, true, Map.of()));
        }
    }

    private static CallbackRow metrics(String name, Function<Thrower, OperatorMetrics> metrics, String... covers) {
        return new CallbackRow(name, covers)
                .options((options, thrower) -> options.withMetrics(metrics.apply(thrower)))
                .setup((operator, thrower) -> operator.controller()
                        .reconciler((object, context) -> {
                            operator.seen(object);
                            return Result.done();
                        })
                        .addTo(operator.manager));
    }

    private static class DelegatingMetrics implements OperatorMetrics {
        @Override
        public Counter counter(String name, String help, String... labels) {
            return NONE.counter(name, help, labels);
        }

        @Override
        public Histogram histogram(String name, String help, double[] buckets, String... labels) {
            return NONE.histogram(name, help, buckets, labels);
        }

        @Override
        public Registration gauge(String name, String help, DoubleSupplier value, String... labels) {
            return NONE.gauge(name, help, value, labels);
        }
    }

    private static final class CounterMetrics extends DelegatingMetrics {
        private final Thrower thrower;

        CounterMetrics(Thrower thrower) {
            this.thrower = thrower;
        }

        @Override
        public Counter counter(String name, String help, String... labels) {
            return amount -> thrower.call();
        }
    }

    private static final class HistogramMetrics extends DelegatingMetrics {
        private final Thrower thrower;

        HistogramMetrics(Thrower thrower) {
            this.thrower = thrower;
        }

        @Override
        public Histogram histogram(String name, String help, double[] buckets, String... labels) {
            return value -> thrower.call();
        }
    }
}
