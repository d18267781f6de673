package io.github.reconciler4j.installer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReleaseOrderTests {

    private static final List<String> ASCENDING = List.of(
            "0.9",
            "1.0-SNAPSHOT",
            "1.0-M1",
            "1.0-M2",
            "1.0-rc.1",
            "1.0-rc.10",
            "1.0",
            "1.9.0",
            "1.10.0-SNAPSHOT",
            "1.10.0",
            "1.10.1",
            "2");

    private final ReleaseOrder order = new ReleaseOrder();

    @Test
    void versionsWhenSortedAreInTheOrderOfTheirReleases() {
        var shuffled = new java.util.ArrayList<>(ASCENDING);
        Collections.shuffle(shuffled, new Random(1));

        shuffled.sort(order);

        assertThat(shuffled).isEqualTo(ASCENDING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.0", "1.0.0", "1", "1.0+build.7"})
    void versionsWhenTheyDifferInZerosOrBuildAreEqual(String version) {
        assertThat(order.compare(version, "1.0")).isZero();
        assertThat(order.compare("1.0", version)).isZero();
    }
}
