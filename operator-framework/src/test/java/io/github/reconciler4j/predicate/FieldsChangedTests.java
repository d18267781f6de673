package io.github.reconciler4j.predicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.fixtures.TestHeader;
import io.github.reconciler4j.fixtures.TestSnapshot;
import io.github.reconciler4j.support.KubernetesJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Predicates of the fields of objects. */
class FieldsChangedTests {

    private static final TestHeader HEADER = TestHeader.of("default", "a");

    private static final String BEFORE = """
            metadata: {name: a, annotations: {a.b/c: one, plain: one}}
            spec: {tls: {mode: Simple}, ports: [{port: 1}, {port: 2}], empty: {}, nothing: null, size: 1}
            """;

    private static GenericKubernetesResource object(String yaml) {
        return KubernetesJson.readYaml("apiVersion: a/v1\nkind: A\n" + yaml, GenericKubernetesResource.class);
    }

    private static <T extends HasMetadata> ObjectEvent<T> update(T before, T after) {
        return new ObjectEvent.Updated<>(
                TestSnapshot.of(HEADER, () -> before), TestSnapshot.of(HEADER, () -> after), false);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "spec.tls.mode             | mode: Simple        | mode: Mutual",
                "spec.tls                  | mode: Simple        | 'mode: Simple, more: 1'",
                "spec.tls                  | 'tls: {mode: Simple}, ' | ''",
                "spec                      | size: 1             | size: 2",
                "spec.ports                | port: 2             | port: 3",
                "spec.ports[1]             | port: 2             | port: 3",
                "spec.ports[1].port        | port: 2             | port: 3",
                "spec.ports[2]             | '{port: 2}'         | '{port: 2}, {port: 3}'",
                "metadata.annotations['a.b/c'] | a.b/c: one      | a.b/c: two",
                "metadata.annotations.plain | plain: one         | plain: two",
                "spec.empty                | 'empty: {}'         | 'empty: {a: 1}'",
                "spec.nothing              | 'nothing: null'     | 'nothing: 1'",
                "spec.appears.here         | size: 1             | 'size: 1, appears: {here: 1}'"
            })
    void updateThatChangesTheFieldIsAccepted(String path, String from, String to) {
        String after = BEFORE.replace(from, to);
        assertThat(after).isNotEqualTo(BEFORE);
        EventPredicate<GenericKubernetesResource> changes =
                EventPredicates.fieldsChanged(GenericKubernetesResource.class, path);
        assertThat(changes.test(update(object(BEFORE), object(after)))).isTrue();
        assertThat(changes.test(update(object(BEFORE), object(BEFORE)))).isFalse();
        String other = BEFORE.replace("name: a", "name: b");
        assertThat(changes.test(update(object(BEFORE), object(other)))).isFalse();
    }

    @Test
    void otherEventsAreAcceptedWithoutADecode() {
        EventPredicate<GenericKubernetesResource> changes =
                EventPredicates.fieldsChanged(GenericKubernetesResource.class, "spec.tls");
        TestSnapshot<GenericKubernetesResource> snapshot = TestSnapshot.of(HEADER, () -> object(BEFORE));
        assertThat(changes.test(new ObjectEvent.Created<>(snapshot, true))).isTrue();
        assertThat(changes.test(new ObjectEvent.Deleted<>(snapshot, false))).isTrue();
        assertThat(changes.test(new ObjectEvent.Generic<>(snapshot))).isTrue();
        assertThat(snapshot.decodes()).isZero();
        assertThat(changes.test(new ObjectEvent.Updated<>(snapshot, snapshot, true)))
                .as("resync")
                .isFalse();
    }

    @Test
    void oneOfSeveralFieldsIsEnough() {
        EventPredicate<Deployment> changes =
                EventPredicates.fieldsChanged(Deployment.class, "spec.paused", "metadata.labels");
        Deployment before = new Deployment();
        before.setMetadata(new ObjectMeta());
        Deployment after = new Deployment();
        after.setMetadata(new ObjectMeta());
        after.getMetadata().setLabels(Map.of("a", "b"));
        assertThat(changes.test(update(before, after))).isTrue();
        after.getMetadata().setLabels(null);
        after.getMetadata().setGeneration(3L);
        assertThat(changes.test(update(before, after))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "spec.",
                ".spec",
                "spec..tls",
                "spec tls",
                "spec[",
                "spec[]",
                "spec[a]",
                "spec['']",
                "a['b",
                "[-1]"
            })
    void textThatIsNoPathIsRefused(String path) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EventPredicates.fieldsChanged(Deployment.class, path))
                .withMessageContaining("such as spec.tls")
                .withMessageEndingWith("was '" + path + "'");
    }

    /** A kind whose classes keep no unknown fields. */
    @Group("example.com")
    @Version("v1")
    static class Page extends CustomResource<Page.Spec, Void> {

        private static final long serialVersionUID = 1L;

        /** What is wanted. */
        public static class Spec {
            public Map<String, Spec> byName = Map.of();
            public List<Spec> items = List.of();
            public Object anything = "";
            public int size;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spec.size",
                "spec.items",
                "spec.items[3].size",
                "spec.byName.any.size",
                "spec.byName['a.b'].items[0].byName",
                "spec.anything.at.all",
                "metadata.labels.any"
            })
    void pathThatTheClassHasIsAccepted(String path) {
        Page page = new Page();
        page.setSpec(new Page.Spec());
        EventPredicate<Page> changes = EventPredicates.fieldsChanged(Page.class, path);
        assertThat(changes.test(update(page, page))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "spec.sice, Spec, sice",
        "sepc, Page, sepc",
        "spec.items[0].sice, Spec, sice",
        "spec.byName.any.sice, Spec, sice"
    })
    void pathThatTheClassDoesNotHaveIsRefused(String path, String owner, String field) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EventPredicates.fieldsChanged(Page.class, path))
                .withMessage("The path '" + path + "' leads nowhere: " + owner + " has no field '" + field + "'");
    }

    @Test
    void pathInAClassThatKeepsUnknownFieldsIsAccepted() {
        EventPredicate<ClusterRole> changes = EventPredicates.fieldsChanged(ClusterRole.class, "newer.field");
        ClusterRole before = new ClusterRole();
        ClusterRole after = new ClusterRole();
        after.setAdditionalProperty("newer", Map.of("field", 1));
        assertThat(changes.test(update(before, after))).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EventPredicates.fieldsChanged(ClusterRole.class))
                .withMessage("'paths' must not be empty");
    }

    private static final List<String> NAMES = List.of("a", "b", "c.d", "x/y", "Z_9");

    /** Objects and paths are drawn; the model walks both objects along the path. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void updateOfDrawnObjectsIsAcceptedIfTheValueAtThePathDiffers(long seed) {
        Random random = new Random(seed);
        int accepted = 0;
        for (int i = 0; i < 500; i++) {
            Map<String, Object> before = Map.of("spec", drawn(random, 4));
            Map<String, Object> after =
                    random.nextInt(4) == 0 ? before : Map.of("spec", changed(random, before.get("spec")));
            List<Object> path = new ArrayList<>(List.of("spec"));
            for (int depth = random.nextInt(4); depth > 0; depth--) {
                path.add(random.nextInt(4) == 0 ? (Object) random.nextInt(3) : NAMES.get(random.nextInt(NAMES.size())));
            }
            boolean differs = !Objects.equals(at(before, path), at(after, path));
            accepted += differs ? 1 : 0;
            assertThat(EventPredicates.fieldsChanged(GenericKubernetesResource.class, written(random, path))
                            .test(update(generic(before), generic(after))))
                    .as("seed %s: %s from %s to %s", seed, path, before, after)
                    .isEqualTo(differs);
        }
        assertThat(accepted).isBetween(50, 450);
    }

    private static GenericKubernetesResource generic(Map<String, Object> content) {
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setAdditionalProperties(content);
        return object;
    }

    private static Object drawn(Random random, int depth) {
        int kind = depth == 0 ? 3 : random.nextInt(5);
        if (kind > 2) {
            return List.<Object>of("", "text", 1, 7L, true, 1.5).get(random.nextInt(6));
        }
        if (kind == 0) {
            return Stream.generate(() -> drawn(random, depth - 1))
                    .limit(random.nextInt(4))
                    .toList();
        }
        Map<String, Object> map = new HashMap<>();
        NAMES.stream().filter(name -> random.nextBoolean()).forEach(name -> map.put(name, drawn(random, depth - 1)));
        return map;
    }

    /** Return a value with another one at a drawn place. */
    private static Object changed(Random random, Object value) {
        if (value instanceof Map<?, ?> map && random.nextInt(5) > 0) {
            Map<String, Object> copy = new HashMap<>();
            map.forEach((name, child) -> copy.put((String) name, child));
            copy.compute(
                    NAMES.get(random.nextInt(NAMES.size())),
                    (name, child) ->
                            child == null ? drawn(random, 1) : random.nextInt(4) == 0 ? null : changed(random, child));
            return copy;
        }
        if (value instanceof List<?> list && !list.isEmpty() && random.nextInt(5) > 0) {
            List<Object> copy = new ArrayList<>(list);
            copy.set(0, changed(random, copy.get(0)));
            return copy;
        }
        return drawn(random, 1);
    }

    private static @Nullable Object at(@Nullable Object value, List<Object> path) {
        if (path.isEmpty()) {
            return value;
        }
        Object step = path.get(0);
        Object child = null;
        if (step instanceof String name && value instanceof Map<?, ?> map) {
            child = map.get(name);
        } else if (step instanceof Integer index && value instanceof List<?> list && index < list.size()) {
            child = list.get(index);
        }
        return at(child, path.subList(1, path.size()));
    }

    private static String written(Random random, List<Object> path) {
        StringBuilder text = new StringBuilder();
        for (Object step : path) {
            if (step instanceof Integer) {
                text.append('[').append(step).append(']');
            } else if (step.toString().matches("\\w+") && random.nextInt(4) > 0) {
                text.append(text.length() == 0 ? "" : ".").append(step);
            } else {
                text.append("['").append(step).append("']");
            }
        }
        return text.toString();
    }
}
