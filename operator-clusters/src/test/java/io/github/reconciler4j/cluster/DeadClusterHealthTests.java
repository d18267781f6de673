package io.github.reconciler4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.fixtures.LoopbackListener;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.fixtures.ScriptedServer.Received;
import io.github.reconciler4j.fixtures.TestCertificates;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.manager.LifecycleOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.permission.Preflight;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The health of a cluster that cannot be used says why, whatever the cluster answers and from which request on. */
@Timeout(180)
class DeadClusterHealthTests {

    /** The requests of a start, in their order. */
    private static final List<String> PHASES = List.of("/readyz", "selfsubjectaccessreviews", "/api/v1?", "configmaps");

    private final List<AutoCloseable> servers = new ArrayList<>();
    private final Map<String, Config> clusters = new LinkedHashMap<>();
    private final Map<String, List<String>> expected = new LinkedHashMap<>();

    @TempDir
    private Path folder;

    private enum Answer {
        STATUS_400("400"),
        STATUS_401("R4J-00"),
        STATUS_403("R4J-001"),
        STATUS_404("R4J-010"),
        STATUS_429("429"),
        STATUS_500("500"),
        STATUS_503("503"),
        HTML_502("502"),
        REDIRECT("302"),
        HTML("no JSON object"),
        NOTHING("within"),
        EMPTY("empty"),
        OTHER_PROTOCOL("R4J-024"),
        CLOSED("the connection ended");

        private final String reason;

        Answer(String reason) {
            this.reason = reason;
        }

        /** Whether the first request of a start shows that the cluster cannot be used. */
        boolean isRefused() {
            return !List.of(STATUS_403, STATUS_404, HTML, EMPTY).contains(this);
        }

        void write(OutputStream out) throws Exception {
            switch (this) {
                case REDIRECT -> out.write(ScriptedServer.json(302, "", "Location: http://127.0.0.1:1/"));
                case HTML_502 -> out.write(ScriptedServer.json(502, "<html>Bad gateway</html>"));
                case HTML -> out.write(ScriptedServer.json(200, "<html>sign in</html>"));
                case EMPTY -> out.write(ScriptedServer.json(200, ""));
                case OTHER_PROTOCOL -> {
                    out.write("220 mail.example ESMTP\r\n".getBytes(StandardCharsets.US_ASCII));
                    out.flush();
                    throw new IOException();
                }
                case CLOSED -> throw new IOException();
                case NOTHING -> ScriptedServer.stall();
                default -> {
                    int code = Integer.parseInt(name().substring("STATUS_".length()));
                    out.write(ScriptedServer.status(code, "Drawn", "not today", "{}"));
                }
            }
        }
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable server : servers) {
            server.close();
        }
    }

    private static void answer(Received request, OutputStream out, int from, Answer answer) throws Exception {
        String target = request.target();
        int phase = 0;
        while (phase < PHASES.size() && !target.contains(PHASES.get(phase))) {
            phase++;
        }
        if (phase >= from) {
            answer.write(out);
            return;
        }
        switch (phase) {
            case 1 ->
                out.write(ScriptedServer.json(
                        201, request.body().replaceFirst("\\{", "{\"status\":{\"allowed\":true},")));
            case 2 ->
                out.write(
                        ScriptedServer.json(
                                200,
                                "{\"kind\":\"APIResourceList\",\"groupVersion\":\"v1\",\"resources\":[{\"name\":\"configmaps\","
                                        + "\"kind\":\"ConfigMap\",\"namespaced\":true,\"verbs\":[\"list\",\"watch\",\"get\"]}]}"));
            default -> out.write(ScriptedServer.json(200, "ok"));
        }
    }

    private static Config config(String address) {
        return new ConfigBuilder(Config.empty()).withMasterUrl(address).build();
    }

    private ScriptedServer keep(ScriptedServer server) {
        servers.add(server);
        return server;
    }

    private void add(String name, Config config, String... texts) {
        clusters.put(name, config);
        expected.put(name, List.of(texts));
    }

    private void addAnswering() {
        for (int from = 0; from < PHASES.size(); from++) {
            int first = from;
            for (Answer answer : Answer.values()) {
                ScriptedServer server =
                        keep(ScriptedServer.start((request, out) -> answer(request, out, first, answer)));
                String[] texts = from == 0 && answer.isRefused()
                        ? new String[] {server.address(), answer.reason}
                        : new String[] {answer == Answer.NOTHING ? "the initial list is not complete" : answer.reason};
                add(answer + "-" + from, config(server.address()), texts);
            }
        }
    }

    private void addEncrypted() {
        ScriptedServer plain = keep(ScriptedServer.start((request, out) -> out.write(ScriptedServer.json(200, "ok"))));
        String plainAsTls = plain.address().replace("http:", "https:");
        add("tls-to-plain", config(plainAsTls), plainAsTls, "no response from");
        TestCertificates certificates = TestCertificates.create("localhost");
        ScriptedServer tls = keep(ScriptedServer.startTls(certificates, false, (request, out) -> {}));
        add("plain-to-tls", config(tls.address()), tls.address(), "no response from");
        String named = "https://localhost:" + tls.port();
        add(
                "other-authority",
                TestCertificates.create("localhost").config(named),
                named,
                "R4J-022",
                "check the CA certificate");
        String address = "https://127.0.0.1:" + tls.port();
        add("other-name", certificates.config(address), address, "R4J-022", "No subject alternative names matching");
        ScriptedServer asking = keep(ScriptedServer.startTls(certificates, true, (request, out) -> {}));
        String asked = "https://localhost:" + asking.port();
        add("no-client-certificate", certificates.config(asked), asked, "no response from");
    }

    private void addWithoutServer() throws IOException {
        LoopbackListener closed = new LoopbackListener("closed", socket -> {});
        closed.close();
        String refused = "http://127.0.0.1:" + closed.port();
        add("refused", config(refused), refused, "refused");
        add("unknown-host", config("https://nowhere.invalid"), "nowhere.invalid", "no address");
        Path token = Files.writeString(folder.resolve("token"), "one\ntwo");
        add("token", file("token", "tokenFile: token"), token.toString(), "line break");
        add(
                "no-token",
                file("no-token", "tokenFile: missing"),
                folder.resolve("missing").toString());
        add(
                "plug-in",
                file(
                        "plug-in",
                        "exec: {apiVersion: client.authentication.k8s.io/v1, command: no-such-command,"
                                + " interactiveMode: Never}"),
                "no-such-command");
    }

    private Config file(String name, String user) throws IOException {
        Path file = Files.writeString(folder.resolve(name + ".kubeconfig"), """
                current-context: c
                contexts: [{name: c, context: {cluster: c, user: u}}]
                clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
                users: [{name: u, user: {%s}}]
                """.formatted(user));
        return Config.fromKubeconfig(file.toFile());
    }

    @Test
    void healthWhateverAClusterAnswersSaysWhyItCannotBeUsed() throws Exception {
        addAnswering();
        addEncrypted();
        addWithoutServer();
        ManagerOptions options = ManagerOptions.defaults()
                .withLifecycle(LifecycleOptions.defaults()
                        .withRetryDelays(Duration.ofMillis(200), Duration.ofSeconds(1))
                        .withGracefulShutdown(Duration.ZERO))
                .withCache(CacheOptions.defaults()
                        .withWatch(WatchOptions.defaults()
                                .withBackoff(Duration.ofMillis(800), Duration.ofSeconds(2))
                                .withListMode(WatchOptions.ListMode.PAGED)));
        try (KubernetesServer home = KubernetesServer.start();
                Manager manager = Manager.create(home.clientConfig(), options)) {
            Clusters.of(manager)
                    .addControllers(
                            ControllerBuilder.of(ConfigMap.class).reconciler((object, context) -> Result.done()),
                            cluster -> !cluster.name().isEmpty());
            manager.start();
            clusters.forEach((name, config) -> Clusters.of(manager).add(name, config));
            Awaitility.await("all say why")
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(expected).allSatisfy((name, texts) -> {
                        assertThat(health(manager, "cache/" + name)).satisfies(health -> {
                            assertThat(health.alive() && health.ready()).isTrue();
                            assertThat(health.details().toString()).contains(texts);
                        });
                        HealthCheck.Health controller = health(manager, "controller/configmap@" + name);
                        assertThat(controller.details()).containsEntry("available", false);
                    }));
        }
    }

    @Test
    void healthWhenPermissionsAreMissingAndRequiredSaysWhich() {
        ScriptedServer server = keep(ScriptedServer.start((request, out) -> out.write(
                request.method().equals("POST")
                        ? ScriptedServer.json(
                                201, request.body().replaceFirst("\\{", "{\"status\":{\"allowed\":false},"))
                        : ScriptedServer.json(200, "ok"))));
        ManagerOptions options = ManagerOptions.defaults()
                .withLifecycle(LifecycleOptions.defaults()
                        .withPreflight(Preflight.FAIL)
                        .withGracefulShutdown(Duration.ZERO));
        try (KubernetesServer home = KubernetesServer.start();
                Manager manager = Manager.create(home.clientConfig(), options)) {
            Clusters.of(manager).add("denying", server.config()).cache().informer(ConfigMap.class);
            manager.start();
            Awaitility.await("the reason")
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(
                                    health(manager, "cache/denying").details())
                            .containsEntry("available", false)
                            .hasEntrySatisfying(
                                    "failure",
                                    failure -> assertThat(failure.toString()).contains("R4J-002", "configmaps")));
        }
    }

    private static HealthCheck.Health health(Manager manager, String name) {
        return manager.healthChecks().stream()
                .filter(check -> check.name().equals(name))
                .findFirst()
                .orElseThrow()
                .check();
    }
}
