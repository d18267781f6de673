package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.scheme.ObjectKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.info.BuildProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The user agent of requests names the application. */
@Timeout(60)
class ApplicationIdentityTests {

    private final HttpServer server;
    private final BlockingQueue<Headers> requests = new LinkedBlockingQueue<>();
    private final ApplicationContextRunner contextRunner;

    ApplicationIdentityTests() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests.add(exchange.getRequestHeaders());
            byte[] body =
                    "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"namespace\":\"default\",\"name\":\"any\"}}"
                            .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        contextRunner = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(OperatorAutoConfiguration.class))
                .withBean(
                        Config.class,
                        () -> new ConfigBuilder(Config.empty())
                                .withMasterUrl("http://127.0.0.1:"
                                        + server.getAddress().getPort())
                                .build())
                .withPropertyValues("reconciler4j.auto-startup=false");
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private Headers asked(ApplicationContextRunner runner) {
        runner.run(
                context -> context.getBean(Client.class).live().get(ConfigMap.class, ObjectKey.of("default", "any")));
        return requests.remove();
    }

    private String userAgent(ApplicationContextRunner runner) {
        return asked(runner).getFirst("User-Agent").split(" ")[0];
    }

    @Test
    void userAgentWhenNothingIsKnownHasDefaults() {
        assertThat(userAgent(contextRunner)).isEqualTo("operator/unknown");
    }

    @Test
    void userAgentIsTheFirstThatIsKnownOfPropertyBuildAndManifest() {
        ApplicationContextRunner packaged =
                contextRunner.withPropertyValues("spring.application.name=shop", "spring.application.version=1.0");
        assertThat(userAgent(packaged)).isEqualTo("shop/1.0");
        Properties values = new Properties();
        values.setProperty("version", "1.1");
        ApplicationContextRunner built = packaged.withBean(BuildProperties.class, () -> new BuildProperties(values));
        assertThat(userAgent(built)).isEqualTo("shop/1.1");
        assertThat(userAgent(built.withPropertyValues("reconciler4j.name=till", "reconciler4j.version=1.2")))
                .isEqualTo("till/1.2");
    }
}
