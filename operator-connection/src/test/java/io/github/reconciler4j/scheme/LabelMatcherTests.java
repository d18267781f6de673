package io.github.reconciler4j.scheme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirementBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabelMatcherTests {

    private static final Map<String, String> LABELS = Map.of("app", "web", "example.com/tier", "front", "weight", "7");

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "'';true",
                "app=web;true",
                "app==web;true",
                "app = web;true",
                "app=api;false",
                "app!=web;false",
                "app!=api;true",
                "missing!=x;true",
                "app in (web, api);true",
                "app in (api);false",
                "app notin (web);false",
                "missing notin (web);true",
                "app;true",
                "missing;false",
                "!missing;true",
                "!app;false",
                "weight>6;true",
                "weight>7;false",
                "weight<8;true",
                "app>1;false",
                "missing<1;false",
                "example.com/tier=front;true",
                "app=web,example.com/tier in (front,back),!missing;true",
                "app=web,weight>9;false",
                "missing=;false"
            })
    void matchesWhenEveryRequirementHolds(String selector, boolean expected) {
        assertThat(LabelMatcher.parse(selector).matches(LABELS)).isEqualTo(expected);
    }

    @Test
    void ofWhenObjectsHaveItInTheirSpecsSelectsTheSame() {
        LabelMatcher selector = LabelMatcher.of(new LabelSelectorBuilder()
                .addToMatchLabels("app", "web")
                .addToMatchExpressions(expression("weight", "In", "7", "8"))
                .addToMatchExpressions(expression("example.com/tier", "NotIn", "back"))
                .addToMatchExpressions(expression("missing", "DoesNotExist"))
                .addToMatchExpressions(expression("app", "Exists"))
                .build());
        assertThat(selector).hasToString("app=web,weight in (7,8),example.com/tier notin (back),!missing,app");
        assertThat(selector.matches(LABELS)).isTrue();
        assertThat(LabelMatcher.parse(selector.toString()).matches(LABELS)).isTrue();
        assertThat(selector.matches(Map.of("app", "web", "weight", "9"))).isFalse();
    }

    @Test
    void ofWhenSelectorHasNoRequirementSelectsEverything() {
        assertThat(LabelMatcher.of(new LabelSelectorBuilder().build()).isEverything())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({"Near, a", "In, ", "Exists, a"})
    void ofWhenExpressionIsNotValidQuotesIt(String operator, String value) {
        var selector = new LabelSelectorBuilder()
                .addToMatchExpressions(value == null ? expression("app", operator) : expression("app", operator, value))
                .build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LabelMatcher.of(selector))
                .withMessageContaining("'" + operator + "'")
                .withMessageContaining("'app'");
    }

    private static LabelSelectorRequirement expression(String key, String operator, String... values) {
        return new LabelSelectorRequirementBuilder()
                .withKey(key)
                .withOperator(operator)
                .withValues(values)
                .build();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "app=web,",
                "=web",
                "app in web",
                "app in (a",
                "a b",
                "weight>many",
                "app=a=b",
                "(x)",
                "a in(=)",
                "a in (x y)"
            })
    void parseWhenTextIsNoSelectorQuotesThePart(String selector) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LabelMatcher.parse(selector))
                .withMessageContaining(selector);
    }
}
