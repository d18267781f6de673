package io.github.reconciler4j.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.webhook.fixtures.TestCertificates;
import io.github.reconciler4j.webhook.fixtures.Widget;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Calls that run when the server stops, and those of clients that are connected by then, are answered. */
class StopTests {

    private static final int CALLS = 64;

    private final TestCertificates certificates = new TestCertificates();
    private final Semaphore entered = new Semaphore(0);
    private final CountDownLatch released = new CountDownLatch(1);

    private String call(int port, CountDownLatch connected, CountDownLatch go) {
        try (SSLSocket socket =
                (SSLSocket) certificates.trusting().getSocketFactory().createSocket("127.0.0.1", port)) {
            connected.countDown();
            go.await();
            byte[] body =
                    ("{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"request\":{\"uid\":\"1\","
                                    + "\"kind\":{\"group\":\"webhook.example.com\",\"version\":\"v1\",\"kind\":\"Widget\"},"
                                    + "\"operation\":\"CREATE\",\"object\":{\"spec\":{}}}}")
                            .getBytes(StandardCharsets.UTF_8);
            OutputStream out = socket.getOutputStream();
            out.write(("POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: "
                            + body.length + "\r\n\r\n")
                    .getBytes(StandardCharsets.UTF_8));
            out.write(body);
            out.flush();
            return new String(socket.getInputStream().readNBytes(12), StandardCharsets.UTF_8);
        } catch (Exception e) {
            return e.toString();
        }
    }

    private String path = "";

    private WebhookServer server(Manager manager) {
        Webhooks webhooks = Webhooks.builder()
                .validator(Widget.class, (widget, validation) -> {
                    entered.release();
                    released.await();
                })
                .build();
        path = webhooks.endpoints().iterator().next().path();
        return WebhookServer.addTo(
                manager,
                webhooks,
                certificates,
                WebhookServerOptions.defaults()
                        .withHost("127.0.0.1")
                        .withPort(0)
                        .withUrl(URI.create("https://127.0.0.1:1")));
    }

    @Test
    void callsWhenTheServerStopsAreAnswered() throws Exception {
        try (KubernetesServer kubernetes = KubernetesServer.start();
                Manager manager = Manager.create(
                        kubernetes.clientConfig(), ManagerOptions.defaults().withName("widgets"))) {
            WebhookServer server = server(manager);
            server.start();
            CountDownLatch connected = new CountDownLatch(CALLS);
            CountDownLatch now = new CountDownLatch(0);
            CountDownLatch later = new CountDownLatch(1);
            List<CompletableFuture<String>> answers = new ArrayList<>();
            int port = server.port();
            for (int i = 0; i < CALLS; i++) {
                CountDownLatch go = i % 2 == 0 ? now : later;
                answers.add(CompletableFuture.supplyAsync(
                        () -> call(port, connected, go), task -> new Thread(task).start()));
            }
            entered.acquire(CALLS / 2);
            connected.await(); // half of the clients have no more than a connection

            CompletableFuture<Void> stop = CompletableFuture.runAsync(
                    () -> server.stop(Duration.ofSeconds(30)), task -> new Thread(task).start());
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> !server.healthChecks().get(0).check().ready());
            later.countDown();
            entered.acquire(CALLS / 2);
            released.countDown();
            stop.join();

            assertThat(answers).allSatisfy(answer -> assertThat(answer.join()).isEqualTo("HTTP/1.1 200"));
        }
    }
}
