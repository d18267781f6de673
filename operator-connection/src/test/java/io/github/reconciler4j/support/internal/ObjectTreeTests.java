package io.github.reconciler4j.support.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ObjectTreeTests {

    private static final String METADATA = "'metadata':{'name':'x','labels':{'a':'1','b':'2'},'finalizers':['f/1'],"
            + "'ownerReferences':[{'kind':'Pod','name':'o','uid':'u','controller':true}],'unknown':{'deep':[1,2.5,null]}}";

    @Group("tests.example.io")
    @Version("v1")
    static class Thing extends CustomResource<Map<String, Object>, Map<String, Object>> {
        private static final long serialVersionUID = 1L;
    }

    /** A bean with fields of all kinds. */
    static class Bean extends Base {
        final int fixed = Math.abs(-3);

        @Nullable
        JsonNode node;

        byte @Nullable [] bytes;
        Instant time = Instant.EPOCH;
        transient Map<String, Object> derived = new HashMap<>();
        TreeMap<String, Object> sorted = new TreeMap<>();

        @Nullable
        Object any;

        List<Object> none = List.of();
    }

    static class Base {
        private long number = 7;
        private List<@Nullable Object> inherited = new ArrayList<>();
    }

    static class Fields {
        @Nullable
        Object one;

        @Nullable
        Object other;
    }

    record Pair(Object one, Object other) {}

    class Inner {
        int number = hashCode();
    }

    private static <T> T read(Class<T> type, String json) throws IOException {
        return KubernetesJson.mapper().readValue(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), type);
    }

    private static String write(Object object) throws IOException {
        return KubernetesJson.mapper().writeValueAsString(object);
    }

    static Stream<Object> models() throws IOException {
        return Stream.of(
                read(
                        Pod.class,
                        "{" + METADATA + ",'spec':{'containers':[{'name':'c','resources':{'limits':{'cpu':'100m'}},"
                                + "'livenessProbe':{'httpGet':{'port':8080}},'env':[{'name':'A','value':'b'}]}]}}"),
                read(
                        Deployment.class,
                        "{" + METADATA + ",'spec':{'replicas':3,'strategy':{'rollingUpdate':"
                                + "{'maxSurge':'25%','maxUnavailable':1}},'selector':{'matchLabels':{'a':'b'}}}}"),
                read(
                        CustomResourceDefinition.class,
                        "{" + METADATA + ",'spec':{'versions':[{'name':'v1','schema':{'openAPIV3Schema':"
                                + "{'type':'object','default':{'a':[1,'b']},'enum':[1,'x']}}}]}}"),
                read(GenericKubernetesResource.class, "{'kind':'X'," + METADATA + ",'spec':{'a':[{'b':null},[]]}}"),
                read(Thing.class, "{" + METADATA + ",'spec':{'a':[1,{'b':true}]},'status':{'c':'d'}}"));
    }

    @ParameterizedTest
    @MethodSource("models")
    void copyOfAModelIsEqualAndSharesNothingThatCanChange(Object model) throws IOException {
        String before = write(model);
        ObjectTree<Object> tree = tree(model);
        Object copy = tree.copy();
        assertThat(copy).isNotSameAs(model).hasSameClassAs(model);
        assertThat(write(copy)).isEqualTo(before);
        assertThat(tree.hasContentOf(tree(copy))).isTrue();
        ObjectMeta metadata = ((io.fabric8.kubernetes.api.model.HasMetadata) copy).getMetadata();
        metadata.setName("changed");
        metadata.getLabels().clear();
        metadata.getFinalizers().add("f/2");
        metadata.getOwnerReferences().get(0).setName("changed");
        metadata.getAdditionalProperties().clear();
        assertThat(write(model)).isEqualTo(before);
        assertThat(write(tree.copy())).isEqualTo(before);
        assertThat(tree.hasContentOf(tree(copy))).isFalse();
    }

    private static <T> ObjectTree<T> tree(T object) {
        ObjectTree<T> tree = ObjectTree.of(object);
        assertThat(tree).isNotNull();
        return java.util.Objects.requireNonNull(tree);
    }

    @Test
    void copyOfABeanHasTheValuesOfAllFields() throws IOException {
        Bean bean = new Bean();
        ((Base) bean).number = 9;
        ((Base) bean).inherited.add(null);
        bean.node = read(ObjectNode.class, "{'a':{'b':[1]}}");
        bean.derived.put("k", new LinkedHashMap<>(Map.of("x", 1)));
        bean.sorted.putAll(Map.of("a", 1, "b", 2));
        bean.none = new ArrayList<>();
        Bean copy = tree(bean).copy();
        assertThat(copy).usingRecursiveComparison().isEqualTo(bean);
        assertThat(copy.sorted.firstKey()).isEqualTo("a");
        assertThat(copy.fixed).isEqualTo(3);
        ((ObjectNode) java.util.Objects.requireNonNull(copy.node).get("a")).removeAll();
        copy.sorted.put("c", 3);
        ((Base) copy).inherited.clear();
        assertThat(bean.node.toString()).isEqualTo("{\"a\":{\"b\":[1]}}");
        assertThat(bean.sorted).hasSize(2);
        assertThat(((Base) bean).inherited).hasSize(1);
    }

    static Stream<Object> unknown() {
        Map<List<String>, String> keyed = new LinkedHashMap<>();
        keyed.put(new ArrayList<>(), "x");
        return Stream.of(
                new AtomicInteger(),
                new ConcurrentHashMap<>(),
                new Object(),
                new Thread(),
                (Runnable) () -> {},
                new Pair("a", "b"),
                new ObjectTreeTests().new Inner(),
                new int[1],
                new ArrayList<>() {},
                new StringBuilder(),
                keyed,
                new TreeMap<>(Comparator.reverseOrder()),
                List.of("x"));
    }

    @ParameterizedTest
    @MethodSource("unknown")
    void ofWhenAPartIsNotKnownToBeCopyableReturnsNull(Object part) {
        Fields fields = new Fields();
        fields.one = part;
        assertThat(ObjectTree.of(part)).isNull();
        assertThat(ObjectTree.of(fields)).isNull();
    }

    @Test
    void ofWhenAPartAppearsTwiceReturnsNull() {
        Fields fields = new Fields();
        fields.one = new ArrayList<>();
        fields.other = fields.one;
        assertThat(ObjectTree.of(fields)).isNull();
        fields.other = fields;
        assertThat(ObjectTree.of(fields)).isNull();
        fields.other = new ArrayList<>();
        assertThat(ObjectTree.of(fields)).isNotNull();
    }

    @Test
    void ofWhenTheObjectIsTooDeepReturnsNull() {
        List<Object> deep = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            deep = new ArrayList<>(List.of(deep));
        }
        assertThat(ObjectTree.of(deep)).isNull();
    }

    @Test
    void hasContentOfWhenClassesOrOrderDifferIsFalse() {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("a", 1);
        one.put("b", 2);
        Map<String, Object> other = new LinkedHashMap<>();
        other.put("b", 2);
        other.put("a", 1);
        assertThat(tree(one).hasContentOf(tree(other))).isFalse();
        assertThat(tree(one).hasContentOf(tree(new TreeMap<>(one)))).isFalse();
        assertThat(tree(one).hasContentOf(tree(new LinkedHashMap<>(one)))).isTrue();
        one.put("c", null);
        assertThat(tree(one).hasContentOf(tree(new LinkedHashMap<>(other)))).isFalse();
    }
}
