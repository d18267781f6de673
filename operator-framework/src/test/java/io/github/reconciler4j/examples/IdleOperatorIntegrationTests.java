package io.github.reconciler4j.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.fixtures.Definitions;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The operator of the README sends one write for each object, one read after a restart, and nothing while nothing changes. */
@RealKubernetesTest(
        dedicated = true,
        components = {}) // controllers of Kubernetes would read ConfigMaps, too
@Timeout(300)
class IdleOperatorIntegrationTests {

    private static final int GREETINGS = 300;
    private static final Duration TIMEOUT = Duration.ofSeconds(120);
    private static final Duration IDLE = Duration.ofSeconds(3);

    private static final String CRD = Definitions.of(
            "examples.reconciler4j.io", "Greeting", "{}", "spec: {type: object, properties: {name: {type: string}}}");

    /** What the API server counts, for the kinds of the operator. Watches count when they end. */
    private static final Pattern COUNTED = Pattern.compile(
            "apiserver_request_total\\{[^}]*resource=\"(greetings|configmaps)\"[^}]*verb=\"(\\w+)\"[^}]*} (\\d+)");

    private final RealKubernetes kubernetes;
    private final String namespace;
    private final ApiConnection connection;

    IdleOperatorIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
        this.namespace = kubernetes.createNamespace("idle-greetings");
        this.connection = ApiConnection.open(kubernetes.config());
    }

    @AfterEach
    void close() {
        connection.close();
        kubernetes.kubectl("delete", "crd", "greetings.examples.reconciler4j.io", "--ignore-not-found");
    }

    private Map<String, Long> requests() {
        ApiRequest metrics = ApiRequest.of("get", "GET", "/metrics").withAccept("*/*");
        String text = new String(connection.send(metrics).body(), StandardCharsets.UTF_8);
        Map<String, Long> requests = new TreeMap<>();
        for (MatchResult counted : COUNTED.matcher(text).results().toList()) {
            if (!counted.group(2).equals("WATCH")) {
                requests.merge(counted.group(2) + " " + counted.group(1), Long.parseLong(counted.group(3)), Long::sum);
            }
        }
        return requests;
    }

    private Map<String, Long> since(Map<String, Long> before) {
        Map<String, Long> requests = requests();
        before.forEach((name, count) -> requests.merge(name, -count, Long::sum));
        requests.values().removeIf(count -> count == 0);
        return requests;
    }

    private Greeting greeting(int number) {
        Greeting greeting = new Greeting();
        greeting.setMetadata(new ObjectMetaBuilder()
                .withNamespace(namespace)
                .withName("g" + number)
                .build());
        greeting.setSpec(new Greeting.Spec());
        greeting.getSpec().setName("number " + number);
        return greeting;
    }

    private void awaitAll(Manager manager) {
        Client client = manager.client();
        await("a ConfigMap for each greeting")
                .atMost(TIMEOUT)
                .until(() ->
                        client.list(Kind.of("v1", "ConfigMap").metadata(), Selection.inNamespace(namespace)).stream()
                                        .filter(header ->
                                                !header.ownerReferences().isEmpty())
                                        .count()
                                == GREETINGS);
    }

    /** Wait until nothing is queued, and no request has been sent for a while. */
    private Map<String, Long> awaitIdle(Manager manager) {
        HealthCheck controller = manager.healthChecks().stream()
                .filter(check -> check.name().equals("controller/greeting"))
                .findFirst()
                .orElseThrow();
        Map<String, Long> last = new TreeMap<>();
        await("no request")
                .atMost(TIMEOUT)
                .pollInterval(Duration.ofMillis(500))
                .during(IDLE)
                .until(() -> {
                    Map<String, Long> now = requests();
                    boolean same = now.equals(last);
                    last.clear();
                    last.putAll(now);
                    return same
                            && Integer.valueOf(0)
                                    .equals(controller.check().details().get("queued"));
                });
        return last;
    }

    @Test
    void operatorWritesEachObjectOnceReadsItOnceAfterARestartAndIsIdleThen() throws Exception {
        kubernetes.applyDefinitions(CRD);
        Client client = Client.create(connection, Scheme.create(), ClientOptions.defaults());
        for (int i = 0; i < GREETINGS; i++) {
            client.create(greeting(i));
        }
        Map<String, Long> before = requests();
        try (Manager manager = GreetingOperator.create(kubernetes.config())) {
            manager.start();
            awaitAll(manager);
            Map<String, Long> idle = awaitIdle(manager);

            assertThat(since(before)).containsEntry("APPLY configmaps", (long) GREETINGS);
            assertThat(since(before)).doesNotContainKeys("GET configmaps", "GET greetings");

            kubernetes.kubectl("-n", namespace, "label", "greetings", "--all", "touched=yes");
            awaitIdle(manager);

            assertThat(since(idle)).doesNotContainKeys("APPLY configmaps", "GET configmaps");
        }
        Map<String, Long> start = requests();
        try (Manager manager = GreetingOperator.create(kubernetes.config())) {
            manager.start();
            awaitAll(manager);
            await("each object is compared")
                    .atMost(TIMEOUT)
                    .until(() -> since(start).getOrDefault("GET configmaps", 0L) >= GREETINGS);
            Map<String, Long> idle = awaitIdle(manager);

            assertThat(since(start)).containsEntry("GET configmaps", (long) GREETINGS);
            assertThat(since(start)).doesNotContainKeys("APPLY configmaps", "GET greetings");
            assertThat(since(idle)).isEmpty();
        }
    }
}
