package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Access to the actuator endpoints as a real API server decides it, on the port of the application and on one of their own. */
@RealKubernetesTest
class SecuredMetricsIntegrationTests {

    private final RealKubernetes kubernetes;

    SecuredMetricsIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
    }

    @Test
    void metricsWhenAuthorizationIsOnNeedATokenWithAccess() throws Exception {
        String namespace = kubernetes.createNamespace("metrics");
        kubernetes.kubectl("create", "serviceaccount", "reader", "--namespace", namespace);
        kubernetes.kubectl("create", "serviceaccount", "stranger", "--namespace", namespace);
        kubernetes.kubectlWithInput(role(namespace), "apply", "-f", "-");
        String reader = kubernetes.serviceAccountToken(namespace, "reader");
        String stranger = kubernetes.serviceAccountToken(namespace, "stranger");
        for (String port : new String[] {"local.server.port", "local.management.port"}) {
            try (ConfigurableApplicationContext context = application(port.contains("management"))) {
                String base = "http://localhost:" + context.getEnvironment().getRequiredProperty(port);
                assertThat(status(base + "/actuator/prometheus", reader)).isEqualTo(200);
                assertThat(status(base + "/actuator/prometheus", stranger)).isEqualTo(403);
                assertThat(status(base + "/actuator/prometheus", "forged")).isEqualTo(401);
                assertThat(status(base + "/actuator/prometheus", "")).isEqualTo(401);
                assertThat(status(base + "/actuator/reconciler4j", reader)).isEqualTo(403);
                assertThat(status(base + "/actuator/../actuator/prometheus", ""))
                        .isNotEqualTo(200);
                assertThat(status(base + "/%61ctuator/prometheus", "")).isNotEqualTo(200);
                assertThat(status(base + "/actuator/health/liveness", "")).isEqualTo(200);
            }
        }
    }

    private ConfigurableApplicationContext application(boolean ownPort) {
        return new SpringApplicationBuilder(SampleOperatorApplication.class)
                .initializers(context -> context.getBeanFactory().registerSingleton("config", kubernetes.config()))
                .run(
                        "--server.port=0",
                        ownPort ? "--management.server.port=0" : "--spring.main.banner-mode=off",
                        "--reconciler4j.auto-startup=false",
                        "--reconciler4j.webhook.enabled=false",
                        "--reconciler4j.management.authorization=true");
    }

    private static String role(String namespace) {
        return """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: operator-metrics-reader}
                rules:
                  - nonResourceURLs: ["/actuator/prometheus"]
                    verbs: ["get"]
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: operator-metrics-reader}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: operator-metrics-reader}
                subjects: [{kind: ServiceAccount, name: reader, namespace: %s}]
                """.formatted(namespace);
    }

    private static int status(String url, String token) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return HttpClient.newHttpClient()
                .send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}
