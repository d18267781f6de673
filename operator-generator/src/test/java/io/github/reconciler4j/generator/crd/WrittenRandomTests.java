package io.github.reconciler4j.generator.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.crd.WrittenCases.Field;
import io.github.reconciler4j.generator.crd.WrittenSources.Style;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Kinds with drawn fields: the server keeps what is written, or the generator refuses the kind and names a field. It refuses those only
 * that have a field that it refuses alone, and describes each field as it does alone.
 */
class WrittenRandomTests {

    private static final int CASES = Integer.getInteger("written.cases", 300);
    private static final long FIRST = Long.getLong("written.seed", 1);
    private static final int AT_ONCE = 300;

    /** The schemas of fields alone, by field and style; empty if the generator refuses them. */
    private final Map<String, Optional<JsonNode>> alone = new HashMap<>();

    @Test
    void valuesWhenOfDrawnTypesAreKeptOrRefused() throws Exception {
        int kept = 0;
        for (long seed = FIRST; seed < FIRST + CASES; seed += AT_ONCE) {
            kept += keptOf(seed, Math.min(seed + AT_ONCE, FIRST + CASES));
        }
        assertThat(kept).as("kinds that are not refused").isGreaterThan(CASES / 4);
    }

    private int keptOf(long first, long end) throws Exception {
        Map<Long, List<Field>> drawn = new LinkedHashMap<>();
        Map<Long, Style> styles = new HashMap<>();
        Map<String, String> sources = new LinkedHashMap<>();
        Map<String, String> kindsOfOne = new LinkedHashMap<>();
        for (long seed = first; seed < end; seed++) {
            Random random = new Random(seed * 1_000_003);
            List<Field> fields = new ArrayList<>();
            for (int count = 1 + random.nextInt(4); count > 0; count--) {
                fields.add(WrittenCases.draw(random));
            }
            Style style = Style.values()[random.nextInt(3)];
            drawn.put(seed, distinct(fields));
            styles.put(seed, style);
            put(sources, "Drawn" + seed, style, drawn.get(seed));
            for (Field field : drawn.get(seed)) {
                if (!alone.containsKey(style + " " + field) && !kindsOfOne.containsKey(style + " " + field)) {
                    String kind = "Alone" + first + "x" + kindsOfOne.size();
                    kindsOfOne.put(style + " " + field, kind);
                    put(sources, kind, style, List.of(field));
                }
            }
        }
        CompiledSources classes = CompiledSources.of(sources);
        for (Map.Entry<String, String> each : kindsOfOne.entrySet()) {
            alone.put(each.getKey(), schema(WrittenOracle.sample(classes, each.getValue()), 0));
        }
        int kept = 0;
        try (WrittenOracle oracle = new WrittenOracle()) {
            for (Map.Entry<Long, List<Field>> each : drawn.entrySet()) {
                if (isKept(oracle, classes, each.getKey(), each.getValue())) {
                    kept++;
                    checkSchemas(classes, each.getKey(), styles.get(each.getKey()), each.getValue());
                }
            }
        }
        return kept;
    }

    private static void put(Map<String, String> sources, String kind, Style style, List<Field> fields) {
        sources.put(WrittenSources.PACKAGE + "." + kind, WrittenSources.of(kind, style, fields));
    }

    /** Each field is described as it is alone. */
    private void checkSchemas(CompiledSources classes, long seed, Style style, List<Field> fields) throws Exception {
        HasMetadata sample = WrittenOracle.sample(classes, "Drawn" + seed);
        for (int i = 0; i < fields.size(); i++) {
            Optional<JsonNode> expected = alone.get(style + " " + fields.get(i));
            if (expected.isPresent()) {
                assertThat(schema(sample, i))
                        .as("-Dwritten.seed=" + seed + " -Dwritten.cases=1: " + fields.get(i) + " in " + fields)
                        .isEqualTo(expected);
            }
        }
    }

    /** Return the schema of a field with its number left out. */
    private static Optional<JsonNode> schema(HasMetadata kind, int field) throws Exception {
        try {
            JsonNode definition =
                    WrittenOracle.MAPPER.valueToTree(CrdGenerator.checked(kind.getClass(), CrdOptions.defaults()));
            JsonNode spec = definition.at("/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties");
            String schema = spec.path("field" + field).toString();
            return Optional.of(WrittenOracle.MAPPER.readTree(schema.replace("field" + field, "field")));
        } catch (GeneratorException e) {
            return Optional.empty();
        }
    }

    private static boolean isKept(WrittenOracle oracle, CompiledSources classes, long seed, List<Field> fields) {
        try {
            Optional<String> refusal = oracle.refusal(WrittenOracle.sample(classes, "Drawn" + seed));
            refusal.ifPresent(reason -> assertThat(reason).containsPattern("field[0-9]|unwrapped|other-name"));
            if (fields.stream().noneMatch(WrittenRandomTests::mayBeRefused)) {
                assertThat(refusal).isEmpty();
            }
            return refusal.isEmpty();
        } catch (AssertionError | Exception e) {
            return fail("-Dwritten.seed=" + seed + " -Dwritten.cases=1: " + fields, e);
        }
    }

    /** Unwrapped fields are refused in classes of some styles, and Jackson cannot read a record that leaves out a type id. */
    private static boolean mayBeRefused(Field field) {
        return WrittenGridTests.REFUSED.contains(field.toString())
                || field.annotations().contains("@JsonUnwrapped")
                || field.annotations().contains("JsonTypeInfo.Id.NONE");
    }

    /** Two properties of one name are a mistake of another kind. */
    private static List<Field> distinct(List<Field> fields) {
        List<Field> distinct = new ArrayList<>();
        for (Field field : fields) {
            if (field.annotations().isEmpty()
                    || distinct.stream().noneMatch(other -> !other.annotations().isEmpty())) {
                distinct.add(field);
            }
        }
        return distinct;
    }
}
