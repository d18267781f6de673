package io.github.reconciler4j.test.server.apimachinery.cel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.Json;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RuleCostTests {
    private static final String PAIRS = "{rule: 'self.all(x, self.all(y, x > 0 && y > 0))'}";

    private final List<FieldError> errors = new ArrayList<>();

    private CelRules compile(String list) {
        return CelRules.compile(Json.of("{type: 'object', properties: {a: " + list + "}}"), "schema", errors);
    }

    private static ObjectNode object(int size) {
        return (ObjectNode) Json.of("{a: [" + "1, ".repeat(size - 1) + "1]}");
    }

    @Test
    void compileWhenARuleMayCostTooMuchSaysByHowMuch() {
        compile("{type: 'array', maxItems: 2000, items: {type: 'integer'}, 'x-kubernetes-validations': [" + PAIRS
                + "]}");

        assertThat(errors).singleElement().satisfies(error -> {
            assertThat(error.path()).isEqualTo("schema.properties[a].x-kubernetes-validations[0].rule");
            assertThat(error.message()).startsWith("Forbidden: estimated rule cost exceeds budget by factor of 2.8x");
        });
    }

    @Test
    void compileWhenAllRulesTogetherCostTooMuchNamesTheDearest() {
        compile("{type: 'array', maxItems: 1000, items: {type: 'integer'}, 'x-kubernetes-validations': ["
                + (PAIRS + ", ").repeat(14) + PAIRS + "]}");

        assertThat(errors).hasSize(5).last().satisfies(error -> {
            assertThat(error.path()).isEqualTo("schema");
            assertThat(error.message()).contains("estimated rule cost total", "factor of 1.05");
        });
    }

    @Test
    void checkWhenARuleCostsTooMuchEndsIt() {
        CelRules rules =
                compile("{type: 'array', maxItems: 1000, items: {type: 'integer'}, 'x-kubernetes-validations': ["
                        + PAIRS + "]}");
        assertThat(errors).isEmpty();

        assertThat(rules.check(object(100), null)).isEmpty();
        assertThat(rules.check(object(500), null))
                .singleElement()
                .asString()
                .contains("'operation cancelled: actual cost limit exceeded': no further validation rules will be run");
    }
}
