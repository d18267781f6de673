package io.github.reconciler4j.generator.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TemplatesTests {

    private static final String SECTION = "first: 1\n@if web@\nport: @port@\n\n@end@\nlast: 1\n";

    @Test
    void sectionWhenItsValueIsEmptyIsLeftOut() {
        assertThat(Templates.fill(SECTION, Map.of("web", "", "port", "$1"))).isEqualTo("first: 1\nlast: 1\n");
        assertThat(Templates.fill(SECTION, Map.of())).isEqualTo("first: 1\nlast: 1\n");
    }

    @Test
    void sectionWhenItHasAValueIsFilled() {
        assertThat(Templates.fill(SECTION, Map.of("web", "yes", "port", "$1")))
                .isEqualTo("first: 1\nport: $1\n\nlast: 1\n");
    }

    @Test
    void valuesOfTheChartLeaveNoMark() {
        assertThat(Templates.fill(Templates.read("chart/values.yaml"), Map.of("probes", "yes")))
                .contains("managementPort:", "networkPolicy:")
                .doesNotContain("@if", "@end");
        assertThat(Templates.fill(Templates.read("chart/values.yaml"), Map.of("probes", "")))
                .doesNotContain("managementPort:", "networkPolicy:", "@if", "@end")
                .contains("\n\npodDisruptionBudget:", "\n\n# More annotations");
    }
}
