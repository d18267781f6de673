package io.github.reconciler4j.predicate;

import static io.github.reconciler4j.fixtures.TestSnapshot.created;
import static io.github.reconciler4j.fixtures.TestSnapshot.deleted;
import static io.github.reconciler4j.fixtures.TestSnapshot.generic;
import static io.github.reconciler4j.fixtures.TestSnapshot.initial;
import static io.github.reconciler4j.fixtures.TestSnapshot.resync;
import static io.github.reconciler4j.fixtures.TestSnapshot.updated;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.fixtures.TestHeader;
import io.github.reconciler4j.fixtures.TestSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EventPredicatesTests {

    private static final TestHeader OBJECT = TestHeader.of("default", "a");

    static Stream<Arguments> changes() {
        return Stream.of(
                Arguments.of(EventPredicates.generationChanged(), OBJECT.withGeneration(2)),
                Arguments.of(EventPredicates.resourceVersionChanged(), OBJECT.withResourceVersion("2")),
                Arguments.of(EventPredicates.labelsChanged(), OBJECT.withLabels(Map.of("a", "b"))),
                Arguments.of(EventPredicates.annotationsChanged(), OBJECT.withAnnotations(Map.of("a", "b"))),
                Arguments.of(EventPredicates.finalizersChanged(), OBJECT.withFinalizers("a/b")),
                Arguments.of(
                        EventPredicates.deletionRequested(), OBJECT.withDeletionTimestamp("2026-01-02T00:00:00Z")));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void changedRejectsOnlyUpdatesWithoutThatChange(EventPredicate<Object> predicate, TestHeader changed) {
        assertThat(predicate.test(updated(OBJECT, changed))).isTrue();
        assertThat(predicate.test(updated(OBJECT, OBJECT))).isFalse();
        assertThat(predicate.test(resync(OBJECT))).isFalse();
        assertThat(predicate.test(created(OBJECT))).isTrue();
        assertThat(predicate.test(initial(OBJECT))).isTrue();
        assertThat(predicate.test(deleted(OBJECT))).isTrue();
        assertThat(predicate.test(generic(OBJECT))).isTrue();
    }

    @ParameterizedTest
    @MethodSource("changes")
    void changedIgnoresOtherChanges(EventPredicate<Object> predicate, TestHeader changed) {
        long agreeing = changes()
                .filter(other -> predicate.test(updated(OBJECT, (TestHeader) other.get()[1])))
                .count();
        assertThat(agreeing).as("changes let through").isEqualTo(1);
        assertThat(changed).isNotEqualTo(OBJECT);
    }

    @Test
    void labelSelectorMatchesTheNewObject() {
        EventPredicate<Object> web = EventPredicates.labelSelector("app=web");
        TestHeader labeled = OBJECT.withLabels(Map.of("app", "web"));
        assertThat(web.test(updated(OBJECT, labeled))).isTrue();
        assertThat(web.test(updated(labeled, OBJECT))).isFalse();
        assertThat(web.test(deleted(labeled))).isTrue();
        assertThat(web.test(created(OBJECT))).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> EventPredicates.labelSelector("app in"));
    }

    @Test
    void inNamespacesLooksAtTheNamespace() {
        EventPredicate<Object> predicate = EventPredicates.inNamespaces("default", "other");
        assertThat(predicate.test(created(OBJECT))).isTrue();
        assertThat(predicate.test(created(TestHeader.of("third", "a")))).isFalse();
    }

    @Test
    void objectDecodesAndHeaderDoesNot() {
        TestSnapshot<String> snapshot = TestSnapshot.of(OBJECT);
        ObjectEvent<String> event = new ObjectEvent.Created<>(snapshot, false);
        assertThat(EventPredicates.header(header -> header.generation() == 1).test(event))
                .isTrue();
        assertThat(snapshot.decodes()).isZero();
        assertThat(EventPredicates.<String>object("a"::equals).test(event)).isTrue();
        assertThat(snapshot.decodes()).isEqualTo(1);
    }

    @Test
    void objectAndHeaderJudgeTheNewObjectOfAnUpdate() {
        TestHeader other = TestHeader.of("default", "b").withGeneration(2);
        EventPredicate<Object> second = EventPredicates.header(header -> header.generation() == 2);
        assertThat(second.test(updated(OBJECT, other))).isTrue();
        assertThat(second.test(updated(other, OBJECT))).isFalse();
        EventPredicate<String> named = EventPredicates.object("b"::equals);
        assertThat(named.test(updated(OBJECT, other))).isTrue();
        assertThat(named.test(updated(other, OBJECT))).isFalse();
    }

    @Test
    void createdUpdatedAndDeletedAcceptTheirEvents() {
        List<ObjectEvent<String>> events =
                List.of(created(OBJECT), initial(OBJECT), updated(OBJECT, OBJECT), deleted(OBJECT), generic(OBJECT));
        assertThat(events).filteredOn(EventPredicates.created()::test).containsExactly(events.get(0), events.get(1));
        assertThat(events).filteredOn(EventPredicates.updated()::test).containsExactly(events.get(2));
        assertThat(events).filteredOn(EventPredicates.deleted()::test).containsExactly(events.get(3));
    }

    @Test
    void compositionsEvaluateInOrderUntilDecided() {
        List<String> asked = new ArrayList<>();
        EventPredicate<Object> yes = event -> asked.add("yes");
        EventPredicate<Object> no = event -> !asked.add("no");
        assertThat(EventPredicates.allOf(yes, no, yes).test(created(OBJECT))).isFalse();
        assertThat(asked).containsExactly("yes", "no");
        asked.clear();
        assertThat(EventPredicates.anyOf(no, yes, no).test(created(OBJECT))).isTrue();
        assertThat(asked).containsExactly("no", "yes");
        assertThat(EventPredicates.not(yes).test(created(OBJECT))).isFalse();
        assertThat(yes.and(no).test(deleted(OBJECT))).isFalse();
        assertThat(no.or(yes).test(generic(OBJECT))).isTrue();
        assertThat(EventPredicates.allOf().test(created(OBJECT))).isTrue();
        assertThat(EventPredicates.anyOf().test(created(OBJECT))).isFalse();
    }
}
