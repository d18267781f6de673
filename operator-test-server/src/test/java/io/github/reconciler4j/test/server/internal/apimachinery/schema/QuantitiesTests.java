package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantitiesTests {
    @ParameterizedTest
    @CsvSource({
        "0.5, 500m",
        "1, 1",
        "1000, 1k",
        "1024, 1024",
        "1024Mi, 1Gi",
        "1.5Gi, 1536Mi",
        "1e3, 1e3",
        "100e3, 100e3",
        "0, 0",
        "0Mi, 0",
        "1500m, 1500m",
        "512.5Ki, 524800",
        "-1024Ki, -1Mi",
        "1000Ki, 1000Ki"
    })
    void canonicalWhenReadSpellsAsTheServer(String text, String expected) {
        assertThat(Quantities.canonical(text)).contains(expected);
    }

    @Test
    void canonicalWhenNoQuantityIsEmpty() {
        assertThat(Quantities.canonical("x")).isEmpty();
        assertThat(Quantities.canonical("1 Gi")).isEmpty();
        assertThat(Quantities.canonical("")).isEmpty();
    }
}
