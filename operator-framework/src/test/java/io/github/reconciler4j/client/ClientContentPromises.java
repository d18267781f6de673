package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.client.OperationResult.Outcome;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.reconcile.Conditions;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.support.KubernetesJson;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Promises of writes of whole objects: what this program does not see stays, and what others write at the same time too. */
interface ClientContentPromises extends ClientPromises {

    KindName PARCEL = KindName.of("client.test.reconciler4j.io/v1", "Parcel");

    private Parcel create(String name, String spec) {
        GenericKubernetesResource object = generic(PARCEL.apiVersion(), "Parcel", name);
        object.setAdditionalProperty(
                "spec", KubernetesJson.readYaml("spec: " + spec, Map.class).get("spec"));
        client().create(object);
        return client().live().get(Parcel.class, key(name)).orElseThrow();
    }

    private ObjectNode now(String name) {
        return KubernetesJson.mapper()
                .valueToTree(client().live().get(Kind.of(PARCEL), key(name)).orElseThrow());
    }

    private void checkSpec(String name, String spec) {
        assertThat(now(name).path("spec"))
                .isEqualTo(
                        KubernetesJson.readYaml("spec: " + spec, JsonNode.class).path("spec"));
    }

    private Parcel write(String way, Parcel read, Consumer<Parcel> change) {
        return switch (way) {
            case "update" -> {
                change.accept(read);
                yield client().update(read);
            }
            case "retry" ->
                client().retryOnConflict(Parcel.class, key(read.getMetadata().getName()), object -> {
                    change.accept(object);
                    return client().update(object);
                });
            case "createOrUpdate" -> client().createOrUpdate(read, change).object();
            case "createOrPatch" -> client().createOrPatch(read, change).object();
            default -> {
                Parcel after = client().live()
                        .get(Parcel.class, key(read.getMetadata().getName()))
                        .orElseThrow();
                change.accept(after);
                yield client().patch(
                                read,
                                way.equals("between")
                                        ? ObjectPatch.between(read, after)
                                        : ObjectPatch.lockedBetween(read, after));
            }
        };
    }

    private static void changeAll(Parcel parcel) {
        Parcel.Body spec = parcel.getSpec();
        spec.text = null;
        spec.detail.known = "changed";
        spec.map.clear();
        spec.words.add("b");
        spec.parts.get(0).count = 5;
        spec.parts.add(0, new Parcel.Part());
        spec.parts.get(0).name = "zero";
        spec.numbers.add(3.0);
        spec.steps.get(1).level = 1;
        spec.steps.remove(0);
        spec.times.add(spec.times.get(0).plusDays(1));
        spec.tags.removeIf(tag -> tag.text.equals("a"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"update", "retry", "createOrUpdate", "createOrPatch", "between", "lockedBetween"})
    default void writeLeavesWhatTheClassDoesNotKnow(String way) {
        String content = "assigned: server, unknown: {a: 1}, at: '2024-02-03T04:05:06+02:00', size: 1, %s";
        String name = "leave-" + way.toLowerCase();
        Parcel read = create(
                name,
                "{"
                        + content.formatted(
                                "text: old, gone: here, detail: {known: k, hidden: h}, map: {a: x}, words: [a],"
                                        + " parts: [{name: one, count: 1, hidden: 1}, {name: two, hidden: 2}],"
                                        + " times: ['2024-02-03T04:05:06+02:00'], numbers: [1, 2],"
                                        + " steps: [{run: a, hidden: 1}, {run: b, hidden: 2}, {run: c, hidden: 3}],"
                                        + " tags: [{text: z, hidden: 1}, {text: a, hidden: 2}]")
                        + "}");

        Parcel written = write(way, read, ClientContentPromises::changeAll);

        checkSpec(
                name,
                "{"
                        + content.formatted(
                                "gone: here, detail: {known: changed, hidden: h}, map: {}, words: [a, b],"
                                        + " parts: [{name: zero}, {name: one, count: 5, hidden: 1}, {name: two, hidden: 2}],"
                                        + " times: ['2024-02-03T04:05:06+02:00', '2024-02-04T04:05:06+02:00'], numbers: [1, 2, 3],"
                                        + " steps: [{run: b, hidden: 2, level: 1}, {run: c, hidden: 3}], tags: [{text: z, hidden: 1}]")
                        + "}");
        assertThat(written.getSpec().text).isNull();
        assertThat(written.getMetadata().getResourceVersion())
                .isEqualTo(now(name).path("metadata").path("resourceVersion").asText());
    }

    @Test
    default void updateWhenNothingIsChangedChangesNothing() {
        Parcel read = create(
                "same",
                "{size: 1, at: '2024-02-03T04:05:06+02:00', tags: [{text: a}, {text: b}, {text: c}, {text: d}],"
                        + " numbers: [1, 2.5], parts: [{name: a, hidden: 1}], map: {a: b}}");
        for (int i = 0; i < 3; i++) {
            Parcel written = client().update(
                            client().live().get(Parcel.class, key("same")).orElseThrow());
            assertThat(written.getMetadata().getGeneration()).isEqualTo(1);
            assertThat(written.getMetadata().getResourceVersion())
                    .isEqualTo(read.getMetadata().getResourceVersion());
            client().status().update(written);
        }
        assertThat(now("same").path("metadata").path("resourceVersion").asText())
                .isEqualTo(read.getMetadata().getResourceVersion());
    }

    @Test
    default void updateWhenTheObjectHasChangedIsAConflict() {
        Parcel read = create("stale", "{text: a}");
        Parcel other = client().live().get(Parcel.class, key("stale")).orElseThrow();
        other.getSpec().map = Map.of("other", "x");
        client().update(other);
        for (boolean changed : List.of(false, true)) {
            read.getSpec().text = changed ? "b" : "a";
            assertThatThrownBy(() -> client().update(read)).isExactlyInstanceOf(ConflictException.class);
            assertThatThrownBy(() -> client().status().update(read)).isExactlyInstanceOf(ConflictException.class);
        }
        checkSpec("stale", "{text: a, map: {other: x}}");
    }

    @Test
    default void updateWhenTheObjectWasBuiltByHandReplaces() {
        client().create(new ConfigMapBuilder(configMap("hand"))
                .addToData("other", "x")
                .editMetadata()
                .addToLabels("theirs", "x")
                .endMetadata()
                .build());
        ConfigMap wanted = configMap("hand");
        assertThat(client().update(wanted).getData()).containsOnlyKeys("a");
        ConfigMap stored = client().live().get(ConfigMap.class, key("hand")).orElseThrow();
        assertThat(stored.getMetadata().getLabels()).isNullOrEmpty();

        wanted.getMetadata().setResourceVersion(stored.getMetadata().getResourceVersion());
        wanted.getData().put("b", "2");
        assertThat(client().update(wanted).getData()).containsOnlyKeys("a", "b");
        assertThatThrownBy(() -> client().update(wanted)).isExactlyInstanceOf(ConflictException.class);
    }

    private static Consumer<Parcel> condition(String type) {
        return parcel -> {
            if (parcel.getStatus() == null) {
                parcel.setStatus(new Parcel.Body());
            }
            Conditions.of(parcel.getStatus().conditions, parcel).setTrue(type, "Done", "it is done");
        };
    }

    @Test
    default void statusEditWhenOthersSetAnotherConditionKeepsBoth() {
        Parcel read = create("conditions", "{text: a}");
        client().status().edit(read, condition("A"));
        client().status().edit(read, condition("B"));
        Parcel both = client().live().get(Parcel.class, key("conditions")).orElseThrow();
        client().status().edit(read, condition("C"));
        Parcel last = client().status().edit(both, parcel -> {
            Conditions.of(parcel.getStatus().conditions, parcel).setFalse("A", "Failed", "it has failed");
            Conditions.of(parcel.getStatus().conditions, parcel).remove("B");
        });
        assertThat(last.getStatus().conditions)
                .extracting(Condition::getType, Condition::getStatus)
                .containsExactlyInAnyOrder(
                        org.assertj.core.groups.Tuple.tuple("A", "False"),
                        org.assertj.core.groups.Tuple.tuple("C", "True"));
    }

    @Test
    default void applyOfASecretWhenItsContentHasChangedRestoresIt() {
        Secret wanted = new SecretBuilder()
                .withMetadata(named("text"))
                .addToStringData("password", "right")
                .addToData("other", "eA==")
                .build();
        assertThat(client().applyWithOutcome(wanted, ApplyOptions.defaults()).outcome())
                .isEqualTo(Outcome.CREATED);
        assertThat(client().applyWithOutcome(wanted, ApplyOptions.defaults()).outcome())
                .isEqualTo(Outcome.UNCHANGED);
        client().patch(wanted, ObjectPatch.merge(Map.of("metadata", Map.of("labels", Map.of("their", "label")))));
        assertThat(client().applyWithOutcome(wanted, ApplyOptions.defaults()).outcome())
                .isEqualTo(Outcome.UNCHANGED);

        for (Map<String, String> data : List.of(Map.of("password", "d3Jvbmc="), Map.of("other", "eQ=="))) {
            client().patch(wanted, ObjectPatch.merge(Map.of("data", data)));
            assertThat(client().applyWithOutcome(wanted, ApplyOptions.defaults())
                            .outcome())
                    .isEqualTo(Outcome.UPDATED);
            assertThat(client().live()
                            .get(Secret.class, key("text"))
                            .orElseThrow()
                            .getData())
                    .containsExactlyInAnyOrderEntriesOf(Map.of("password", "cmlnaHQ=", "other", "eA=="));
            assertThat(client().applyWithOutcome(wanted, ApplyOptions.defaults())
                            .outcome())
                    .isEqualTo(Outcome.UNCHANGED);
        }
    }

    @Test
    default void applyWhenTheServerLeavesOutAFieldIsSentAfterEachChange() {
        Gadget wanted = gadget("absent");
        wanted.setStatus(new Gadget.Status());
        wanted.getStatus().phase = "ignored";
        client().apply(wanted);
        assertThat(client().applyWithOutcome(wanted, ApplyOptions.defaults()).outcome())
                .isEqualTo(Outcome.UNCHANGED);
        client().patch(wanted, ObjectPatch.merge(Map.of("metadata", Map.of("labels", Map.of("their", "label")))));
        assertThat(client().applyWithOutcome(wanted, ApplyOptions.defaults()).outcome())
                .isEqualTo(Outcome.UPDATED);
        assertThat(client().applyWithOutcome(wanted, ApplyOptions.defaults()).outcome())
                .isEqualTo(Outcome.UNCHANGED);
        JsonNode status = KubernetesJson.mapper()
                .valueToTree(client().live().get(Gadget.class, key("absent")).orElseThrow())
                .path("status");
        assertThat(status.isMissingNode() || status.isNull() || status.isEmpty())
                .isTrue();
    }
}
