package io.github.reconciler4j.generator.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.github.reconciler4j.generator.crd.LimitCases.Cell;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each limit that the generator accepts is enforced by a real API server as by the one inside the JVM. */
@RealKubernetesTest(
        dedicated = true,
        components = {})
class LimitGridIntegrationTests {

    private static final int FIELDS = 40;

    @Test
    void limitsThatAreAcceptedAreEnforced(RealKubernetes kubernetes) throws Exception {
        List<Map<String, Cell>> kinds = kinds();
        Map<String, String> sources = new LinkedHashMap<>(LimitCases.shared());
        for (int i = 0; i < kinds.size(); i++) {
            sources.putAll(LimitCases.source("Limited" + i, kinds.get(i)));
        }
        CompiledSources classes = CompiledSources.of(sources);
        Map<String, String> wrong = new LinkedHashMap<>();
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(kubernetes.config()).build()) {
            for (int i = 0; i < kinds.size(); i++) {
                String kind = "Limited" + i;
                install(client, CrdGenerator.checked(LimitGridTests.load(classes, kind), CrdOptions.defaults()));
                kinds.get(i).forEach((field, cell) -> check(client, kind, field, cell, wrong));
            }
        }
        assertThat(kinds).hasSizeGreaterThan(5);
        assertThat(wrong).isEmpty();
    }

    /** The accepted cells, some of them at a time. */
    private static List<Map<String, Cell>> kinds() {
        List<Map<String, Cell>> kinds = new ArrayList<>();
        int number = 0;
        for (Cell cell : LimitCases.all()) {
            if (cell.fits()) {
                if (number % FIELDS == 0) {
                    kinds.add(new LinkedHashMap<>());
                }
                kinds.get(kinds.size() - 1).put("field" + number++, cell);
            }
        }
        return kinds;
    }

    private static void install(KubernetesClient client, Map<String, Object> definition) {
        CustomResourceDefinition typed =
                KubernetesJson.mapper().convertValue(definition, CustomResourceDefinition.class);
        client.resource(typed).create(); // the first check of each kind waits until it is served
    }

    private static void check(
            KubernetesClient client, String kind, String field, Cell cell, Map<String, String> wrong) {
        await().atMost(Duration.ofSeconds(60)).until(() -> create(client, kind, field, cell.good()) != 404);
        int good = create(client, kind, field, cell.good());
        int bad = create(client, kind, field, cell.bad());
        if (good != 201 || bad != 422) {
            wrong.put(cell.declaration(), "good " + good + ", bad " + bad);
        }
    }

    private static int create(KubernetesClient client, String kind, String field, String value) {
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setApiVersion("example.com/v1");
        object.setKind(kind);
        object.setMetadata(new ObjectMetaBuilder().withGenerateName("limited-").build());
        object.setAdditionalProperty("spec", Map.of(field, LimitCases.value(value)));
        try {
            client.resource(object).create();
            return 201;
        } catch (KubernetesClientException e) {
            return e.getCode();
        }
    }
}
