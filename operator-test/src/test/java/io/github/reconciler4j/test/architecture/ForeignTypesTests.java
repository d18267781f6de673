package io.github.reconciler4j.test.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ForeignTypesTests {

    private static final JavaClasses LEAKY =
            new ClassFileImporter().importClasses(LeakyType.class, LeakyType.Shown.class, LeakyType.Hidden.class);

    private static List<String> violations(ArchRule rule) {
        return rule.evaluate(LEAKY).getFailureReport().getDetails().stream()
                .map(text -> text.substring(text.indexOf('\'') + 1, text.indexOf("':")))
                .distinct()
                .toList();
    }

    @Test
    void ruleWhenUsersSeeTypesOfJsonFails() {
        assertThat(violations(ForeignTypes.noJsonInPublicSignatures(Map.of())))
                .containsExactlyInAnyOrder("LeakyType ObjectNode", "LeakyType JsonNode", "LeakyType SimpleModule");
    }

    @Test
    void ruleWhenInternalsOfALibraryAreUsedFails() {
        assertThat(violations(ForeignTypes.noInternalsOfLibraries(Map.of()))).containsExactly("LeakyType SSLUtils");
    }

    @Test
    void ruleWhenTheUseIsAnExceptionPasses() {
        ArchRule rule = ForeignTypes.noInternalsOfLibraries(Map.of("LeakyType SSLUtils", "is what the test is about"));
        assertThat(rule.evaluate(LEAKY).hasViolation()).isFalse();
    }
}
