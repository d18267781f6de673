package io.github.reconciler4j.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.process.ProbeServer;
import io.github.reconciler4j.manager.process.ProbeServerOptions;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import io.github.reconciler4j.webhook.fixtures.Forwarder;
import io.github.reconciler4j.webhook.fixtures.Widget;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * All replicas are down, and a real API server needs one of them to convert the objects that they list. As a Service does, the
 * {@link Forwarder} leads to ready replicas only.
 */
@RealKubernetesTest
class ConversionReadinessIntegrationTests {

    private static final String BETA = "widgets.v1beta1.webhook.example.com";
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final RealKubernetes kubernetes;
    private final String namespace;
    private final Forwarder service = new Forwarder();
    private Operator operator;

    ConversionReadinessIntegrationTests(RealKubernetes kubernetes) throws IOException {
        this.kubernetes = kubernetes;
        this.namespace = kubernetes.createNamespace("readiness");
    }

    @AfterEach
    void stop() throws IOException, InterruptedException {
        operator.stop();
        service.close();
        kubernetes.kubectl("patch", "crd", Widget.NAME, "--type=merge", "-p", """
                {"spec": {"conversion": {"strategy": "None", "webhook": null}}}""");
        kubernetes.kubectl("delete", "crd", Widget.NAME);
    }

    @Test
    void replicaWhenItsListNeedsItsConversionBecomesReadyAndSyncs() throws Exception {
        kubernetes.applyDefinitions(Widget.DEFINITION);
        kubernetes.kubectlWithInput(Serialization.asYaml(Widget.of(namespace, "stored", "web")), "create", "-f", "-");
        operator = new Operator();
        eventually("conversion works").ignoreExceptions().until(() -> listBeta().equals("web"));
        operator.stop();
        // The API server forgets what it has converted when a definition changes.
        kubernetes.kubectl("patch", "crd", Widget.NAME, "--type=json", "-p", """
                [{"op": "add", "path": "/spec/versions/1/additionalPrinterColumns",
                "value": [{"name": "Size", "type": "integer", "jsonPath": ".spec.size"}]}]""");
        eventually("lists need the operator")
                .untilAsserted(() -> assertThatThrownBy(this::listBeta)
                        .hasMessageMatching("(?s).*(conversion webhook|initializ).*"));

        operator = new Operator();

        eventually("the caches are synced")
                .until(() -> operator.manager.status().running());
        assertThat(operator.manager.cache().kinds()).allSatisfy(kind -> {
            assertThat(kind.synced()).isTrue();
            assertThat(kind.objects()).isEqualTo(1);
        });
        assertThat(operator.readyBeforeCaches).isTrue();
    }

    /** Returns the converted field of the objects. */
    private String listBeta() {
        return kubernetes.kubectl(
                "-n", namespace, "get", BETA, "--request-timeout=5s", "-o", "jsonpath={.items[*].spec.imageName}");
    }

    private static ConditionFactory eventually(String what) {
        return await(what).atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(100));
    }

    /** A replica that watches the version which is not stored. It is an endpoint of the Service while it is ready. */
    private final class Operator {
        private final Manager manager =
                Manager.create(kubernetes.config(), ManagerOptions.defaults().withName("readiness"));
        private final ProbeServer probes =
                ProbeServer.addTo(manager, ProbeServerOptions.defaults().withAddress("127.0.0.1", 0));
        private final WebhookServer server;
        private final Thread starter = new Thread(manager::start, "start");
        private final Thread endpoints = new Thread(this::updateEndpoints, "endpoints");
        private volatile boolean stopped;
        private volatile boolean readyBeforeCaches;

        Operator() {
            server = WebhookServer.addTo(
                    manager,
                    Webhooks.builder()
                            .converter(Widget.class, Widget.Beta.class, new Widget.BetaConverter())
                            .build(),
                    OwnCertificates.create(OwnCertificateOptions.defaults().withNamespace(namespace)),
                    WebhookServerOptions.defaults()
                            .withHost("127.0.0.1")
                            .withPort(0)
                            .withUrl(URI.create("https://127.0.0.1:" + service.port()))
                            .withApply(true));
            manager.cache().informer(Widget.Beta.class);
            starter.start();
            endpoints.start();
        }

        private void updateEndpoints() {
            int endpoint = 0;
            while (!stopped) {
                if (isReady() && endpoint == 0) {
                    readyBeforeCaches |= !manager.status().running(); // a slow probe can make it unready in between
                    endpoint = server.port();
                    service.add(endpoint);
                } else if (!isReady() && endpoint != 0) {
                    service.remove(endpoint);
                    endpoint = 0;
                }
            }
            service.remove(endpoint);
        }

        private boolean isReady() {
            try {
                Thread.sleep(50);
                URI uri = URI.create("http://127.0.0.1:" + probes.port() + "/readyz");
                return HTTP.send(
                                        HttpRequest.newBuilder(uri)
                                                .timeout(Duration.ofSeconds(5))
                                                .build(),
                                        HttpResponse.BodyHandlers.discarding())
                                .statusCode()
                        == 200;
            } catch (IOException | IllegalArgumentException e) {
                return false;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        void stop() throws InterruptedException {
            stopped = true;
            endpoints.join();
            manager.stop();
            starter.join();
        }
    }
}
