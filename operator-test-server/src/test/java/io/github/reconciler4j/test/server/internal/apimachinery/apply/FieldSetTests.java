package io.github.reconciler4j.test.server.internal.apimachinery.apply;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class FieldSetTests {

    private static final String FIELDS = """
            {"f:metadata":{"f:labels":{".":{},"f:app":{}}},"f:spec":{"f:ports":{"k:{\\"port\\":80,\\"protocol\\":\\"TCP\\"}":\
            {".":{},"f:port":{}}},"f:set":{"v:\\"a\\"":{},"v:1":{},"i:3":{}}}}""";

    @Test
    void toJsonWhenReadBeforeIsTheSame() {
        JsonNode json = TestJson.of(FIELDS);
        assertThat(FieldSet.fromJson(json).toJson()).isEqualTo(json);
    }

    @Test
    void toJsonWhenElementsDifferInKindSortsThemByKind() {
        FieldSet set = FieldSet.fromJson(TestJson.of("{'i:1': {}, 'v:\"b\"': {}, 'v:2': {}, 'v:true': {},"
                + " 'k:{\"name\":\"b\"}': {}, 'k:{\"name\":\"a\"}': {}, 'f:z': {}, 'f:a': {}}"));
        List<String> names = new ArrayList<>();
        set.toJson().fieldNames().forEachRemaining(names::add);
        assertThat(names)
                .containsExactly(
                        "f:a", "f:z", "k:{\"name\":\"a\"}", "k:{\"name\":\"b\"}", "v:\"b\"", "v:2", "v:true", "i:1");
    }

    @Test
    void fromJsonWhenElementIsOfAnUnknownKindLeavesItOut() {
        assertThat(FieldSet.fromJson(TestJson.of("{'x:a': {}, 'f:b': {}}")).toJson())
                .isEqualTo(TestJson.of("{'f:b': {}}"));
    }

    @Property(tries = 200)
    void setsWhenCombinedObeyTheLawsOfSets(@ForAll("sets") FieldSet a, @ForAll("sets") FieldSet b) {
        assertThat(a.union(b)).isEqualTo(b.union(a));
        assertThat(a.intersection(b)).isEqualTo(b.intersection(a));
        assertThat(a.difference(b).union(a.intersection(b))).isEqualTo(a);
        assertThat(a.difference(b).intersection(b).isEmpty()).isTrue();
        assertThat(a.recursiveDifference(b).difference(a.difference(b)).isEmpty())
                .isTrue();
        assertThat(FieldSet.fromJson(a.toJson())).isEqualTo(a);
    }

    @Provide
    Arbitrary<FieldSet> sets() {
        Arbitrary<String> element = Arbitraries.of("a", "b", "c").map(FieldPath::field);
        return element.list().ofMinSize(1).ofMaxSize(3).list().ofMaxSize(6).map(paths -> {
            FieldSet set = new FieldSet();
            paths.forEach(set::insert);
            return set;
        });
    }
}
