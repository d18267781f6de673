package io.github.reconciler4j.installer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.fixtures.FaultPlan;
import io.github.reconciler4j.fixtures.FaultPlan.Point;
import io.github.reconciler4j.fixtures.FaultPlan.Role;
import io.github.reconciler4j.fixtures.FaultPoints;
import io.github.reconciler4j.fixtures.ThreadCreators;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/**
 * The thread of the migration meets an error once, in each method of the class that it runs. Afterwards it migrates the objects, and
 * the manager stops.
 */
@Timeout(300)
class MigrationThreadGridTests {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Path SOURCES = Path.of("src", "main", "java", "io", "github", "reconciler4j", "installer");
    private static final Role MIGRATION = new Role(
            "storage migration", "threads-\\d+-storage-migration", "(StorageMigration|ObjectRewrite)(\\$\\w+)?");

    private final Logger log = (Logger) LoggerFactory.getLogger("io.github.reconciler4j");
    private final KubernetesServer server = KubernetesServer.start();
    private final KubernetesClient admin =
            new KubernetesClientBuilder().withConfig(server.clientConfig()).build();
    private int operators;

    @BeforeEach
    void silenceTheLog() {
        log.setLevel(Level.OFF);
    }

    @AfterEach
    void stop() {
        log.setLevel(null);
        admin.close();
        server.close();
    }

    @Test
    void threadsWhenTheInstallerCreatesNewOnesAreInTheGrid() throws IOException {
        assertThat(ThreadCreators.in(SOURCES))
                .as("files that create threads; give a new kind of thread a role here")
                .containsExactly("StorageMigration.java");
    }

    @Test
    void migrationWhenAnErrorHappensInItsThreadContinues() throws IOException {
        try (FaultPoints points = FaultPoints.open()) {
            assertThat(points).isNotNull();
            FaultPlan recorded = new FaultPlan(List.of(MIGRATION));
            run(recorded);
            Set<Point> cells = recorded.points().stream().filter(Point::isOwn).collect(Collectors.toSet());
            assertThat(cells).hasSizeGreaterThan(10);
            for (Point cell : cells) {
                FaultPlan plan = new FaultPlan(List.of(MIGRATION));
                plan.failAt(cell);
                run(plan);
                assertThat(plan.hasFailed()).as("an error %s", cell).isTrue();
            }
        }
    }

    /** Runs an operator that drops the version in which an object is stored, until the object is migrated. */
    private void run(FaultPlan plan) {
        String name = "threads-" + ++operators;
        String group = name + ".example.com";
        CustomResourceDefinition former = StorageMigrationTests.definition(group, "Widget", "v1alpha1", "");
        admin.resource(former).create();
        admin.resource(object(group)).create();
        FaultPoints.follow(plan);
        try (Manager manager = Manager.create(
                server.clientConfig(), ManagerOptions.defaults().withName(name).withVersion("2.0"))) {
            CrdInstaller.addTo(
                    manager,
                    List.of(StorageMigrationTests.definition(group, "Widget", "v1", "")),
                    CrdInstallerOptions.defaults(),
                    StorageMigrationTests.FAST);
            manager.start();
            await("the migration of " + name).atMost(LONG).until(() -> storedVersions(group), List.of("v1")::equals);
            manager.stop();
        } finally {
            FaultPoints.follow(null);
        }
    }

    private static GenericKubernetesResource object(String group) {
        return new GenericKubernetesResourceBuilder()
                .withApiVersion(group + "/v1alpha1")
                .withKind("Widget")
                .withNewMetadata()
                .withNamespace("default")
                .withName("old")
                .endMetadata()
                .build();
    }

    private List<String> storedVersions(String group) {
        return admin.resources(CustomResourceDefinition.class)
                .withName("widgets." + group)
                .get()
                .getStatus()
                .getStoredVersions();
    }
}
