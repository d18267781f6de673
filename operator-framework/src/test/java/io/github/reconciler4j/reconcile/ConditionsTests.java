package io.github.reconciler4j.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionsTests {

    private static final Clock NOON = Clock.fixed(Instant.parse("2026-11-21T12:00:00.5Z"), ZoneOffset.UTC);
    private static final Clock ONE = Clock.fixed(Instant.parse("2026-11-21T13:00:00Z"), ZoneOffset.UTC);

    private final List<Condition> list = new ArrayList<>();

    private static Pod pod(long generation) {
        return new PodBuilder()
                .withNewMetadata()
                .withGeneration(generation)
                .endMetadata()
                .build();
    }

    @Test
    void setWhenNewAddsWithAllFields() {
        Conditions conditions = Conditions.of(list, pod(3), NOON).setTrue("Ready", "AllReady", "all is well");
        assertThat(conditions.isChanged()).isTrue();
        assertThat(conditions.isTrue("Ready")).isTrue();
        assertThat(list)
                .containsExactly(new Condition("2026-11-21T12:00:00Z", "all is well", 3L, "AllReady", "True", "Ready"));
    }

    @Test
    void setWhenNothingChangesReportsNoChange() {
        Conditions.of(list, pod(3), NOON).setTrue("Ready", "AllReady", "all is well");
        assertThat(Conditions.of(list, pod(3), ONE)
                        .setTrue("Ready", "AllReady", "all is well")
                        .isChanged())
                .isFalse();
        assertThat(list.get(0).getLastTransitionTime()).isEqualTo("2026-11-21T12:00:00Z");
    }

    @Test
    void setWhenOnlyGenerationOrMessageChangesKeepsTransitionTime() {
        Conditions.of(list, pod(3), NOON).setFalse("Ready", "Waiting", "1 of 3");
        assertThat(Conditions.of(list, pod(4), ONE)
                        .setFalse("Ready", "Waiting", "2 of 3")
                        .isChanged())
                .isTrue();
        assertThat(list).singleElement().satisfies(condition -> {
            assertThat(condition.getLastTransitionTime()).isEqualTo("2026-11-21T12:00:00Z");
            assertThat(condition.getObservedGeneration()).isEqualTo(4);
            assertThat(condition.getMessage()).isEqualTo("2 of 3");
        });
    }

    @Test
    void setWhenStatusChangesMovesTransitionTime() {
        Conditions.of(list, pod(3), NOON).setFalse("Ready", "Waiting", "").setUnknown("Degraded", "NotSeen", "");
        Conditions.of(list, pod(3), ONE).setTrue("Ready", "AllReady", "");
        assertThat(list)
                .extracting(Condition::getLastTransitionTime)
                .containsExactly("2026-11-21T13:00:00Z", "2026-11-21T12:00:00Z");
    }

    @Test
    void removeWhenPresentRemovesAndReportsChange() {
        Conditions.of(list, pod(1), NOON).setTrue("Ready", "AllReady", "");
        assertThat(Conditions.of(list, pod(1)).remove("Other").isChanged()).isFalse();
        assertThat(Conditions.of(list, pod(1)).remove("Ready").isChanged()).isTrue();
        assertThat(list).isEmpty();
    }

    @Test
    void setWhenTheServerWouldRejectItFails() {
        Conditions conditions = Conditions.of(list, pod(1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> conditions.setTrue("Ready", "not one word", ""))
                .withMessageContaining("not one word");
        assertThatIllegalArgumentException().isThrownBy(() -> conditions.setTrue("", "Reason", ""));
        assertThat(conditions.setTrue("Ready", "Long", "x".repeat(40_000)).find("Ready"))
                .hasValueSatisfying(
                        condition -> assertThat(condition.getMessage()).hasSize(32_768));
    }
}
