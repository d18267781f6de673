package io.github.reconciler4j.grid;

import static io.github.reconciler4j.grid.DirectRow.logged;
import static io.github.reconciler4j.grid.DirectRow.thrown;

import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.manager.process.ProbeServer;
import io.github.reconciler4j.manager.process.ProbeServerOptions;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.source.RequestSource;
import io.github.reconciler4j.workqueue.RateLimiters;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Callbacks of components and sources, which run while an operator starts or stops. */
final class LifecycleCallbacks {

    private LifecycleCallbacks() {}

    static List<DirectRow> rows() {
        return Stream.concat(components().stream(), sources().stream()).toList();
    }

    private static List<DirectRow> components() {
        return List.of(
                lifecycle("start"),
                lifecycle("stop"),
                attribute("name"),
                attribute("group"),
                attribute("lease"),
                attribute("claims"),
                attribute("companions"),
                attribute("healthChecks"),
                logged("removal of a component", addAndRemove("removed"), "ManagedComponent#removed"),
                thrown(
                        "permissions of a component",
                        (operator, thrower) -> {
                            try (GridOperator other = operator.other()) {
                                other.manager.add(new Part("requiredPermissions", thrower));
                                other.manager.checkPermissions();
                            }
                        },
                        "ManagedComponent#requiredPermissions"));
    }

    private static List<DirectRow> sources() {
        return List.of(
                source("start", true),
                source("awaitSync", true),
                source("close", false),
                attached("attach"),
                attached("detach"),
                thrown(
                        "supplier of rate limiters",
                        (operator, thrower) -> {
                            try (GridOperator other = operator.other()) {
                                other.controller()
                                        .options(ControllerOptions.defaults()
                                                .withRateLimiter(() -> thrower.call(RateLimiters.defaults())))
                                        .reconciler((object, context) -> Result.done())
                                        .addTo(other.manager);
                                startAndStop(other, thrower, true);
                            }
                        },
                        "ControllerOptions#withRateLimiter(Supplier)"),
                logged(
                        "metrics of the probe server",
                        LifecycleCallbacks::scrape,
                        "ProbeServerOptions#withMetrics(Supplier)"));
    }

    /** Calls the thrower in one method. */
    private record Part(String method, Thrower thrower) implements ManagedComponent {

        private <T> T in(String called, T result) {
            return called.equals(method) ? thrower.call(result) : result;
        }

        @Override
        public String name() {
            return in("name", "part");
        }

        @Override
        public StartGroup group() {
            return in("group", StartGroup.ALL_REPLICAS);
        }

        @Override
        public String lease() {
            return in("lease", "");
        }

        @Override
        public Map<String, String> claims() {
            return in("claims", Map.of());
        }

        @Override
        public List<ManagedComponent> companions() {
            return in("companions", List.of());
        }

        @Override
        public List<HealthCheck> healthChecks() {
            return in("healthChecks", List.of());
        }

        @Override
        public List<RequiredPermission> requiredPermissions() {
            return in("requiredPermissions", List.of());
        }

        @Override
        public void start() {
            in("start", "");
        }

        @Override
        public void stop(Duration grace) {
            in("stop", "");
        }

        @Override
        public void removed() {
            in("removed", "");
        }
    }

    private static DirectRow lifecycle(String method) {
        return thrown(
                method + " of a component",
                (operator, thrower) -> {
                    try (GridOperator other = operator.other()) {
                        other.manager.add(new Part(method, thrower));
                        other.manager.start();
                        other.manager.stop();
                        other.manager.await();
                    }
                },
                "ManagedComponent#" + method);
    }

    private static DirectRow attribute(String method) {
        return thrown(method + " of a component", addAndRemove(method), "ManagedComponent#" + method);
    }

    private static DirectRow.Call addAndRemove(String method) {
        return (operator, thrower) -> {
            Part part = new Part(method, thrower);
            operator.manager.add(part);
            operator.manager.remove(part);
        };
    }

    /** Calls the thrower in one method. */
    private record Source(String method, Thrower thrower) implements RequestSource<String> {

        private void in(String called) {
            if (called.equals(method)) {
                thrower.call();
            }
        }

        @Override
        public String name() {
            return "source";
        }

        @Override
        public void attach(String controller) {
            in("attach");
        }

        @Override
        public void detach(String controller) {
            in("detach");
        }

        @Override
        public Running start(RequestSink<String> sink) {
            in("start");
            return new Running() {
                @Override
                public void awaitSync(Duration timeout) {
                    in("awaitSync");
                }

                @Override
                public void close() {
                    in("close");
                }
            };
        }
    }

    private static DirectRow source(String method, boolean thrown) {
        DirectRow.Call call = (operator, thrower) -> {
            try (GridOperator other = operator.other()) {
                other.seenRequests().source(new Source(method, thrower)).addTo(other.manager);
                startAndStop(other, thrower, thrown);
            }
        };
        String name = method + " of a source";
        String type = method.equals("start") ? "RequestSource#" : "RequestSource.Running#";
        return thrown ? thrown(name, call, type + method) : logged(name, call, type + method);
    }

    /** The components start in the background; one that fails stops the manager. */
    private static void startAndStop(GridOperator operator, Thrower thrower, boolean fails)
            throws InterruptedException {
        boolean armed = !thrower.hasThrown();
        operator.manager.start();
        if (armed && fails) {
            GridOperator.await(
                    "the manager stops", () -> !operator.manager.status().running());
        } else {
            operator.awaitRunning();
        }
        operator.manager.stop();
        operator.manager.await();
    }

    private static DirectRow attached(String method) {
        return thrown(
                method + " of a source",
                (operator, thrower) -> {
                    Controller<String> controller = Controller.create(
                            "grid",
                            (request, context) -> Result.done(),
                            ControllerOptions.defaults(),
                            OperatorMetrics.NONE);
                    Source source = new Source(method, thrower);
                    controller.watch(source);
                    controller.unwatch(source);
                },
                "RequestSource#" + method);
    }

    private static void scrape(GridOperator operator, Thrower thrower) throws Exception {
        boolean mustSucceed = thrower.hasThrown();
        try (GridOperator other = operator.other()) {
            ProbeServer probes = ProbeServer.addTo(
                    other.manager,
                    ProbeServerOptions.defaults().withAddress("127.0.0.1", 0).withMetrics(() -> thrower.call("a 1\n")));
            other.manager.start();
            URI uri = URI.create("http://127.0.0.1:" + probes.port() + "/metrics");
            HttpRequest request = HttpRequest.newBuilder(uri).build();
            HttpClient client = HttpClient.newHttpClient();
            int first = client.send(request, BodyHandlers.discarding()).statusCode();
            int second = client.send(request, BodyHandlers.discarding()).statusCode();
            if (mustSucceed && first != 200 || second != 200) {
                throw new IllegalStateException("Scrapes returned " + first + " and " + second);
            }
        }
    }
}
