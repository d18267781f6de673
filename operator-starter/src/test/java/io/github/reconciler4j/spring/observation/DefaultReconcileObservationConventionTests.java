package io.github.reconciler4j.spring.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.common.KeyValues;
import org.junit.jupiter.api.Test;

class DefaultReconcileObservationConventionTests {

    private static final int LIMIT = 1000;

    private final ReconcileObservationConvention convention = new DefaultReconcileObservationConvention();

    private KeyValues of(String cluster) {
        return convention.getLowCardinalityKeyValues(new ReconcileObservationContext(new TestRun("apps", cluster)));
    }

    @Test
    void keyValuesWhenThereAreFewClustersAreMadeOnce() {
        KeyValues first = of("c-0");
        for (int i = 1; i < LIMIT; i++) {
            of("c-" + i);
        }
        assertThat(of("c-" + (LIMIT - 1))).isSameAs(of("c-" + (LIMIT - 1)));
        assertThat(first.stream().map(Object::toString)).anyMatch(text -> text.contains("c-0"));
    }

    @Test
    void keyValuesWhenManyClustersHaveComeAndGoneAreForgotten() {
        KeyValues first = of("c-0");
        assertThat(of("c-0")).isSameAs(first);
        for (int i = 1; i <= LIMIT; i++) {
            of("c-" + i);
        }
        assertThat(of("c-0")).isEqualTo(first).isNotSameAs(first);
    }
}
