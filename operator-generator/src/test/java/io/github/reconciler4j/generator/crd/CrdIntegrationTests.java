package io.github.reconciler4j.generator.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.generator.crd.model.Ages;
import io.github.reconciler4j.generator.crd.model.Everything;
import io.github.reconciler4j.generator.yaml.Yaml;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A real API server takes the definitions that the one inside this JVM has verified, and they mean the same to it. */
@RealKubernetesTest(
        dedicated = true,
        components = {})
class CrdIntegrationTests {

    private static KubernetesClient client;

    @BeforeAll
    static void install(RealKubernetes kubernetes) {
        client = new KubernetesClientBuilder().withConfig(kubernetes.config()).build();
        CrdGeneratorTests.generate(
                        CrdGeneratorTests.withJavadoc(),
                        Everything.class,
                        Ages.Alpha.class,
                        Ages.Beta.class,
                        Ages.Stable.class)
                .definitions()
                .forEach(definition -> client.resource(Yaml.convert(definition, CustomResourceDefinition.class))
                        .create());
        client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("everythings.example.com")
                .waitUntilCondition(CrdIntegrationTests::isEstablished, 30, TimeUnit.SECONDS);
    }

    @AfterAll
    static void close() {
        client.close();
    }

    private static boolean isEstablished(CustomResourceDefinition definition) {
        return definition != null
                && definition.getStatus() != null
                && definition.getStatus().getConditions().stream()
                        .anyMatch(condition ->
                                "Established".equals(condition.getType()) && "True".equals(condition.getStatus()));
    }

    @Test
    void definitionsWhenOfferedToARealServerAreStructural() {
        assertThat(client.apiextensions()
                        .v1()
                        .customResourceDefinitions()
                        .list()
                        .getItems())
                .hasSize(2)
                .allSatisfy(definition -> assertThat(definition.getStatus().getConditions())
                        .noneMatch(condition -> "NonStructuralSchema".equals(condition.getType())));
    }

    @Test
    void valuesWhenOfAnyJavaTypeAreAcceptedAndReadBack() {
        Everything full = CrdBehaviorTests.everything("full", CrdBehaviorTests::fill);

        Everything created = client.resource(full).create();

        assertThat(created.getSpec())
                .usingRecursiveComparison()
                .ignoringFields("zoned", "percent", "ports")
                .isEqualTo(full.getSpec());
    }

    @Test
    void immutableFieldWhenChangedOrRemovedIsRefused() {
        client.resource(CrdBehaviorTests.everything("fixed", spec -> spec.namespace = "a"))
                .create();
        var object = client.resources(Everything.class).inNamespace("default").withName("fixed");

        assertThatThrownBy(() -> object.edit(current -> {
                    current.getSpec().namespace = null;
                    return current;
                }))
                .hasMessageContaining("namespace is immutable");
        assertThatThrownBy(() -> object.edit(current -> {
                    current.getSpec().fixed = "other";
                    return current;
                }))
                .hasMessageContaining("stays as it is");
    }
}
