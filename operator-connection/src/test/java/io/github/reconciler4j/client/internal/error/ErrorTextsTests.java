package io.github.reconciler4j.client.internal.error;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorTextsTests {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Invalid value: \"a: b\": must be short | Invalid value: must be short",
                "Invalid value: \"a\\\": b\": must be short | Invalid value: must be short",
                "Invalid value: 1000: must be less | Invalid value: must be less",
                "Invalid value: {\"a\":\"x: y\"}: bad, very bad | Invalid value: bad, very bad",
                "Invalid value: map[string]interface {}{\"a\":[]int{1}}: bad | Invalid value: bad",
                "Unsupported value: \"x\": supported values: \"a\", \"b\" | Unsupported value: supported values: \"a\", \"b\"",
                "Duplicate value: \"x\" | Duplicate value: ",
                "Required value | Required value",
                "a: Invalid value: \"x\": no, b: Invalid value: 2: no | a: Invalid value: no, b: Invalid value: no",
                "Invalid value: replicas must be odd | Invalid value: replicas must be odd",
                "Invalid value: must be one of: a, b | Invalid value: must be one of: a, b",
                "Invalid value: 'b' must be above 'a' | Invalid value: 'b' must be above 'a'",
                "Invalid value: (a or b) must be set | Invalid value: (a or b) must be set",
                "Invalid value: 3 replicas at most | Invalid value: 3 replicas at most",
                "Invalid value: 3: at most 2 replicas | Invalid value: at most 2 replicas",
                "Invalid value: 2024-01-01 00:00:00 +0000 UTC | Invalid value: ",
                "x: Invalid value: must be odd, y: Invalid value: 2: no | x: Invalid value: must be odd, y: Invalid value: no",
                "Invalid value: must match [a-z]: see the docs | Invalid value: must match [a-z]: see the docs",
                "Invalid value: 2024-01-01 00:00:00 +0000 UTC: too old | Invalid value: too old",
                "Invalid value: v1.Foo{A: 1, B: 2}: bad one | Invalid value: bad one",
                "Invalid value: null: must be set now | Invalid value: must be set now",
                "Not found: \"x\" | Not found:",
                "Invalid value: \"never ends | Invalid value: ",
            })
    void textWhenItHasValuesLosesThemOnly(String text, String clean) {
        assertThat(ApiErrors.ErrorTexts.withoutValues(text).strip()).isEqualTo(clean == null ? "" : clean.strip());
    }

    @Test
    void textWhenLongIsTruncated() {
        assertThat(ApiErrors.ErrorTexts.withoutValues("x".repeat(1000))).hasSize(1000);
        assertThat(ApiErrors.ErrorTexts.withoutValues("x".repeat(5000)))
                .hasSize(1003)
                .endsWith("...");
    }
}
