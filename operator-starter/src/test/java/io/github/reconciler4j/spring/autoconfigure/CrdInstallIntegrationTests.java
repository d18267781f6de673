package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import io.github.reconciler4j.test.kubernetes.AnyKubernetesTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** The property {@code reconciler4j.crds.install} in Spring Boot applications on an API server. */
@AnyKubernetesTest
class CrdInstallIntegrationTests {

    private static final String NAME = "gauges.startup.example.com";

    private final AnyKubernetes kubernetes;
    private final List<ConfigurableApplicationContext> contexts = new CopyOnWriteArrayList<>();

    @TempDir
    private Path folder;

    CrdInstallIntegrationTests(AnyKubernetes kubernetes) {
        this.kubernetes = kubernetes;
    }

    @AfterEach
    void closeContexts() {
        contexts.forEach(ConfigurableApplicationContext::close);
        kubernetes.with(client -> client.resources(CustomResourceDefinition.class)
                .withName(NAME)
                .withTimeout(1, TimeUnit.MINUTES)
                .delete());
    }

    /** A kind whose definition nothing but the operator installs. */
    @Group("startup.example.com")
    @Version("v1")
    public static class Gauge extends CustomResource<Map<String, String>, Void> implements Namespaced {

        private static final long serialVersionUID = 1L;
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Operator {

        final List<String> reconciled = new CopyOnWriteArrayList<>();

        @Bean
        @Reconciler(name = "gauges")
        ObjectReconciler<Gauge> gauges() {
            return (gauge, context) -> {
                reconciled.add(gauge.getMetadata().getName());
                return Result.done();
            };
        }
    }

    private static String yaml(String field) {
        return """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: gauges.startup.example.com}
                spec:
                  group: startup.example.com
                  scope: Namespaced
                  names: {kind: Gauge, plural: gauges, singular: gauge, listKind: GaugeList}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {
                      %s: {type: string}}}}}}
                """.formatted(field);
    }

    /** Starts a release of the operator, whose definition has a field of that name. */
    private ConfigurableApplicationContext start(String release, String field) throws IOException {
        Path definitions = Files.createDirectories(folder.resolve(release));
        Files.writeString(definitions.resolve("gauges.yaml"), yaml(field));
        ConfigurableApplicationContext context = new SpringApplicationBuilder(Operator.class)
                .web(WebApplicationType.NONE)
                .run(
                        "--spring.main.banner-mode=off",
                        "--reconciler4j.name=gauges",
                        "--reconciler4j.version=" + release,
                        "--reconciler4j.client.kubeconfig=" + kubernetes.kubeconfig(),
                        "--reconciler4j.crds.install=true",
                        "--reconciler4j.crds.locations=" + definitions.toUri() + "*.yaml");
        contexts.add(context);
        return context;
    }

    private CustomResourceDefinition live() {
        return kubernetes.with(client ->
                client.resources(CustomResourceDefinition.class).withName(NAME).get());
    }

    private Set<String> fields() {
        return live().getSpec()
                .getVersions()
                .get(0)
                .getSchema()
                .getOpenAPIV3Schema()
                .getProperties()
                .get("spec")
                .getProperties()
                .keySet();
    }

    private String release() {
        return live().getMetadata().getAnnotations().get("reconciler4j.io/crd-version");
    }

    private void createGauge(String name) {
        kubernetes.apply("{apiVersion: startup.example.com/v1, kind: Gauge, metadata: {name: " + name
                + ", namespace: default}}");
    }

    @Test
    void operatorWhenDefinitionsAreMissingInstallsThemBeforeItReconciles() throws Exception {
        ConfigurableApplicationContext context = start("1.0.0", "size");
        assertThat(fields()).contains("size");

        createGauge("one");

        await().atMost(Duration.ofSeconds(30))
                .until(() -> context.getBean(Operator.class).reconciled.contains("one"));
        assertThat(release()).isEqualTo("1.0.0");
    }

    @Test
    void definitionWhenReplicasOfTwoReleasesStartBesideEachOtherIsWrittenOnceByEachRelease() throws Exception {
        start("1.0.0", "size");
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Callable<?>> starts = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                starts.add(() -> start("1.0.0", "size"));
                starts.add(() -> start("2.0.0", "width"));
            }
            List<Future<?>> started = new ArrayList<>();
            starts.forEach(one -> started.add(threads.submit(one)));
            for (Future<?> one : started) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(fields()).contains("width").doesNotContain("size");
        assertThat(live().getMetadata().getGeneration()).isEqualTo(2);

        start("1.0.0", "size");

        assertThat(live().getMetadata().getGeneration())
                .as("after an old replica has started again")
                .isEqualTo(2);
        assertThat(release()).isEqualTo("2.0.0");
    }

    @Test
    void operatorWhenTheApiServerRefusesItsDefinitionDoesNotStart() {
        assertThatThrownBy(() -> start("1.0.0", "size: {type: wrong}, width"))
                .hasStackTraceContaining("the API server refuses the definition " + NAME)
                .hasStackTraceContaining("Unsupported value");
    }

    /** A rolling update stops there: the new pod does not become ready, and the old one works. */
    @Test
    void operatorWhenTheDefinitionOfItsNextReleaseIsRefusedContinuesWithItsOwn() throws Exception {
        ConfigurableApplicationContext old = start("1.0.0", "size");

        assertThatThrownBy(() -> start("2.0.0", "size: {type: wrong}, width"))
                .hasStackTraceContaining("the API server refuses the definition " + NAME);

        assertThat(fields()).contains("size").doesNotContain("width");
        assertThat(release()).isEqualTo("1.0.0");
        createGauge("after-refusal");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> old.getBean(Operator.class).reconciled.contains("after-refusal"));
    }
}
