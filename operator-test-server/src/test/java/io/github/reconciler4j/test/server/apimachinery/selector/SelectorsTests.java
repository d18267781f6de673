package io.github.reconciler4j.test.server.apimachinery.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.apimachinery.TestJson;
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
        assertThat(Selectors.parseLabels(selector)).accepts(LABELS);
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
        assertThat(Selectors.parseLabels(selector)).rejects(LABELS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "app in | unable to parse requirement: found '' expected: '('",
                "app in (a | unable to parse requirement: found '', expected: ',' or ')'",
                "app in (a b) | unable to parse requirement: found 'b', expected: ',' or ')'",
                "app in (=) | unable to parse requirement: found '=', expected: ',', ')' or identifier",
                "app in (,=) | unable to parse requirement: found '=', expected: ',', or identifier",
                "app=(a) | unable to parse requirement: found '(', expected: identifier",
                "app web | unable to parse requirement: found 'web', expected: in, notin, =, ==, !=, gt, lt",
                "app=web tier | found 'tier', expected: ',' or 'end of string'",
                "app=web, | found '', expected: identifier after ','",
                "=web | found '=', expected: !, identifier, or 'end of string'",
                "!=web | found '!=', expected: !, identifier, or 'end of string'",
                "! (web | unable to parse requirement: found '(', expected: identifier",
                "weight>x | unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators,"
                        + " the value must be an integer",
                "a/b/c | unable to parse requirement: <nil>: Invalid value: \"a/b/c\": a valid label key must consist of",
                "app=a/b | unable to parse requirement: values[0][app]: Invalid value: \"a/b\": a valid label must be an"
                        + " empty string or consist of",
            })
    void parseLabelsWhenSelectorIsWrongAnswers400(String selector, String message) {
        assertThatExceptionOfType(StatusException.class)
                .isThrownBy(() -> Selectors.parseLabels(selector))
                .withMessageStartingWith(message.replace("\\\"", "\""))
                .satisfies(e -> assertThat(e.code()).isEqualTo(400));
    }

    @Test
    void parseLabelsWhenPrintedSortsByKey() {
        assertThat(Selectors.parseLabels("b in (y,x), !c ,a==1,d>2,e")).hasToString("a==1,b in (x,y),!c,d>2,e");
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
        FieldSelector parsed = Selectors.parseFields(selector);
        assertThat(parsed.test(Map.of("metadata.name", "a", "spec.note", "1,2=3")))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "metadata.name | invalid selector: 'metadata.name'; can't understand 'metadata.name'",
                "a=b=c | invalid field selector: unescaped character in value: 61",
                "a=\\n | invalid field selector: invalid escape sequence: \\n",
                "a=b\\ | invalid field selector: invalid escape sequence: \\",
            })
    void parseFieldsWhenSelectorIsWrongAnswers400(String selector, String message) {
        assertThatExceptionOfType(StatusException.class)
                .isThrownBy(() -> Selectors.parseFields(selector))
                .withMessage(message)
                .satisfies(e -> assertThat(e.code()).isEqualTo(400));
    }

    @Test
    void parseFieldsWhenAskedTellsItsTerms() {
        FieldSelector selector = Selectors.parseFields("spec.x!=1,metadata.name=a");
        assertThat(selector.fields()).containsExactly("metadata.name", "spec.x");
        assertThat(selector.requiredValue("metadata.name")).contains("a");
        assertThat(selector.requiredValue("spec.x")).isEmpty();
        assertThat(selector).hasToString("metadata.name=a,spec.x!=1");
    }

    @Test
    void fromObjectWhenSelectorIsAbsentMatchesNothingAndWhenEmptyEverything() {
        assertThat(Selectors.fromObject(TestJson.of("null"))).rejects(LABELS);
        assertThat(Selectors.fromObject(TestJson.of("{}"))).accepts(LABELS);
    }

    @Test
    void fromObjectWhenSelectorHasConditionsNeedsAllOfThem() {
        var selector = Selectors.fromObject(TestJson.of("{matchLabels: {app: 'web'}, matchExpressions: ["
                + "{key: 'tier', operator: 'Exists'}, {key: 'app', operator: 'In', values: ['web', 'api']},"
                + " {key: 'x', operator: 'DoesNotExist'}, {key: 'app', operator: 'NotIn', values: ['db']}]}"));
        assertThat(selector).accepts(LABELS).rejects(Map.of("app", "web"));
    }

    @Test
    void fromObjectWhenOperatorIsUnknownAnswers400() {
        assertThatExceptionOfType(StatusException.class)
                .isThrownBy(
                        () -> Selectors.fromObject(TestJson.of("{matchExpressions: [{key: 'a', operator: 'Like'}]}")))
                .withMessage("\"Like\" is not a valid label selector operator");
    }
}
