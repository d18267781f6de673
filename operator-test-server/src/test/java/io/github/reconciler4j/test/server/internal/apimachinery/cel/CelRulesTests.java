package io.github.reconciler4j.test.server.internal.apimachinery.cel;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CelRulesTests {
    private static final CelRules RULES = compiled();

    private static CelRules compiled() {
        FieldErrors errors = new FieldErrors();
        CelRules rules =
                CelRules.compile(Ruled.definition().at("/spec/versions/0/schema/openAPIV3Schema"), "schema", errors);
        assertThat(errors).isEmpty();
        return rules;
    }

    private static List<String> check(String spec, @Nullable String old) {
        return RULES.check(Ruled.object("o", spec), old == null ? null : Ruled.object("o", old)).stream()
                .map(FieldError::toString)
                .toList();
    }

    @Test
    void checkWhenRuleFailsSaysItsMessage() {
        assertThat(check("size: 11", null)).containsExactly("spec: Invalid value: too big");
        assertThat(check("size: 1", null))
                .containsExactly("spec: Invalid value: failed rule: !has(self.size) || self.size > 1");
        assertThat(check("name: 'x'", null)).containsExactly("spec.name: Forbidden: no x");
        assertThat(check("size: 5, amount: '1Gi', words: ['a', 'b']", null)).isEmpty();
    }

    @Test
    void checkWhenRuleCannotBeEvaluatedSaysWhy() {
        assertThat(check("name: 'm'", null))
                .containsExactly(
                        "spec: Invalid value: \"object\": key 'size' is not present in map. evaluating rule: needs size");
    }

    @Test
    void checkWhenOldObjectIsThereEvaluatesTransitionRules() {
        assertThat(check("fixed: 'b'", "fixed: 'a'")).containsExactly("spec.fixed: Invalid value: \"b\": fixed");
        assertThat(check("fixed: 'b'", "size: 2")).isEmpty();
        assertThat(check("parts: [{id: 'b', v: 1}, {id: 'a', v: 4}]", "parts: [{id: 'a', v: 5}]"))
                .containsExactly("spec.parts[1].v: Invalid value: 4: was large");
    }

    @Test
    void checkWhenNothingChangedForgives() {
        assertThat(check("size: 11", "size: 11")).isEmpty();
    }

    @Test
    void compileWhenRuleIsWrongNamesFieldAndPosition() {
        FieldErrors errors = new FieldErrors();

        CelRules.compile(
                TestJson.of(
                        "{type: 'object', properties: {a: {type: 'string', 'x-kubernetes-validations': [{rule: 'self.b'}]}}}"),
                "schema",
                errors);

        assertThat(errors).singleElement().satisfies(error -> {
            assertThat(error.path()).isEqualTo("schema.properties[a].x-kubernetes-validations[0].rule");
            assertThat(error.message()).contains("compilation failed: ERROR: <input>:1:5");
        });
    }
}
