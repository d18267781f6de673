package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.test.KubernetesServer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/** An application with {@code reconciler4j.mode=plan}. */
class PlanModeTests {

    private static final Logger ROOT = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);

    private final Level level = ROOT.getLevel();
    private KubernetesServer server;

    @BeforeEach
    void start() {
        server = KubernetesServer.builder().https(false).start();
        try (ApiConnection connection = ApiConnection.open(server.clientConfig())) {
            Client client = Client.create(connection, Scheme.create(), ClientOptions.defaults());
            client.create(new NamespaceBuilder()
                    .withNewMetadata()
                    .withName("plan")
                    .endMetadata()
                    .build());
            client.create(map("owner"));
        }
    }

    /** A plan raises the level of the log, which would silence the tests that follow in this JVM. */
    @AfterEach
    void stop() {
        ROOT.setLevel(level);
        server.close();
    }

    private static ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("plan")
                .withName(name)
                .endMetadata()
                .build();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        @Reconciler(name = "maps")
        ObjectReconciler<ConfigMap> maps(Client client, Optional<AtomicInteger> reconciliations) {
            return (map, context) -> {
                reconciliations.ifPresent(AtomicInteger::incrementAndGet);
                if (map.getMetadata().getName().equals("owner")) {
                    ConfigMap child = map("child");
                    child.setData(Map.of("a", "1"));
                    client.apply(child);
                }
                return Result.done();
            };
        }
    }

    @Test
    void fileThatCannotBeWrittenEndsTheApplicationBeforeThePlan(@TempDir Path folder) {
        Path file = folder.resolve("missing").resolve("report.json");
        AtomicInteger reconciliations = new AtomicInteger();
        ApplicationContextInitializer<GenericApplicationContext> cluster = context -> {
            context.registerBean(Config.class, () -> server.clientConfig());
            context.registerBean(AtomicInteger.class, () -> reconciliations);
        };
        assertThatException()
                .isThrownBy(() -> new SpringApplicationBuilder(Application.class)
                        .initializers(cluster)
                        .run("--reconciler4j.mode=plan", "--reconciler4j.plan.file=" + file))
                .withRootCauseInstanceOf(NoSuchFileException.class);
        assertThat(reconciliations).hasValue(0);
    }

    @Test
    void applicationWritesTheReportAndItsExitCodeSaysThatThereAreChanges(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("report.json");
        ApplicationContextInitializer<GenericApplicationContext> cluster =
                context -> context.registerBean(Config.class, () -> server.clientConfig());
        ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .initializers(cluster)
                .run(
                        "--reconciler4j.mode=plan",
                        "--reconciler4j.plan.format=json",
                        "--reconciler4j.plan.file=" + file,
                        "--reconciler4j.leader-election.enabled=true",
                        "--reconciler4j.leader-election.namespace=plan");
        assertThat(context.getEnvironment().getProperty("spring.main.web-application-type"))
                .isEqualTo("none");
        assertThat(SpringApplication.exit(context)).isEqualTo(2);
        assertThat(Files.readString(file))
                .startsWith("{\"version\":1,")
                .contains("\"effect\":\"created\"", "\"name\":\"child\"", "\"problems\":[]")
                .hasLineCount(1);
        try (ApiConnection connection = ApiConnection.open(server.clientConfig())) {
            Client client = Client.create(connection, Scheme.create(), ClientOptions.defaults());
            assertThat(client.list(ConfigMap.class, "plan"))
                    .noneMatch(each -> each.getMetadata().getName().equals("child"));
            assertThat(client.list(Lease.class, "plan")).isEmpty();
        }
    }
}
