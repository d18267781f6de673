package io.github.reconciler4j.test.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NeedsKubernetesTests {

    @ParameterizedTest
    @CsvSource({
        "1.34, 1.36, true",
        "1.36, 1.36, false",
        "1.37, 1.36, false",
        "1.9, 1.10, true",
        "1.10, 1.9, false",
        ", 1.36, false"
    })
    void conditionWhenAVersionIsChosenComparesNumbers(String chosen, String needed, boolean older) {
        assertThat(NeedsKubernetes.Condition.isOlder(chosen, needed)).isEqualTo(older);
    }
}
