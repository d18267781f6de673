package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import io.github.reconciler4j.test.spring.OperatorTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

/** The console in Chromium while 500 objects converge and some fail. The profile {@code nightly} sets the program. */
@EnabledIfSystemProperty(
        named = "console.browser",
        matches = ".+",
        disabledReason = "needs -Dconsole.browser=chromium (Debian package chromium)")
@OperatorTest(
        cluster = {"deployment", "replicaset"},
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "management.endpoints.web.exposure.include=health,prometheus,reconciler4j,reconciler4jconsole",
            "management.endpoint.reconciler4j.access=unrestricted"
        })
class ConsoleBrowserTests {

    private static final int OBJECTS = 500;
    private static final int FAILING = 5;

    @Autowired
    private TestCluster cluster;

    @Value("${local.server.port}")
    private int port;

    private void create(String namespace, int count) {
        for (int i = 0; i < count; i++) {
            cluster.client()
                    .resource(cluster.client()
                            .getKubernetesSerialization()
                            .unmarshal(WebApps.yaml("app-" + i, "replicas: 1"), WebApp.class))
                    .inNamespace(namespace)
                    .create();
        }
    }

    private String chromium(String fragment, String... arguments) throws IOException, InterruptedException {
        return Chromium.visit("http://localhost:" + port + "/actuator/reconciler4jconsole" + fragment, arguments);
    }

    @Test
    void consoleWhenObjectsConvergeAndFailShowsThemWithoutErrors(KubernetesServer server) throws Exception {
        String failing = cluster.createNamespace("failing");
        server.faults()
                .add(FaultRule.of(RequestMatch.writes().kind("Deployment").namespace(failing), Fault.unavailable()));
        create(failing, FAILING);
        String converging = cluster.createNamespace("webapps");
        create(converging, OBJECTS);

        Path screenshot = screenshot("console", "", "1280,1000");
        assertThat(screenshot).isNotEmptyFile();
        String page = chromium("", "--dump-dom");
        assertThat(page)
                .contains("webapp", failing + "/app-0", "Requeue", "Pause", "WebApp.v1")
                .doesNotContain("cannot be read", "CONSOLE", "Content Security Policy of your site blocks");
        String object = "#webapp/" + converging + "/app-0";
        await("the page of one object")
                .atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(chromium(object, "--dump-dom"))
                        .contains(
                                "WebApp.v1.apps.reconciler4j.io, generation 1, created ",
                                "<strong>Ready</strong><span>True</span>",
                                "<strong>Service</strong><span>" + converging + "/app-0</span>",
                                ">Reconciled</strong>",
                                "WebAppReconciler.")
                        .doesNotContain("cannot be read", "CONSOLE", "Not readable"));
        await("the page of the objects")
                .atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(chromium("#webapp?search=" + failing, "--dump-dom"))
                        .contains(
                                FAILING + " of " + (OBJECTS + FAILING) + " objects",
                                "href=\"#webapp/" + failing + "/app-0\"",
                                ">failing</span>")
                        .doesNotContain(converging + "/app-", "cannot be read", "CONSOLE"));
        screenshot("console-objects", "#webapp?search=app-4", "1280,900");
        screenshot("console-object", object, "1280,1000");
        screenshot("console-phone", object, "500,1000");
    }

    /** The pictures of the documentation are made here. */
    private Path screenshot(String name, String fragment, String size) {
        Path file = Path.of("target", name + ".png").toAbsolutePath();
        await("the screenshot " + name).atMost(Duration.ofMinutes(3)).until(() -> {
            chromium(fragment, "--window-size=" + size, "--hide-scrollbars", "--screenshot=" + file);
            return Files.exists(file);
        });
        return file;
    }
}
