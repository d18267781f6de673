package io.github.reconciler4j.test.spring;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.test.cluster.ClusterControllersProvider;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.cluster.TestClusterOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Runs an application with an API server in its JVM during development. A class among the tests starts it, for instance with
 * {@code ./mvnw spring-boot:test-run}:
 *
 * <!-- snippet: TestOperatorApplication -->
 * <pre>{@code
 * SpringApplication.from(OperatorApplication::main)
 *         .with(DevelopmentCluster.class)
 *         .run(arguments);
 * }</pre>
 *
 * <p>It installs the definitions from {@code META-INF/crds}, writes a kubeconfig to {@code target/kubeconfig} and prints the
 * commands that use it. If {@code reconciler4j-generator} is among the dependencies of the tests, it generates the definitions of the
 * compiled classes itself, so that a changed class needs no Maven build; see {@link TestCluster#installFrom}. If
 * {@code reconciler4j-test-cluster} is among them, Kubernetes' own controllers, a scheduler and a node run, too, unless a bean of type
 * {@link TestClusterOptions} selects others. The server calls the webhooks of the application, which applies their configurations; properties of the application take precedence. The
 * server and its objects stay when DevTools restarts the application, and end with the JVM; a restart installs the definitions that
 * have changed. The system property {@code reconciler4j.test.cluster=context:NAME} selects a cluster of the kubeconfig instead, where the definitions and all objects stay,
 * and whose API server calls no webhooks of this application unless properties say so.
 *
 * @since 0.1.0
 */
@Configuration(proxyBeanMethods = false)
public class DevelopmentCluster {

    private static final String COMMANDS = """

            The operator runs with an API server in its JVM. In another terminal:

              export KUBECONFIG=%s
              kubectl get crds%s
            """;

    private static final Logger LOG = LoggerFactory.getLogger(DevelopmentCluster.class);

    private static final int WEBHOOK_PORT = 9443;

    /** DevTools reloads the classes of the application but not those of libraries, so this survives its restarts. */
    private static volatile @Nullable TestCluster cluster;

    /** Used by Spring. */
    public DevelopmentCluster() {}

    private static synchronized TestCluster start(TestClusterOptions options) {
        TestCluster running = cluster;
        if (running == null) {
            running = startFirst(options);
            cluster = running;
        } else {
            running.installFrom(options.definitions())
                    .forEach(name -> LOG.info("The definition {} has changed and is installed again", name));
        }
        return running;
    }

    private static TestCluster startFirst(TestClusterOptions options) {
        TestCluster started = TestCluster.start(options.withDefinitions(List.of()));
        try {
            started.installFrom(options.definitions());
            started.server().ifPresent(server -> server.writeKubeconfig(kubeconfig()));
            return started;
        } catch (Throwable e) {
            started.close();
            throw e;
        }
    }

    /** Return the configuration of the operator. */
    @Bean
    @Primary
    Config developmentClusterConfig(ObjectProvider<TestClusterOptions> options) {
        // It would name every kind at every restart.
        LoggingSystem.get(DevelopmentCluster.class.getClassLoader())
                .setLogLevel("io.fabric8.crdv2.generator", LogLevel.ERROR);
        return start(options.getIfAvailable(DevelopmentCluster::withAllControllers))
                .operatorConfig();
    }

    private static TestClusterOptions withAllControllers() {
        ClassLoader loader = ClusterControllersProvider.class.getClassLoader();
        if (ServiceLoader.load(ClusterControllersProvider.class, loader)
                .iterator()
                .hasNext()) {
            return TestClusterOptions.defaults().withCluster(TestCluster.FULL);
        }
        LOG.info("No controllers of Kubernetes run, so Deployments have no pods. To run them, add the dependency"
                + " 'io.github.reconciler4j:reconciler4j-test-cluster' in scope 'test'");
        return TestClusterOptions.defaults();
    }

    /** Return what lets the API server in this JVM call the webhooks, unless properties of the application say otherwise. */
    @Bean
    static BeanFactoryPostProcessor developmentClusterWebhooks(ConfigurableEnvironment environment) {
        return beans -> {
            int port = environment.getProperty("reconciler4j.webhook.port", Integer.class, WEBHOOK_PORT);
            environment
                    .getPropertySources()
                    .addLast(new MapPropertySource(
                            "developmentClusterWebhooks", OperatorWebhooks.developmentSettings(port)));
        };
    }

    /** Return a listener that prints how to reach the cluster. */
    @Bean
    ApplicationListener<ApplicationReadyEvent> developmentClusterCommands() {
        return new Commands();
    }

    /** Prints before the listeners of the application do. */
    @Order(0)
    private static final class Commands implements ApplicationListener<ApplicationReadyEvent> {

        @Override
        public void onApplicationEvent(ApplicationReadyEvent event) {
            TestCluster running = Objects.requireNonNull(cluster);
            System.out.println(
                    running.server().isPresent()
                            ? COMMANDS.formatted(kubeconfig(), examples())
                            : "The operator runs against " + running.config().getMasterUrl());
        }
    }

    /** The folder is that of projects that the archetype has made. */
    private static String examples() {
        Path folder = Path.of("examples").toAbsolutePath();
        return Files.isDirectory(folder) ? "\n  kubectl apply -f " + folder : "";
    }

    private static Path kubeconfig() {
        Path folder = Path.of("target");
        return (Files.isDirectory(folder) ? folder : Path.of(System.getProperty("java.io.tmpdir")))
                .resolve("kubeconfig")
                .toAbsolutePath();
    }
}
