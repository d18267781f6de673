package io.github.reconciler4j.generator.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.github.reconciler4j.generator.crd.WrittenCases.Field;
import io.github.reconciler4j.generator.crd.WrittenSources.Style;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Kinds with drawn fields: the server keeps what is written, or the generator refuses the kind and names a field. It refuses those only
 * that have a field that it refuses alone.
 */
class WrittenRandomTests {

    private static final int CASES = Integer.getInteger("written.cases", 300);
    private static final long FIRST = Long.getLong("written.seed", 1);
    private static final int AT_ONCE = 300;

    @Test
    void valuesWhenOfDrawnTypesAreKeptOrRefused() throws Exception {
        int kept = 0;
        for (long seed = FIRST; seed < FIRST + CASES; seed += AT_ONCE) {
            kept += keptOf(seed, Math.min(seed + AT_ONCE, FIRST + CASES));
        }
        assertThat(kept).as("kinds that are not refused").isGreaterThan(CASES / 4);
    }

    private static int keptOf(long first, long end) throws Exception {
        Map<Long, List<Field>> drawn = new LinkedHashMap<>();
        Map<String, String> sources = new LinkedHashMap<>();
        for (long seed = first; seed < end; seed++) {
            Random random = new Random(seed * 1_000_003);
            List<Field> fields = new ArrayList<>();
            for (int count = 1 + random.nextInt(4); count > 0; count--) {
                fields.add(WrittenCases.draw(random));
            }
            Style style = Style.values()[random.nextInt(3)];
            drawn.put(seed, distinct(fields));
            sources.put(
                    WrittenSources.PACKAGE + ".Drawn" + seed,
                    WrittenSources.of("Drawn" + seed, style, drawn.get(seed)));
        }
        CompiledSources classes = CompiledSources.of(sources);
        int kept = 0;
        try (WrittenOracle oracle = new WrittenOracle()) {
            for (Map.Entry<Long, List<Field>> each : drawn.entrySet()) {
                kept += isKept(oracle, classes, each.getKey(), each.getValue()) ? 1 : 0;
            }
        }
        return kept;
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

    /** Unwrapped fields are refused in classes of some styles. */
    private static boolean mayBeRefused(Field field) {
        return WrittenGridTests.REFUSED.contains(field.toString())
                || field.annotations().contains("@JsonUnwrapped");
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
