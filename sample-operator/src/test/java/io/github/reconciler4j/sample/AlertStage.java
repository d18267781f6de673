package io.github.reconciler4j.sample;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.LimitRangeBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.cluster.TestClusterOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in this JVM with an operator whose clocks advance minute by minute. In each minute the operator has some work. Used by
 * one thread.
 */
final class AlertStage implements AutoCloseable {

    static final String ROUTINE = "routine";

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final Path folder;
    private final TestCluster cluster;
    private final KubernetesClient client;
    private final FaultyParts.Hooks hooks = new FaultyParts.Hooks();
    private final String namespace;
    private AlertOperator operator;
    private @Nullable AlertOperator standby;
    private ScrapeRecording recording = new ScrapeRecording(metric -> true);
    private final AtomicInteger rounds = new AtomicInteger();

    AlertStage(Path folder) throws Exception {
        this.folder = folder;
        this.cluster = TestCluster.start(TestClusterOptions.defaults()
                .withCluster("deployment", "replicaset")
                .withServer(builder -> builder.bookmarkInterval(Duration.ofMillis(20))));
        Config config = cluster.config();
        config.setRequestRetryBackoffLimit(0);
        this.client = new KubernetesClientBuilder().withConfig(config).build();
        this.namespace = cluster.createNamespace("alerts");
        renewCertificate(365);
        this.operator = startOperator("sample-0");
        client.resource(new LimitRangeBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(ROUTINE)
                        .endMetadata()
                        .withNewSpec()
                        .endSpec()
                        .build())
                .create();
    }

    /** Waits for something that the operator does soon. */
    static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(LIMIT).pollInterval(Duration.ofMillis(5));
    }

    private AlertOperator startOperator(String pod, String... more) throws Exception {
        int port = Prometheus.freePort();
        return AlertOperator.start(
                cluster,
                hooks,
                pod,
                List.of(
                        "--spring.ssl.bundle.jks.web.keystore.location=file:" + keystore(),
                        "--spring.ssl.bundle.jks.web.keystore.password=" + ROUTINE,
                        "--spring.ssl.bundle.jks.web.reload-on-update=true",
                        "--spring.ssl.bundle.watch.file.quiet-period=50ms",
                        "--reconciler4j.brake.coverage=all",
                        "--reconciler4j.webhook.enabled=" + pod.equals("sample-0"),
                        "--reconciler4j.webhook.host=127.0.0.1",
                        "--reconciler4j.webhook.port=" + port,
                        "--reconciler4j.webhook.url=https://127.0.0.1:" + port,
                        "--reconciler4j.webhook.drain=0s",
                        "--reconciler4j.webhook.apply-configurations=true",
                        "--reconciler4j.webhook.certificates.secret-namespace=default"));
    }

    private Path keystore() {
        return folder.resolve("web.p12");
    }

    /** Replaces the certificate of the bundle by one that is valid for some days, as what renews it does. */
    void renewCertificate(int days) throws Exception {
        Path renewed = folder.resolve("renewed.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        renewed.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        ROUTINE,
                        "-alias",
                        "tls",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=web",
                        "-validity",
                        Integer.toString(days))
                .inheritIO()
                .start();
        if (keytool.waitFor() != 0) {
            throw new AssertionError("keytool failed");
        }
        Files.move(renewed, keystore(), StandardCopyOption.REPLACE_EXISTING);
    }

    KubernetesServer server() {
        return cluster.server().orElseThrow();
    }

    KubernetesClient client() {
        return client;
    }

    FaultyParts.Hooks hooks() {
        return hooks;
    }

    String namespace() {
        return namespace;
    }

    AlertOperator operator() {
        return operator;
    }

    AlertOperator standby() {
        return Objects.requireNonNull(standby, "no standby");
    }

    void startStandby() throws Exception {
        standby = startOperator("sample-1");
    }

    void stopStandby() {
        standby().close();
        standby = null;
    }

    /** Stops the operator. Its pod answers no more. */
    void stopOperator() {
        operator.close();
    }

    void restartOperator() throws Exception {
        operator = startOperator("sample-0");
        awaitLeader(operator);
    }

    /** Waits while time passes: a lease is acquired after minutes. */
    void awaitLeader(AlertOperator candidate) {
        await(candidate.pod() + " leads").until(() -> {
            candidate.passMinuteOfElection();
            return candidate.isLeader();
        });
    }

    /** Waits while no time passes: what still runs seconds after the lease is lost stops the operator. */
    void awaitStandby() {
        await("the operator stands by").until(operator::standsBy);
    }

    /** Starts a recording and returns it. */
    ScrapeRecording record(ScrapeRecording next) {
        recording = next;
        return next;
    }

    /** Lets minutes pass in which nothing happens. */
    void idle(int minutes) {
        for (int minute = 0; minute < minutes; minute++) {
            pass("");
        }
    }

    /** Lets minutes pass in which the operator does its work, and waits for it. */
    void work(int minutes) {
        for (int minute = 0; minute < minutes; minute++) {
            reconcileAccount(ROUTINE);
            reconcileWebApp(ROUTINE);
            pass("");
        }
    }

    /** Lets a fault last for some minutes, with work that it may prevent. */
    void suffer(AlertFault fault, int minutes) throws Exception {
        fault.started().run(this);
        for (int minute = 0; minute < minutes; minute++) {
            if (operator.isRunning()) { // it has the webhooks of the kind
                changeWebApp(ROUTINE);
            }
            fault.repeated().run(this);
            pass(fault.silentKind());
        }
        fault.ended().run(this);
        hooks.clear();
        server().faults().clear();
    }

    /** Lets a minute pass and scrapes. */
    private void pass(String silentKind) {
        Map<String, Optional<String>> scrapes = new LinkedHashMap<>();
        for (AlertOperator each : standby == null ? List.of(operator) : List.of(operator, standby)) {
            each.clock().advance(MINUTE);
            if (each.isRunning()) {
                await("leases and caches are up to date").until(() -> each.outdated(silentKind), List::isEmpty);
            }
            scrapes.put(each.pod(), each.scrape());
        }
        recording.add(scrapes);
    }

    /** Changes a service account, which leads to a reconciliation. */
    void changeAccount(String name) {
        client.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .addToAnnotations("round", Integer.toString(rounds.incrementAndGet()))
                        .endMetadata()
                        .build())
                .forceConflicts()
                .serverSideApply();
    }

    /** Changes a service account, and waits for its reconciliation. */
    void reconcileAccount(String name) {
        long before = hooks.accountsReconciled.get();
        changeAccount(name);
        await("the account is reconciled").until(() -> hooks.accountsReconciled.get() > before);
    }

    /** Changes a WebApp, and waits for its reconciliation. */
    void reconcileWebApp(String name) {
        Long generation = changeWebApp(name).getMetadata().getGeneration();
        await("the WebApp is reconciled").until(() -> {
            WebAppStatus status = client.resources(WebApp.class)
                    .inNamespace(namespace)
                    .withName(name)
                    .get()
                    .getStatus();
            return status != null && generation.equals(status.getObservedGeneration());
        });
    }

    private WebApp changeWebApp(String name) {
        WebApp app = client.getKubernetesSerialization()
                .unmarshal(WebApps.yaml(name, "replicas: " + (1 + rounds.incrementAndGet() % 3)), WebApp.class);
        return client.resource(app).inNamespace(namespace).forceConflicts().serverSideApply();
    }

    /** A ConfigMap of the namespace. */
    ConfigMapBuilder map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .addToData("round", Integer.toString(rounds.incrementAndGet()));
    }

    @Override
    public void close() {
        if (standby != null) {
            standby.close();
        }
        operator.close();
        client.close();
        cluster.close();
    }
}
