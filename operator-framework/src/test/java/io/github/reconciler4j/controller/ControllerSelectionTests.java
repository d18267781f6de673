package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class ControllerSelectionTests {

    private static ControllerSelection of(String words) {
        return ControllerSelection.of(List.of(words.split(",")));
    }

    @Test
    void starSelectsControllersThatRunByDefaultOnly() {
        assertThat(of("*").selects("a", true)).isTrue();
        assertThat(of("*").selects("a", false)).isFalse();
        assertThat(of("*")).hasToString(ControllerSelection.defaults().toString());
    }

    @Test
    void nameSelectsItsControllerOnlyWithoutStar() {
        assertThat(of("a").selects("a", false)).isTrue();
        assertThat(of("a").selects("b", true)).isFalse();
        assertThat(of("*, a").selects("a", false)).isTrue();
        assertThat(of("*, a").selects("b", true)).isTrue();
    }

    @Test
    void minusDisablesInAnyPosition() {
        assertThat(of("*,-a").selects("a", true)).isFalse();
        assertThat(of("-a,*").selects("a", true)).isFalse();
        assertThat(of("*,-a").selects("b", true)).isTrue();
    }

    @Test
    void noWordsSelectNoController() {
        assertThat(ControllerSelection.of(List.of()).selects("a", true)).isFalse();
    }

    @Test
    void selectionWhenContradictoryOrEmptyIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of("*,a,-a"))
                .withMessageContaining("both enabled and disabled: [a]");
        assertThatIllegalArgumentException().isThrownBy(() -> of("-a,-b")).withMessageContaining("*,-a,-b");
        assertThatIllegalArgumentException().isThrownBy(() -> of("*,-")).withMessageContaining("'-'");
        assertThatIllegalArgumentException().isThrownBy(() -> of("*,,a")).withMessageContaining("''");
    }

    @Test
    void checkWhenANameIsUnknownNamesTheKnownOnes() {
        of("*,-a").check(List.of("a", "b"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of("*,-x,y").check(List.of("b", "a")))
                .withMessage("There are no controllers named [x, y]; known are [a, b]");
    }

    @Test
    void partsAreThoseOfTheWords() {
        ControllerSelection selection = of("*, b, -a");
        assertThat(selection.others()).isTrue();
        assertThat(selection.enabled()).containsExactly("b");
        assertThat(selection.disabled()).containsExactly("a");
        assertThat(selection).hasToString("*,-a,b");
        assertThat(of("b").others()).isFalse();
        assertThat(of("b")).hasToString("b");
        assertThat(of("*")).hasToString("*");
    }
}
