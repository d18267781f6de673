package io.github.reconciler4j.client.internal.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.client.connection.InvalidKubeconfigException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What the fields of a kubeconfig are, and what is said of those of another type. */
class FieldsTests {

    private static Fields fields(String path, Object value) {
        Map<String, Object> tree = new HashMap<>();
        tree.put("here", value);
        return new Fields("The kubeconfig", path, tree);
    }

    private static void assertWrong(ThrowingCallable call, String problem) {
        assertThatThrownBy(call)
                .isExactlyInstanceOf(InvalidKubeconfigException.class)
                .hasMessage("The kubeconfig has a field " + problem + " (R4J-031)");
    }

    @Test
    void textIsTheValueAndEmptyForNone() {
        assertThat(fields("", "x").text("here")).isEqualTo("x");
        assertThat(fields("", null).text("here")).isEmpty();
        assertThat(fields("", "x").text("elsewhere")).isEmpty();
        assertWrong(() -> fields("", 1).text("here"), "'here' that is no text");
        assertWrong(() -> fields("users.user", true).text("here"), "'users.user.here' that is no text");
    }

    @Test
    void flagIsTheValueAndFalseForNone() {
        assertThat(fields("", true).flag("here")).isTrue();
        assertThat(fields("", false).flag("here")).isFalse();
        assertThat(fields("", null).flag("here")).isFalse();
        assertWrong(() -> fields("", "true").flag("here"), "'here' that is neither true nor false");
    }

    @Test
    void objectIsTheValueAtItsPlaceAndNullForNone() {
        Fields object = fields("users", Map.of("name", "u")).object("here");
        assertThat(object.text("name")).isEqualTo("u");
        assertThat(object.path()).isEqualTo("users.here");
        assertThat(object).hasToString("The kubeconfig users.here");
        assertThat(fields("", null).object("here")).isNull();
        assertWrong(() -> fields("", List.of()).object("here"), "'here' that is no object");
    }

    @Test
    void textsAreThoseOfTheListAndEmptyForNull() {
        assertThat(fields("", Arrays.asList("a", null, "b")).texts("here")).containsExactly("a", "", "b");
        assertThat(fields("", null).texts("here")).isEmpty();
        assertWrong(() -> fields("", List.of("a", 1)).texts("here"), "'here' that is no list of texts");
        assertWrong(() -> fields("", "a").texts("here"), "'here' that is no list");
    }

    @Test
    void objectsAreThoseOfTheListAndWithoutFieldsForNull() {
        List<Fields> objects =
                fields("users", Arrays.asList(Map.of("name", "u"), null)).objects("here");
        assertThat(objects).extracting(each -> each.text("name")).containsExactly("u", "");
        assertThat(objects).extracting(Fields::path).containsOnly("users.here");
        assertThat(fields("", null).objects("here")).isEmpty();
        assertWrong(() -> fields("", List.of("a")).objects("here"), "'here' that is no list of objects");
    }

    @Test
    void listsAreThoseOfTheObject() {
        assertThat(fields("", Map.of("k", List.of("a", "b"))).lists("here")).isEqualTo(Map.of("k", List.of("a", "b")));
        assertThat(fields("", null).lists("here")).isEmpty();
        assertWrong(() -> fields("", Map.of("k", "a")).lists("here"), "'here.k' that is no list");
    }

    @Test
    void requireFailsUnlessTheConditionHolds() {
        Fields fields = fields("users", "top-secret");
        fields.require(true, "is good");
        assertThatThrownBy(() -> fields.require(false, "is bad")).hasMessage("The kubeconfig is bad (R4J-031)");
        assertThat(fields.invalid("is bad")).hasMessage("The kubeconfig is bad (R4J-031)");
        assertThat(fields).hasToString("The kubeconfig users");
    }
}
