package io.github.reconciler4j.installer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects and kinds that cannot be migrated keep no others from being migrated. */
@Timeout(180)
class StorageMigrationFaultTests {

    private static final Duration LONG = Duration.ofSeconds(90);
    private static final RequestMatch PATCHES = RequestMatch.verbs("patch");

    private final KubernetesServer server = KubernetesServer.start();
    private final KubernetesClient admin =
            new KubernetesClientBuilder().withConfig(server.clientConfig()).build();
    private final List<Manager> managers = new ArrayList<>();

    @AfterEach
    void stop() {
        managers.forEach(Manager::close);
        admin.close();
        server.close();
    }

    private void start(String release, String version, String... kinds) {
        Manager manager = Manager.create(
                server.clientConfig(),
                ManagerOptions.defaults()
                        .withName("widgets")
                        .withVersion(release)
                        .withTimeSource(new FastTimeSource()));
        managers.add(manager);
        List<CustomResourceDefinition> definitions = Stream.of(kinds)
                .map(kind -> StorageMigrationTests.definition("example.com", kind, version, ""))
                .toList();
        CrdInstaller.addTo(manager, definitions, CrdInstallerOptions.defaults(), StorageMigrationTests.FAST);
        manager.start();
        await("installation").atMost(LONG).until(() -> Stream.of(kinds).allMatch(this::isServed));
    }

    private boolean isServed(String kind) {
        CustomResourceDefinition live = live(kind);
        return live != null
                && live.getStatus() != null
                && DefinitionState.notEstablished(live).isEmpty();
    }

    private CustomResourceDefinition live(String kind) {
        return admin.resources(CustomResourceDefinition.class)
                .withName(kind.toLowerCase() + "s.example.com")
                .get();
    }

    private void createOld(String kind, String name) {
        GenericKubernetesResource old = new KubernetesSerialization()
                .unmarshal(
                        "apiVersion: example.com/v1alpha1\nkind: " + kind + "\nmetadata: {name: " + name
                                + ", namespace: default}",
                        GenericKubernetesResource.class);
        await("the kind")
                .atMost(LONG)
                .ignoreExceptions()
                .until(() -> admin.resource(old).create() != null);
    }

    private void awaitDropped(String kind) {
        await("the former version of " + kind + " is dropped")
                .atMost(LONG)
                .untilAsserted(() -> assertThat(live(kind).getSpec().getVersions())
                        .extracting(version -> version.getName())
                        .containsExactly("v1"));
    }

    @Test
    void kindWhenAnotherOneCannotBeMigratedIsMigrated() {
        start("1.0", "v1alpha1", "Gadget", "Widget");
        createOld("Gadget", "old");
        createOld("Widget", "old");
        server.faults().add(FaultRule.of(PATCHES.kind("Gadget"), Fault.forbidden()));

        start("2.0", "v1", "Gadget", "Widget");

        awaitDropped("Widget");
        assertThat(live("Gadget").getStatus().getStoredVersions()).containsExactly("v1alpha1", "v1");

        server.faults().clear();
        awaitDropped("Gadget");
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 422})
    void objectsWhenTheServerRefusesOneArePatchedAndItIsNamed(int code) {
        start("1.0", "v1alpha1", "Widget");
        List.of("a", "bad", "c").forEach(name -> createOld("Widget", name));
        server.faults()
                .add(FaultRule.of(
                        PATCHES.kind("Widget").name("bad"),
                        new Fault.Respond(code, "Invalid", "spec.size: Invalid value", Map.of())));

        try (CapturedLog log = CapturedLog.of(StorageMigration.class.getName())) {
            start("2.0", "v1", "Widget");

            await("a line")
                    .atMost(LONG)
                    .untilAsserted(() -> assertThat(log.lines(Level.WARN))
                            .anySatisfy(line -> assertThat(line)
                                    .contains(
                                            "1 of 3 objects of widgets.example.com cannot be stored in v1:"
                                                    + " default/bad. The first answer",
                                            "spec.size",
                                            "Correct or delete these objects, or change the policy")));
        }
        List.of("a", "bad", "c")
                .forEach(name -> assertThat(
                                server.requests().count(PATCHES.kind("Widget").name(name)))
                        .as(name)
                        .isPositive());
        assertThat(live("Widget").getStatus().getStoredVersions()).containsExactly("v1alpha1", "v1");

        server.faults().clear();
        awaitDropped("Widget");
    }

    @Test
    void objectsWhenMoreThanTwentyInARowAreRefusedAreNotAllTriedAtOnce() {
        start("1.0", "v1alpha1", "Widget");
        IntStream.range(0, 21).forEach(i -> createOld("Widget", "w" + (i + 10)));
        createOld("Widget", "z");
        server.faults()
                .add(FaultRule.of(
                        PATCHES.kind("Widget"), new Fault.Respond(403, "Forbidden", "not permitted", Map.of())));

        try (CapturedLog log = CapturedLog.of(StorageMigration.class.getName())) {
            start("2.0", "v1", "Widget");

            await("a line")
                    .atMost(LONG)
                    .untilAsserted(() -> assertThat(log.lines(Level.WARN))
                            .anySatisfy(line -> assertThat(line)
                                    .contains(
                                            "21 of 22 objects of widgets.example.com cannot be stored",
                                            "default/w10, default/w11, default/w12, default/w13, default/w14 and 16 more"
                                                    + "; 1 others were not tried",
                                            "not permitted")));
        }

        server.faults().clear();
        awaitDropped("Widget");
    }

    /** After the first attempt a server that keeps refusing is asked for five objects at a time, but for all of them in the end. */
    @Test
    void objectsWhenTheServerGoesOnRefusingAreTriedInTurns() throws Exception {
        start("1.0", "v1alpha1", "Widget");
        List<String> names = IntStream.range(10, 22).mapToObj(i -> "w" + i).toList();
        names.forEach(name -> createOld("Widget", name));
        Manager manager = Manager.create(
                server.clientConfig(),
                ManagerOptions.defaults().withName("widgets").withVersion("2.0"));
        managers.add(manager);
        CustomResourceDefinition definition = StorageMigrationTests.definition("example.com", "Widget", "v1", "");
        CrdInstaller installer = CrdInstaller.addTo(
                manager, List.of(definition), CrdInstallerOptions.defaults(), StorageMigrationTests.FAST);
        installer.start();
        StorageMigration migration = (StorageMigration) installer.companions().get(0);
        server.faults().add(FaultRule.of(PATCHES.kind("Widget"), Fault.forbidden()));

        assertThatThrownBy(() -> migration.migrate(definition)).hasMessageContaining("12 of 12 objects");
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> migration.migrate(definition)).hasMessageContaining("5 of 12 objects");
        }

        assertThat(server.requests().count(PATCHES.kind("Widget"))).isEqualTo(27);
        assertThat(names)
                .allSatisfy(name -> assertThat(
                                server.requests().count(PATCHES.kind("Widget").name(name)))
                        .isBetween(2L, 3L));
        server.faults().clear();
        assertThat(migration.migrate(definition)).isTrue();
    }
}
