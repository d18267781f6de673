package io.github.reconciler4j.sample.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.controllers.KubernetesControllers;
import io.github.reconciler4j.manager.ComponentState;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.test.KubernetesServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The application with the settings that stand for the flags of kube-controller-manager. */
class ControllerSelectionTests {

    private static final Set<String> ALL = KubernetesControllers.names();

    @TempDir
    private static Path folder;

    private static KubernetesServer server;
    private static Path kubeconfig;

    @BeforeAll
    static void startServer() {
        server = KubernetesServer.start();
        kubeconfig = folder.resolve("kubeconfig");
        server.writeKubeconfig(kubeconfig);
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private static ConfigurableApplicationContext run(String... arguments) {
        return SpringApplication.run(
                SampleControllersApplication.class,
                Stream.concat(
                                Stream.of(
                                        "--server.port=0",
                                        "--spring.main.register-shutdown-hook=false",
                                        "--reconciler4j.client.kubeconfig=" + kubeconfig),
                                Arrays.stream(arguments))
                        .toArray(String[]::new));
    }

    private static Map<String, ComponentState.State> controllers(ConfigurableApplicationContext application) {
        return application.getBean(Manager.class).status().components().stream()
                .filter(component -> ALL.contains(component.name()))
                .collect(Collectors.toMap(ComponentState::name, ComponentState::state));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            *                       | true  |
            *,-endpoints            | true  | endpoints
            *,-endpoints,-replicaset | true  | endpoints replicaset
            deployment,replicaset   | false | deployment replicaset
            """)
    void controllersWhenAListSelectsThemRun(String list, boolean allBut, @Nullable String names) {
        Set<String> named = names == null ? Set.of() : Set.of(names.split(" "));
        Set<String> running =
                ALL.stream().filter(name -> allBut != named.contains(name)).collect(Collectors.toSet());

        try (ConfigurableApplicationContext application = run("--reconciler4j.enabled-controllers=" + list)) {
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() ->
                            assertThat(controllers(application).values()).containsOnly(ComponentState.State.RUNNING));

            assertThat(controllers(application)).containsOnlyKeys(running);
        }
    }

    @Test
    void startWhenTheListHasTheNameOfUpstreamsFlagSaysWhichNamesThereAre() {
        assertThatThrownBy(() -> run("--reconciler4j.enabled-controllers=*,-endpoints-controller"))
                .hasStackTraceContaining("endpoints-controller")
                .hasStackTraceContaining(ALL.toString());
    }

    /** The random delay of each is drawn from ten years and does not end during the test. */
    @Test
    void controllersWhenStartsAreSpreadWaitWhileTheCachesAreFilled() {
        try (ConfigurableApplicationContext application = run("--reconciler4j.start-jitter=3650d")) {
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> application.getBean(Manager.class).status().components().stream()
                            .filter(component -> component.name().equals("cache"))
                            .anyMatch(component -> component.state() == ComponentState.State.RUNNING));

            assertThat(controllers(application)).containsOnlyKeys(ALL);
            assertThat(controllers(application).values()).containsOnly(ComponentState.State.STARTING);
        }
    }

    @Test
    void controllersWhenStartsAreSpreadALittleRun() {
        try (ConfigurableApplicationContext application = run("--reconciler4j.start-jitter=200ms")) {
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(controllers(application).values())
                            .hasSize(ALL.size())
                            .containsOnly(ComponentState.State.RUNNING));
        }
    }
}
