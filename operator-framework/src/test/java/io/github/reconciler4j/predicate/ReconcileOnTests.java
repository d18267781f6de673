package io.github.reconciler4j.predicate;

import static io.github.reconciler4j.fixtures.TestSnapshot.created;
import static io.github.reconciler4j.fixtures.TestSnapshot.deleted;
import static io.github.reconciler4j.fixtures.TestSnapshot.generic;
import static io.github.reconciler4j.fixtures.TestSnapshot.initial;
import static io.github.reconciler4j.fixtures.TestSnapshot.resync;
import static io.github.reconciler4j.fixtures.TestSnapshot.updated;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.fixtures.TestHeader;
import io.github.reconciler4j.scheme.OwnerRef;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ReconcileOnTests {

    private static final TestHeader OBJECT = TestHeader.of("default", "a");
    private static final TestHeader STATUS_CHANGED = OBJECT.withResourceVersion("2");

    static Stream<Arguments> updates() {
        Set<ReconcileOn> all = Set.of(ReconcileOn.values());
        Set<ReconcileOn> metadata = Set.of(ReconcileOn.ANY_CHANGE, ReconcileOn.SPEC_OR_METADATA);
        return Stream.of(
                Arguments.of("status", STATUS_CHANGED, Set.of(ReconcileOn.ANY_CHANGE)),
                Arguments.of("spec", STATUS_CHANGED.withGeneration(2), all),
                Arguments.of("deletion", STATUS_CHANGED.withDeletionTimestamp("2026-01-02T00:00:00Z"), all),
                Arguments.of("labels", STATUS_CHANGED.withLabels(Map.of("a", "b")), metadata),
                Arguments.of("annotations", STATUS_CHANGED.withAnnotations(Map.of("a", "b")), metadata),
                Arguments.of("finalizers", STATUS_CHANGED.withFinalizers("a/b"), metadata),
                Arguments.of(
                        "owners",
                        STATUS_CHANGED.withOwners(new OwnerRef("v1", "ConfigMap", "o", "uid", false)),
                        metadata));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("updates")
    void updateWhenOnePartChangesPassesForTheModesThatWatchIt(
            String part, TestHeader after, Set<ReconcileOn> accepting) {
        assertThat(Stream.of(ReconcileOn.values()).filter(mode -> mode.test(updated(OBJECT, after))))
                .as(part)
                .containsExactlyInAnyOrderElementsOf(accepting);
    }

    @ParameterizedTest
    @EnumSource
    void otherEventsAlwaysPass(ReconcileOn mode) {
        assertThat(mode.test(created(OBJECT))).isTrue();
        assertThat(mode.test(initial(OBJECT))).isTrue();
        assertThat(mode.test(deleted(OBJECT))).isTrue();
        assertThat(mode.test(generic(OBJECT))).isTrue();
        assertThat(mode.test(resync(OBJECT))).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void updateWhenTheKindHasNoGenerationAlwaysPasses(ReconcileOn mode) {
        TestHeader without = OBJECT.withGeneration(0);
        assertThat(mode.test(updated(without, without.withResourceVersion("2"))))
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void updateWhenTheObjectWasRecreatedPasses(ReconcileOn mode) {
        assertThat(mode.test(updated(TestHeader.of("default", "former"), OBJECT)))
                .isTrue();
    }

    @Test
    void updateWhenTheDeletionTimestampMovesPassesAsMetadata() {
        TestHeader later = OBJECT.withDeletionTimestamp("2026-01-02T00:00:00Z");
        TestHeader sooner = OBJECT.withDeletionTimestamp("2026-01-01T00:00:00Z");
        assertThat(ReconcileOn.SPEC_OR_METADATA.test(updated(later, sooner))).isTrue();
        assertThat(ReconcileOn.GENERATION.test(updated(later, sooner))).isFalse();
    }
}
