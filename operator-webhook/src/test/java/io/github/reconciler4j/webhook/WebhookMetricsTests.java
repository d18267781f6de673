package io.github.reconciler4j.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.github.reconciler4j.manager.ComponentNotReadyException;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.webhook.fixtures.Widget;
import io.github.reconciler4j.webhook.fixtures.WidgetRules;
import io.github.reconciler4j.webhook.internal.Dispatcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics of webhooks have the names of controller-runtime, and docs/metrics.md lists them. */
class WebhookMetricsTests {

    private static final List<String> NAMES = List.of(
            "certwatcher_read_certificate_errors_total",
            "certwatcher_read_certificate_total",
            "controller_runtime_conversion_webhook_panics_total",
            "controller_runtime_webhook_latency_seconds",
            "controller_runtime_webhook_panics_total",
            "controller_runtime_webhook_requests_in_flight",
            "controller_runtime_webhook_requests_total");

    private final Recorder metrics = new Recorder();

    @Test
    void metricsWhenRegisteredHaveTheNamesOfControllerRuntimeAndAreDocumented(@TempDir Path folder) throws IOException {
        registerAll(folder);

        assertThat(metrics.values.keySet()).containsExactlyInAnyOrderElementsOf(NAMES);
        String document = Files.readString(Path.of("../docs/metrics.md"));
        assertThat(NAMES).allSatisfy(name -> assertThat(document).contains("`" + name + "`"));
    }

    @Test
    void certificateFilesWhenMissingAreCountedAsErrors(@TempDir Path folder) {
        registerAll(folder);

        assertThat(metrics.values)
                .containsEntry("certwatcher_read_certificate_total", 1.0)
                .containsEntry("certwatcher_read_certificate_errors_total", 1.0);
    }

    private void registerAll(Path folder) {
        Webhooks webhooks =
                Webhooks.builder().validator(Widget.class, new WidgetRules()).build();
        new Dispatcher(webhooks.endpoints(), metrics, false).close();
        try {
            FileCertificates.in(folder).start(new FakeServer(metrics, webhooks));
        } catch (ComponentNotReadyException e) {
            assertThat(e).hasMessageContaining("cannot read");
        }
    }

    private record FakeServer(OperatorMetrics metrics, Webhooks webhooks) implements CertificateSource.Server {
        @Override
        public List<String> hosts() {
            return List.of("localhost");
        }

        @Override
        public WebhookServerOptions options() {
            return WebhookServerOptions.defaults();
        }

        @Override
        public io.github.reconciler4j.client.Client client() {
            throw new KubernetesClientException("not needed");
        }

        @Override
        public void use(ServerCertificate certificate) {}
    }

    private static final class Recorder implements OperatorMetrics {
        private final Map<String, Double> values = new TreeMap<>();

        @Override
        public Counter counter(String name, String help, String... labels) {
            values.putIfAbsent(name, 0.0);
            return amount -> values.merge(name, amount, Double::sum);
        }

        @Override
        public Histogram histogram(String name, String help, double[] buckets, String... labels) {
            values.putIfAbsent(name, 0.0);
            return value -> {};
        }

        @Override
        public Registration gauge(String name, String help, DoubleSupplier value, String... labels) {
            values.putIfAbsent(name, 0.0);
            return () -> {};
        }
    }
}
