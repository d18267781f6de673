package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import io.github.reconciler4j.test.kubernetes.AnyKubernetesTest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A controller that gets another name still owns what it applied, if it keeps its field manager. */
@AnyKubernetesTest(components = {})
class ControllerRenameIntegrationTests {

    private static final Duration TIME_LIMIT = Duration.ofSeconds(60);

    private final AnyKubernetes kubernetes;
    private final ObjectKey source;
    private final ObjectKey target;

    ControllerRenameIntegrationTests(AnyKubernetes kubernetes) {
        this.kubernetes = kubernetes;
        String namespace = kubernetes.createNamespace("rename");
        source = ObjectKey.of(namespace, "source");
        target = ObjectKey.of(namespace, "target");
    }

    private static ConfigMap map(ObjectKey key, Map<String, String> data) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(key.namespace())
                .withName(key.name())
                .addToLabels("of", "source")
                .endMetadata()
                .withData(data)
                .build();
    }

    /** Run a version of the operator until its controller has applied the target, and return the target. */
    private ConfigMap run(String name, UnaryOperator<ControllerOptions> options, Map<String, String> data) {
        try (Manager manager = Manager.create(kubernetes.config())) {
            ControllerBuilder.of(ConfigMap.class)
                    .named(name)
                    .inNamespaces(source.namespace())
                    .withLabelSelector("app=rename")
                    .customizeOptions(options)
                    .reconciler((object, context) -> {
                        context.client().apply(map(target, data));
                        context.client().apply(map(ObjectKey.of(source.namespace(), "done-" + name), Map.of()));
                        return Result.done();
                    })
                    .addTo(manager);
            manager.start();
            await("the controller " + name + " applies")
                    .atMost(TIME_LIMIT)
                    .until(() -> live(manager, ObjectKey.of(source.namespace(), "done-" + name)), Optional::isPresent);
            return live(manager, target).orElseThrow();
        }
    }

    private static Optional<ConfigMap> live(Manager manager, ObjectKey key) {
        return manager.client().live().get(ConfigMap.class, key);
    }

    private void createSource() {
        kubernetes.with(client -> client.resource(new ConfigMapBuilder(map(source, Map.of()))
                        .editMetadata()
                        .addToLabels("app", "rename")
                        .endMetadata()
                        .build())
                .create());
    }

    /** The field managers of each field of an object. */
    private static Map<String, Set<String>> owners(ConfigMap object) {
        Map<String, Set<String>> owners = new TreeMap<>();
        for (ManagedFieldsEntry entry : object.getMetadata().getManagedFields()) {
            collect(entry.getManager(), "", entry.getFieldsV1().getAdditionalProperties(), owners);
        }
        return owners;
    }

    private static void collect(String owner, String path, Map<?, ?> fields, Map<String, Set<String>> owners) {
        if (fields.isEmpty()) {
            owners.computeIfAbsent(path, ignored -> new TreeSet<>()).add(owner);
        }
        fields.forEach((name, below) -> collect(owner, path + "/" + name, (Map<?, ?>) below, owners));
    }

    @Test
    void controllerWhenRenamedWithItsFieldManagerLeavesNoFieldWithTwoOwners() {
        createSource();
        ConfigMap before = run("pages", options -> options, Map.of("kept", "1", "dropped", "1"));
        assertThat(owners(before))
                .hasSize(3)
                .allSatisfy((field, owners) -> assertThat(owners).containsExactly("pages"));

        ConfigMap after = run("web-pages", options -> options.withFieldManager("pages"), Map.of("kept", "1"));

        assertThat(owners(after))
                .hasSize(2)
                .allSatisfy((field, owners) -> assertThat(owners).containsExactly("pages"));
        assertThat(after.getData()).containsOnlyKeys("kept");
    }

    /** The fault that the option is for. */
    @Test
    void controllerWhenRenamedWithoutItsFieldManagerLeavesTheOldNameAsAnOwner() {
        createSource();
        run("pages", options -> options, Map.of("kept", "1", "dropped", "1"));

        ConfigMap after = run("web-pages", options -> options, Map.of("kept", "1"));

        assertThat(owners(after))
                .containsEntry("/f:data/f:kept", Set.of("pages", "web-pages"))
                .containsEntry("/f:data/f:dropped", Set.of("pages"));
        assertThat(after.getData()).containsOnlyKeys("kept", "dropped");
    }
}
