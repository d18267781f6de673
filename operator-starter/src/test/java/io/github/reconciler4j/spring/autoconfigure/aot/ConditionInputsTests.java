package io.github.reconciler4j.spring.autoconfigure.aot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.spring.autoconfigure.aot.ConditionInputs.Requirement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class ConditionInputsTests {

    private static final Requirement TRUE = new Requirement("true", false);
    private static final Requirement TRUE_IF_MISSING = new Requirement("true", true);
    private static final Requirement PRESENT = new Requirement("", false);

    @Test
    void differencesWhenNothingDiffersAreEmpty() {
        assertThat(inputs(Map.of("a", "true", "b", "text")).differences(environment(Map.of("a", "true", "b", "text"))))
                .isEmpty();
    }

    @Test
    void differencesWhenARequirementStaysMetAreEmpty() {
        ConditionInputs inputs = inputs(Map.of());

        assertThat(inputs.differences(environment(Map.of("a", "false", "missing", "TRUE"))))
                .isEmpty();
    }

    @Test
    void differencesWhenARequirementIsMetInOneOnlyNameTheProperty() {
        assertThat(inputs(Map.of()).differences(environment(Map.of("a", "true", "missing", "false", "present", "x"))))
                .containsExactly("a", "missing", "present");
    }

    @Test
    void differencesWhenAValueChangesAppearsOrDisappearsNameTheProperty() {
        assertThat(inputs(Map.of("b", "1")).differences(environment(Map.of("b", "2"))))
                .containsExactly("b");
        assertThat(inputs(Map.of("b", "1")).differences(environment(Map.of()))).containsExactly("b");
        assertThat(inputs(Map.of()).differences(environment(Map.of("b", "")))).containsExactly("b");
    }

    @Test
    void differencesWhenOtherProfilesAreActiveNameThem() {
        StandardEnvironment environment = environment(Map.of());
        environment.setActiveProfiles("night");

        assertThat(inputs(Map.of()).differences(environment)).containsExactly("spring.profiles.active");
    }

    @Test
    void differencesWhenAValueHasNoPlaceholderNameTheProperty() {
        assertThat(inputs(Map.of()).differences(environment(Map.of("b", "${unknown}"))))
                .containsExactly("b");
    }

    @Test
    void managementPortWhenItIsThatOfTheApplicationDoesNotMatter() {
        ConditionInputs.Builder same = new ConditionInputs.Builder(environment(Map.of("server.port", "1")));
        same.addManagementPort("server.port");
        same.addManagementPort("management.server.port");
        ConditionInputs.Builder other =
                new ConditionInputs.Builder(environment(Map.of("server.port", "1", "management.server.port", "2")));
        other.addManagementPort("server.port");

        assertThat(same.build().differences(environment(Map.of("server.port", "3"))))
                .isEmpty();
        assertThat(same.build().differences(environment(Map.of("management.server.port", "3"))))
                .containsExactly("management.server.port");
        assertThat(other.build().differences(environment(Map.of("server.port", "2", "management.server.port", "2"))))
                .containsExactly("server.port");
    }

    @Test
    void textWhenWrittenHasNoValues() {
        assertThat(inputs(Map.of("b", "verysecret")).text()).doesNotContain("verysecret");
    }

    private static ConditionInputs inputs(Map<String, Object> properties) {
        ConditionInputs.Builder builder = new ConditionInputs.Builder(environment(properties));
        builder.add("a", TRUE);
        builder.add("missing", TRUE_IF_MISSING);
        builder.add("present", PRESENT);
        builder.add("b", null);
        return ConditionInputs.of(builder.build().text());
    }

    private static StandardEnvironment environment(Map<String, Object> properties) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
        return environment;
    }
}
