package io.github.reconciler4j.generator.crd;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.generator.crd.WrittenCases.Field;
import io.github.reconciler4j.generator.crd.WrittenSources.Style;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Each type in each place, and each annotation: the server keeps the value, or the generator refuses it for a reason. */
class WrittenGridTests {

    /** What no schema can describe, or what Jackson cannot read. */
    static final Set<String> REFUSED = Set.of(
            "@JsonFormat(shape = JsonFormat.Shape.ARRAY) Pair",
            "@JsonFormat(with = JsonFormat.Feature.WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED) List<Integer>",
            "@JsonRawValue String",
            "@JsonSerialize(using = PointWriter.class) Point",
            "@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = \"is\") @JsonSubTypes(@JsonSubTypes.Type(value = NamedImpl.class, name = \"impl\")) List<Named>",
            "@JsonTypeInfo(use = JsonTypeInfo.Id.NONE) List<Folder>",
            "@JsonUnwrapped Point",
            "@JsonUnwrapped(prefix = \"b-\", suffix = \"-c\") Outer",
            "@JsonUnwrapped(prefix = \"g-\") Bucket",
            "@SchemaFrom(type = String.class) Integer",
            "BitSet",
            "Box<Bucket>",
            "Box<ByClass>",
            "Box<Limited>",
            "Box<Step>",
            "Box<Storage>",
            "Box<Tight>",
            "InArray",
            "List<Box<Storage>>",
            "List<Map<String, Box<Storage>>>",
            "List<Map<String, Bucket>>",
            "List<Map<String, ByClass>>",
            "List<Map<String, Limited>>",
            "List<Map<String, Step>>",
            "List<Map<String, Storage>>",
            "List<Map<String, Tight>>",
            "Map<String, Box<Storage>>",
            "Map<String, List<Storage>>",
            "Optional<String>",
            "OptionalInt",
            "Unknown");

    @Test
    void valueWhenOfAnyTypeInAnyPlaceIsKeptOrRefused() throws Exception {
        List<Field> fields = WrittenCases.all();
        Map<String, String> sources = new LinkedHashMap<>();
        for (int i = 0; i < fields.size(); i++) {
            Style style = Style.values()[i % 3];
            sources.put(
                    WrittenSources.PACKAGE + ".Grid" + i, WrittenSources.of("Grid" + i, style, List.of(fields.get(i))));
        }
        CompiledSources classes = CompiledSources.of(sources);
        Set<String> refused = new TreeSet<>();
        Map<String, String> wrong = new LinkedHashMap<>();
        try (WrittenOracle oracle = new WrittenOracle()) {
            for (int i = 0; i < fields.size(); i++) {
                try {
                    Optional<String> refusal = oracle.refusal(WrittenOracle.sample(classes, "Grid" + i));
                    refusal.ifPresent(reason -> assertThat(reason).contains("field0"));
                    if (refusal.isPresent()) {
                        refused.add(fields.get(i).toString());
                    }
                } catch (AssertionError | Exception e) {
                    wrong.put(i + " " + fields.get(i), e.toString());
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(refused).containsExactlyInAnyOrderElementsOf(REFUSED);
    }
}
