package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.autoconfigure.health.OperatorHealthAutoConfiguration;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import io.github.reconciler4j.webhook.CertificateSource;
import io.github.reconciler4j.webhook.OwnCertificateOptions;
import io.github.reconciler4j.webhook.OwnCertificates;
import io.github.reconciler4j.webhook.Validator;
import io.github.reconciler4j.webhook.internal.Authority;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.util.ReflectionTestUtils;

/** An application with a problem in its webhooks starts, its controllers work, and health and log name the cause and the fix. */
@ExtendWith(OutputCaptureExtension.class)
class WebhookWrongStartTests {

    private final KubernetesServer kubernetes = KubernetesServer.start();
    private final Manager user = Manager.create(kubernetes.clientConfig());
    private final Client client = user.client();

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    OperatorAutoConfiguration.class,
                    OperatorHealthAutoConfiguration.class,
                    WebhookAutoConfiguration.class))
            .withBean(Config.class, kubernetes::clientConfig)
            .withUserConfiguration(Application.class)
            .withPropertyValues(
                    "spring.application.name=shop",
                    "reconciler4j.webhook.host=127.0.0.1",
                    "reconciler4j.webhook.port=0",
                    "reconciler4j.webhook.drain=0s",
                    "reconciler4j.webhook.service-namespace=default");

    @TempDir
    private Path folder;

    @AfterEach
    void stop() {
        user.close();
        kubernetes.close();
    }

    private void assertWorksAndReports(ApplicationContextRunner application, CapturedOutput log, String... messages) {
        application.run(context -> {
            assertThat(context).hasNotFailed();
            client.create(new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace("default")
                    .withName("work")
                    .endMetadata()
                    .build());
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> context.getBean(Application.class).reconciled.contains("work"));
            String health = context.getBean("reconciler4jReadinessHealthIndicator", HealthIndicator.class)
                    .health()
                    .getDetails()
                    .toString();
            assertThat(health).contains(messages);
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(log).contains(messages));
        });
    }

    @Test
    void rightToPatchConfigurationsWhenMissingIsReported(CapturedOutput log) {
        runner.withPropertyValues("reconciler4j.webhook.apply-configurations=true")
                .run(context -> assertThat(context).hasNotFailed());
        kubernetes
                .faults()
                .add(FaultRule.of(
                        RequestMatch.verbs("patch").kind("ValidatingWebhookConfiguration"), Fault.forbidden()));

        assertWorksAndReports(
                runner.withPropertyValues("reconciler4j.webhook.certificates.secret-name=another"),
                log,
                "The operator must not set the caBundle of ValidatingWebhookConfiguration shop: grant get, patch on"
                        + " validatingwebhookconfigurations.admissionregistration.k8s.io shop");
    }

    @Test
    void rightToApplyConfigurationsWhenMissingIsReported(CapturedOutput log) {
        kubernetes
                .faults()
                .add(FaultRule.of(
                        RequestMatch.verbs("patch").kind("ValidatingWebhookConfiguration"), Fault.forbidden()));

        assertWorksAndReports(
                runner.withPropertyValues("reconciler4j.webhook.apply-configurations=true"),
                log,
                "The operator must not apply the ValidatingWebhookConfiguration shop: grant the permission");
    }

    @Test
    void secretWhenOfAnotherOwnerIsReported(CapturedOutput log) {
        client.create(new SecretBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("shop-webhook-ca")
                .endMetadata()
                .build());

        assertWorksAndReports(
                runner, log, "is not the one for webhooks of 'shop'", "delete it, or choose another name");
    }

    @Test
    void fileWhenExpiredIsReported(CapturedOutput log) throws Exception {
        Authority expired = Authority.create("expired", Instant.now().minusSeconds(7200), Duration.ofHours(1));
        Files.writeString(folder.resolve("tls.crt"), Authority.pem(List.of(expired.certificate())));
        Files.writeString(folder.resolve("tls.key"), Authority.pem(expired.key()));

        assertWorksAndReports(
                runner.withPropertyValues("reconciler4j.webhook.certificates.directory=" + folder),
                log,
                "tls.crt expired at");
    }

    @Test
    void portWhenInUseIsReported(CapturedOutput log) throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            assertWorksAndReports(
                    runner.withPropertyValues("reconciler4j.webhook.port=" + taken.getLocalPort()),
                    log,
                    "cannot listen on",
                    "choose another port");
        }
    }

    @Test
    void clockWhenFarOffIsReported(CapturedOutput log) {
        Clock behind = Clock.offset(Clock.system(ZoneOffset.UTC), Duration.ofDays(-700));

        assertWorksAndReports(
                runner.withBean(
                        CertificateSource.class,
                        () -> OwnCertificates.create(ReflectionTestUtils.invokeMethod(
                                OwnCertificateOptions.defaults(), "withClock", behind))),
                log,
                "behind the clock of the API server",
                "correct the clock");
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {

        private final List<String> reconciled = new CopyOnWriteArrayList<>();

        @Bean
        Validator<Pod> pods() {
            return (pod, validation) -> {};
        }

        @Bean
        @Reconciler(name = "maps", value = ConfigMap.class)
        RequestReconciler<Request> maps() {
            return (request, context) -> {
                reconciled.add(request.name());
                return Result.done();
            };
        }
    }
}
