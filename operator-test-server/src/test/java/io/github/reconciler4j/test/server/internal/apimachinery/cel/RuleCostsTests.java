package io.github.reconciler4j.test.server.internal.apimachinery.cel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.BothServers;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What rules may cost; {@code RuleCostsIntegrationTests} compares the same with a real server. */
class RuleCostsTests {
    private static final Pattern FACTOR =
            Pattern.compile("(rule|messageExpression|total)[^:]*? exceeds.* of (.*x) \\(");
    private static final int RECORDED = 300;

    static boolean isCost(String cause) {
        return cause.contains(" cost ");
    }

    private static List<FieldError> errors(ObjectNode schema) {
        FieldErrors errors = new FieldErrors();
        CelRules.compile(schema, "schema", errors);
        return errors;
    }

    /** The factors by which a drawn definition is too expensive. */
    private static String factors(long seed) {
        ObjectNode definition = DrawnRules.definition(seed);
        List<FieldError> errors = errors((ObjectNode) definition.at("/spec/versions/0/schema/openAPIV3Schema"));
        if (!errors.stream().map(FieldError::message).allMatch(RuleCostsTests::isCost)) {
            return "not a rule";
        }
        return errors.stream()
                .map(error -> FACTOR.matcher(error.message()))
                .filter(Matcher::find)
                .map(match -> match.group(1) + " " + match.group(2))
                .sorted()
                .collect(Collectors.joining(", "));
    }

    /** Record again with {@code -Drule.costs.record=FILE} after a change of what is drawn, once the real server agrees. */
    @Test
    void definitionsWhenDrawnCostWhatARealServerSays() throws IOException {
        List<String> actual = new ArrayList<>();
        for (int seed = 0; seed < RECORDED; seed++) {
            actual.add(seed + ": " + factors(seed));
        }
        String record = System.getProperty("rule.costs.record");
        if (record != null) {
            Files.write(Path.of(record), actual);
        }
        assertThat(actual).isEqualTo(BothServers.lines("cel/rule-costs.txt"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            {type: 'string'}                | self.all(x, x.startsWith('a'))  |
            {type: 'string'}                | self.all(x, x.endsWith(x))      | more than 100x
            {type: 'string', maxLength: 10} | self.all(x, x.endsWith(x))      |
            {type: 'string', maxLength: 10} | self.all(x, self.all(y, x < y)) | more than 100x
            """)
    void listWhenARuleComparesUnlimitedItemsIsRefused(String items, String rule, String factor) {
        List<FieldError> errors =
                errors((ObjectNode) TestJson.of("{type: 'object', properties: {l: {type: 'array', items: " + items
                        + ", 'x-kubernetes-validations': [{rule: \"" + rule + "\"}]}}}"));

        if (factor == null) {
            assertThat(errors).isEmpty();
        } else {
            assertThat(errors).first().satisfies(error -> {
                assertThat(error.path()).isEqualTo("schema.properties[l].x-kubernetes-validations[0].rule");
                assertThat(error.message()).contains("exceeds budget by factor of " + factor + " (try");
            });
        }
    }
}
