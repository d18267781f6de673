package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.test.KubernetesServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.logging.logback.StructuredLogEncoder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.mock.env.MockEnvironment;

/** What an operator logs, and what a log collector makes of it. */
@Timeout(180)
class OperatorLogTests {

    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(OperatorLogTests.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final KubernetesServer server = KubernetesServer.start();
    private final Appender appender = new Appender();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Logger operator = (Logger) LoggerFactory.getLogger("io.github.reconciler4j");

    private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(OperatorAutoConfiguration.class))
            .withUserConfiguration(Reconcilers.class)
            .withBean(Config.class, server::clientConfig)
            .withPropertyValues("spring.application.name=shop");

    private static final class Appender extends AppenderBase<ILoggingEvent> {
        private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

        @Override
        protected void append(ILoggingEvent event) {
            event.prepareForDeferredProcessing();
            events.add(event);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Reconcilers {

        final List<String> ids = new CopyOnWriteArrayList<>();

        @Bean
        @Reconciler(name = "maps")
        ObjectReconciler<ConfigMap> maps() {
            return (map, context) -> {
                ids.add(context.reconcileId());
                LOG.info("Seen {}", map.getMetadata().getName());
                return Result.done();
            };
        }
    }

    @BeforeEach
    void startAppender() {
        appender.setContext(root.getLoggerContext());
        appender.start();
        root.addAppender(appender);
        operator.setLevel(Level.INFO);
    }

    @AfterEach
    void close() {
        operator.setLevel(null);
        root.detachAppender(appender);
        server.close();
    }

    private static void create(Client client, String name) {
        client.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build());
    }

    private ILoggingEvent seen() {
        return appender.events.stream()
                .filter(event -> event.getFormattedMessage().equals("Seen one"))
                .findFirst()
                .orElseThrow();
    }

    private static JsonNode encoded(String format, ILoggingEvent event) throws Exception {
        LoggerContext context = new LoggerContext();
        context.putObject(Environment.class.getName(), new MockEnvironment());
        StructuredLogEncoder encoder = new StructuredLogEncoder();
        encoder.setContext(context);
        encoder.setFormat(format);
        encoder.start();
        return JSON.readTree(new String(encoder.encode(event), StandardCharsets.UTF_8));
    }

    @Test
    void structuredLogWhenAReconcilerLogsHasTheFieldsOfControllerRuntime() throws Exception {
        contextRunner.run(context -> {
            create(context.getBean(Client.class), "one");
            Awaitility.await("the log")
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(appender.events)
                            .anyMatch(event -> event.getFormattedMessage().equals("Seen one")));
            String id = seen().getMDCPropertyMap().get("reconcileID");
            assertThat(context.getBean(Reconcilers.class).ids).contains(id);
            for (String format : List.of("ecs", "logstash")) {
                JsonNode line = encoded(format, seen());
                assertThat(line.path("message").asText()).isEqualTo("Seen one");
                assertThat(line.path("controller").asText()).isEqualTo("maps");
                assertThat(line.path("controllerGroup").asText("missing")).isEmpty();
                assertThat(line.path("controllerKind").asText()).isEqualTo("ConfigMap");
                assertThat(line.path("namespace").asText()).isEqualTo("default");
                assertThat(line.path("name").asText()).isEqualTo("one");
                assertThat(line.path("reconcileID").asText()).isEqualTo(id);
            }
        });
    }
}
