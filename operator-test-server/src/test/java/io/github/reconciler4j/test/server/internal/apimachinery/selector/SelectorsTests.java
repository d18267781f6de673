package io.github.reconciler4j.test.server.internal.apimachinery.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SelectorsTests {

    private static final Map<String, String> LABELS =
            Map.of("app", "web", "tier", "", "weight", "10", "example.com/role", "a", "in", "notin");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "app=web",
                "app == web",
                "app in (api,web)",
                "app in ( web )",
                "app notin (api)",
                "app!=api",
                "missing!=x",
                "missing notin (x)",
                "app",
                "!missing",
                "! missing",
                "tier=",
                "tier in ()",
                "tier in (,)",
                "tier in (a,,b)",
                "tier in (a,)",
                "weight>9",
                "weight < 11",
                "example.com/role=a,app=web",
                "in=notin",
                "in in (notin)",
                "app,tier",
                "tier=,app=web",
            })
    void parseLabelsWhenLabelsFitMatches(String selector) {
        assertThat(LabelSelector.parse(selector)).accepts(LABELS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "app=api",
                "app!=web",
                "app in (api)",
                "app notin (web,api)",
                "missing",
                "!app",
                "missing=",
                "weight>10",
                "weight<10",
                "app>1",
                "app=web,missing",
            })
    void parseLabelsWhenLabelsDoNotFitRejects(String selector) {
        assertThat(LabelSelector.parse(selector)).rejects(LABELS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "app in",
                "app in (a",
                "app in (a b)",
                "app in (=)",
                "app in (,=)",
                "app=(a)",
                "app web",
                "app=web tier",
                "app=web,",
                "=web",
                "!=web",
                "! (web",
                "weight>x",
                "a/b/c",
                "app=a/b",
            })
    void parseLabelsWhenSelectorIsMalformedAnswers400(String selector) {
        assertThatExceptionOfType(StatusException.class)
                .isThrownBy(() -> LabelSelector.parse(selector))
                .withMessageContaining("unable to parse requirement")
                .satisfies(e -> assertThat(e.code()).isEqualTo(400));
    }

    @Test
    void parseLabelsWhenPrintedSortsByKey() {
        assertThat(LabelSelector.parse("b in (y,x), !c ,a==1,d>2,e")).hasToString("a==1,b in (x,y),!c,d>2,e");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "metadata.name=a                       | true",
                "metadata.name==a                      | true",
                "metadata.name!=a                      | false",
                "metadata.name=a,status.phase!=Running | true",
                "metadata.name=a,spec.x=               | true",
                "spec.note=1\\,2\\=3                   | true",
                ",,                                    | true",
                "!=                                    | true",
            })
    void parseFieldsWhenSelectorIsRightMatchesValues(String selector, boolean expected) {
        FieldSelector parsed = FieldSelector.parse(selector);
        assertThat(parsed.test(Map.of("metadata.name", "a", "spec.note", "1,2=3")))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "metadata.name",
                "a=b=c",
                "a=\\n",
                "a=b\\",
            })
    void parseFieldsWhenSelectorIsMalformedAnswers400(String selector) {
        assertThatExceptionOfType(StatusException.class)
                .isThrownBy(() -> FieldSelector.parse(selector))
                .withMessageContaining("invalid selector")
                .satisfies(e -> assertThat(e.code()).isEqualTo(400));
    }

    @Test
    void fieldsWhenParsedAreThoseOfTheTerms() {
        FieldSelector selector = FieldSelector.parse("spec.x!=1,metadata.name=a");
        assertThat(selector.fields()).containsExactly("metadata.name", "spec.x");
        assertThat(selector.requiredValue("metadata.name")).contains("a");
        assertThat(selector.requiredValue("spec.x")).isEmpty();
        assertThat(selector).hasToString("metadata.name=a,spec.x!=1");
    }

    @Test
    void fromObjectWhenSelectorIsAbsentMatchesNothingAndWhenEmptyEverything() {
        assertThat(LabelSelector.of(TestJson.of("null"))).rejects(LABELS);
        assertThat(LabelSelector.of(TestJson.of("{}"))).accepts(LABELS);
    }

    @Test
    void fromObjectWhenSelectorHasConditionsNeedsAllOfThem() {
        var selector = LabelSelector.of(TestJson.of("{matchLabels: {app: 'web'}, matchExpressions: ["
                + "{key: 'tier', operator: 'Exists'}, {key: 'app', operator: 'In', values: ['web', 'api']},"
                + " {key: 'x', operator: 'DoesNotExist'}, {key: 'app', operator: 'NotIn', values: ['db']}]}"));
        assertThat(selector).accepts(LABELS).rejects(Map.of("app", "web"));
    }

    @Test
    void fromObjectWhenOperatorIsUnknownAnswers400() {
        assertThatExceptionOfType(StatusException.class)
                .isThrownBy(() -> LabelSelector.of(TestJson.of("{matchExpressions: [{key: 'a', operator: 'Like'}]}")))
                .withMessage("\"Like\" is not a valid label selector operator");
    }
}
