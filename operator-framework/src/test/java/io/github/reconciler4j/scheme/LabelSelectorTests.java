package io.github.reconciler4j.scheme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabelSelectorTests {

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
        assertThat(LabelSelector.parse(selector).matches(LABELS)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"app=web,", "=web", "app in web", "app in (a", "a b", "weight>many", "app=a=b", "(x)"})
    void parseWhenTextIsNoSelectorSaysWhichPart(String selector) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LabelSelector.parse(selector))
                .withMessageContaining(selector);
    }
}
