package io.github.reconciler4j.generator.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.github.reconciler4j.generator.crd.model.Ages;
import io.github.reconciler4j.generator.crd.model.Everything;
import io.github.reconciler4j.generator.yaml.Yaml;
import io.github.reconciler4j.test.kubernetes.NeedsKubernetes;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** What the generated definitions do to objects of their kinds, on any API server. */
abstract class CrdBehaviorFixture {

    private final KubernetesClient client;

    CrdBehaviorFixture(KubernetesClient client) {
        this.client = client;
    }

    static void install(KubernetesClient client) {
        for (Map<String, Object> definition : definitions()) {
            client.resource(Yaml.write(definition)).serverSideApply();
        }
        List.of("everythings.example.com", "ages.example.com").forEach(name -> awaitServed(client, name));
    }

    /** Waits until a definition is established, and until discovery, which a client asks for objects without a class, has its kind. */
    static void awaitServed(KubernetesClient client, String name) {
        CustomResourceDefinition definition = client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(name)
                .waitUntilCondition(CrdBehaviorFixture::isEstablished, 30, TimeUnit.SECONDS);
        String group = definition.getSpec().getGroup();
        for (CustomResourceDefinitionVersion version : definition.getSpec().getVersions()) {
            if (!version.getServed()) {
                continue;
            }
            await("discovery of " + name).atMost(Duration.ofSeconds(30)).until(() -> {
                APIResourceList found = client.getApiResources(group + "/" + version.getName());
                return found != null
                        && found.getResources().stream()
                                .anyMatch(resource -> name.equals(resource.getName() + "." + group));
            });
        }
    }

    static List<Map<String, Object>> definitions() {
        return CrdGeneratorTests.generate(
                        CrdGeneratorTests.withJavadoc(),
                        Everything.class,
                        Ages.Alpha.class,
                        Ages.Beta.class,
                        Ages.Stable.class)
                .definitions();
    }

    private static boolean isEstablished(CustomResourceDefinition definition) {
        return definition != null
                && definition.getStatus() != null
                && definition.getStatus().getConditions() != null // null in the first event of a definition
                && definition.getStatus().getConditions().stream()
                        .anyMatch(condition ->
                                "Established".equals(condition.getType()) && "True".equals(condition.getStatus()));
    }

    /** The server keeps all that the generator has written: descriptions, examples, titles, list types, versions. */
    @Test
    @NeedsKubernetes("1.31") // selectable fields
    void definitionWhenReadBackHasAllThatWasGenerated() {
        for (Map<String, Object> definition : definitions()) {
            String name = String.valueOf(((Map<?, ?>) definition.get("metadata")).get("name"));
            Map<String, Object> live = Yaml.tree(client.apiextensions()
                    .v1()
                    .customResourceDefinitions()
                    .withName(name)
                    .get());
            assertContains(definition.get("spec"), live.get("spec"), name);
        }
    }

    private static void assertContains(Object wanted, Object live, String path) {
        if (wanted instanceof Map<?, ?> map) {
            assertThat(live).as(path).isInstanceOf(Map.class);
            map.forEach((key, value) -> assertContains(value, ((Map<?, ?>) live).get(key), path + "." + key));
        } else if (wanted instanceof List<?> list) {
            assertThat(live)
                    .as(path)
                    .asInstanceOf(InstanceOfAssertFactories.LIST)
                    .hasSameSizeAs(list);
            for (int i = 0; i < list.size(); i++) {
                assertContains(list.get(i), ((List<?>) live).get(i), path + "[" + i + "]");
            }
        } else {
            assertThat(live)
                    .as(path)
                    .usingComparator(CrdBehaviorFixture::compare)
                    .isEqualTo(wanted);
        }
    }

    private static int compare(Object one, Object other) {
        return one instanceof Number first && other instanceof Number second
                ? Double.compare(first.doubleValue(), second.doubleValue())
                : String.valueOf(one).compareTo(String.valueOf(other));
    }

    @Test
    void versionWhenNotServedDoesNotExistAndOneIsStored() {
        assertThatThrownBy(() -> client.resources(Ages.Alpha.class).list())
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        refused -> assertThat(refused.getCode()).isEqualTo(404));
        assertThat(client.apiextensions()
                        .v1()
                        .customResourceDefinitions()
                        .withName("ages.example.com")
                        .get()
                        .getStatus()
                        .getStoredVersions())
                .containsExactly("v1");
    }

    @Test
    @NeedsKubernetes("1.31") // selectable fields
    void objectsWhenSelectedByAFieldAreThoseWithItsValue() {
        for (String text : List.of("red", "green")) {
            Ages.Stable age = new Ages.Stable();
            age.setMetadata(new ObjectMetaBuilder().withName(text).build());
            age.setSpec(new Ages.Spec());
            age.getSpec().text = text;
            client.resource(age).create();
        }

        assertThat(client.resources(Ages.Stable.class)
                        .withField("spec.text", "red")
                        .list()
                        .getItems())
                .extracting(age -> age.getMetadata().getName())
                .containsExactly("red");
    }

    @Test
    void listsAndMapsWhenAppliedByTwoManagersMergeAsAnnotated() {
        applySpec(
                "one",
                "{fixed: abc, duration: PT5S, small: 1, addresses: [10.0.0.1],"
                        + " ports: [{name: web, number: 80}], selector: {a: b}}");
        applySpec(
                "two",
                "{fixed: abc, duration: PT5S, small: 1, addresses: [10.0.0.2], ports: [{name: admin, number: 81}]}");
        Everything merged = topology();

        assertThat(merged.getSpec().addresses).as("a set").containsExactlyInAnyOrder("10.0.0.1", "10.0.0.2");
        assertThat(merged.getSpec().ports)
                .as("a map by name and protocol")
                .extracting("name")
                .containsOnly("web", "admin");
        assertThatThrownBy(() -> applySpec("two", "{selector: {c: d}}"))
                .as("an atomic map has one owner")
                .hasMessageContaining("conflict");
    }

    private Everything topology() {
        return client.resources(Everything.class)
                .inNamespace("default")
                .withName("topology")
                .get();
    }

    private void applySpec(String manager, String spec) {
        client.resource("apiVersion: example.com/v1\nkind: Everything\nmetadata: {name: topology}\nspec: " + spec)
                .inNamespace("default")
                .fieldManager(manager)
                .serverSideApply();
    }

    @Test
    void valuesWhenOfAnyJavaTypeAreAcceptedAndReadBack() {
        Everything full = everything("full", spec -> fill(spec));

        Everything created = client.resource(full).create();

        Everything.Spec spec = created.getSpec();
        assertThat(spec)
                .usingRecursiveComparison()
                .ignoringFields("zoned", "percent", "ports")
                .isEqualTo(full.getSpec());
        assertThat(spec.zoned.toInstant()).isEqualTo(full.getSpec().zoned.toInstant());
        assertThat(spec.percent).isEqualTo(10);
        assertThat(spec.ports.get(0).protocol).isEqualTo("TCP");
    }

    static void fill(Everything.Spec spec) {
        spec.duration = Duration.ofDays(1).plusSeconds(5).plusMillis(7);
        spec.instant = Instant.parse("2026-01-02T03:04:05Z");
        spec.offset = OffsetDateTime.of(2026, 1, 2, 3, 4, 5, 0, ZoneOffset.UTC);
        spec.zoned = ZonedDateTime.of(2026, 1, 2, 3, 4, 5, 0, ZoneOffset.ofHours(2));
        spec.uuid = UUID.fromString("123e4567-e89b-12d3-a456-426614174000");
        spec.bytes = new byte[] {1, 2, 3};
        spec.big = BigInteger.valueOf(Long.MAX_VALUE);
        spec.small = 1;
        spec.large = Long.MAX_VALUE;
        spec.tiny = 2;
        spec.inexact = 1.5;
        spec.lessExact = 2.5f;
        spec.quantity = new Quantity("1Gi");
        spec.intOrString = new IntOrString("http");
        spec.color = Everything.Color.RED;
        spec.array = new String[] {"a"};
        spec.words = List.of("word");
        spec.addresses = Set.of("10.0.0.1");
        spec.ports = List.of(port("web", 80));
        spec.selector = Map.of("a", "b");
        spec.free = Map.of("number", 1, "text", "x", "list", List.of(1, 2), "object", Map.of("a", true));
        spec.freeAsWell = Map.of("number", 1);
        spec.anything = "just text";
        GenericKubernetesResource resource = new GenericKubernetesResource();
        resource.setApiVersion("v1");
        resource.setKind("ConfigMap");
        resource.setMetadata(new ObjectMetaBuilder().withName("inner").build());
        resource.setAdditionalProperties(Map.of("data", Map.of("a", "b")));
        spec.resource = resource;
        spec.embedded =
                Map.of("apiVersion", "v1", "kind", "Secret", "metadata", Map.of("name", "inner"), "data", Map.of());
        spec.namespace = "somewhere";
        spec.nested = new Everything.Nested(3, List.of());
        spec.setViaGetter("text");
    }

    @Test
    void periodWhenWrittenIsAccepted() {
        Everything object = everything("period", spec -> {
            spec.duration = null;
            spec.period = Period.of(1, 2, 3);
        });

        assertThat(client.resource(object).create().getSpec().period).isEqualTo(Period.of(1, 2, 3));
    }

    @Test
    void valuesWhenAgainstTheSchemaAreRefused() {
        refused("address", "must be of type ipv4", spec -> spec.addresses = Set.of("not an address"));
        refused("words", "should match", spec -> spec.words = List.of("Word"));
        refused("multiple", "multiple of", spec -> spec.percent = 15);
        refused("embedded", "Required value", spec -> spec.embedded = Map.of("a", 1));
        refused("both", "exactly one of duration, period must be set", spec -> spec.period = Period.ofDays(1));
        refused("most", "at most one of instant, local-date", spec -> {
            spec.instant = Instant.EPOCH;
            spec.localDate = LocalDate.EPOCH;
        });
    }

    private void refused(String name, String words, Consumer<Everything.Spec> change) {
        assertThatThrownBy(() -> client.resource(everything(name, change)).create())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining(words);
    }

    @Test
    void immutableFieldWhenChangedOrRemovedIsRefused() {
        client.resource(everything("fixed", spec -> spec.ports = List.of(port("web", 80))))
                .create();

        edit("fixed", spec -> spec.namespace = "added");
        assertThatThrownBy(() -> edit("fixed", spec -> spec.namespace = "changed"))
                .hasMessageContaining("namespace is immutable");
        assertThatThrownBy(() -> edit("fixed", spec -> spec.namespace = null))
                .hasMessageContaining("namespace is immutable");
        assertThatThrownBy(() -> edit("fixed", spec -> spec.fixed = "other")).hasMessageContaining("stays as it is");
        assertThatThrownBy(() -> edit("fixed", spec -> spec.ports = List.of(port("web", 81))))
                .hasMessageContaining("number is immutable");
        edit("fixed", spec -> spec.ports = List.of(port("web", 80), port("admin", 81)));
    }

    private void edit(String name, Consumer<Everything.Spec> change) {
        client.resources(Everything.class).inNamespace("default").withName(name).edit(object -> {
            change.accept(object.getSpec());
            return object;
        });
    }

    @Test
    void conditionsWhenAppliedByTwoManagersStayApart() {
        client.resource(everything("conditions", spec -> {})).create();
        apply("one", "Ready");
        apply("two", "Healthy");
        apply("one", "Ready");

        assertThat(client.resources(Everything.class)
                        .inNamespace("default")
                        .withName("conditions")
                        .get()
                        .getStatus()
                        .conditions)
                .extracting("type")
                .containsExactlyInAnyOrder("Ready", "Healthy");
    }

    private void apply(String manager, String type) {
        PatchContext context = new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager(manager)
                .build();
        client.resources(Everything.class)
                .inNamespace("default")
                .withName("conditions")
                .subresource("status")
                .patch(context, """
                        {"apiVersion": "example.com/v1", "kind": "Everything", "metadata": {"name": "conditions"},
                         "status": {"conditions": [{"type": "%s", "status": "True", "reason": "Because", "message": "",
                           "lastTransitionTime": "2026-01-02T03:04:05Z"}]}}""".formatted(type));
    }

    static Everything everything(String name, Consumer<Everything.Spec> change) {
        Everything object = new Everything();
        object.setMetadata(
                new ObjectMetaBuilder().withName(name).withNamespace("default").build());
        object.setSpec(new Everything.Spec());
        object.getSpec().fixed = "abc";
        object.getSpec().duration = Duration.ofSeconds(5);
        change.accept(object.getSpec());
        return object;
    }

    private static Everything.Port port(String name, int number) {
        Everything.Port port = new Everything.Port();
        port.name = name;
        port.number = number;
        return port;
    }
}
