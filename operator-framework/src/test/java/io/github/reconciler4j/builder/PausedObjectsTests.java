package io.github.reconciler4j.builder;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.controller.ControllerOperations.Pause;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.fixtures.TestHeader;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.recorder.EventEntry;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the values of the annotation mean, and what is said about them. */
class PausedObjectsTests {

    private static final String NAME = "example.com/paused";
    private static final Request A = new Request("ns", "a");

    private final ManualTimeSource time = new ManualTimeSource();
    private final PausedObjects paused = new PausedObjects(NAME, time);
    private final List<EventEntry> events = new ArrayList<>();

    private Optional<Result> check(String value) {
        HasMetadata object = new ConfigMap();
        return paused.check(
                A,
                TestHeader.of("ns", "a").withAnnotations(Map.of(NAME, value)),
                () -> Optional.of(object),
                events::add);
    }

    @ParameterizedTest
    @CsvSource({
        "true, +1000000000-12-31T23:59:59.999999999Z, true",
        "' TRUE ', +1000000000-12-31T23:59:59.999999999Z, true",
        "false, -1000000000-01-01T00:00:00Z, true",
        "2030-01-31T08:00:00Z, 2030-01-31T08:00:00Z, true",
        "2030-01-31T08:00:00.5+02:00, 2030-01-31T06:00:00.5Z, true",
        "2030-01-31T08:00Z, 2030-01-31T08:00:00Z, true",
        "yes, +1000000000-12-31T23:59:59.999999999Z, false",
        "'', +1000000000-12-31T23:59:59.999999999Z, false",
        "2030-01-31, +1000000000-12-31T23:59:59.999999999Z, false",
        "2030-13-31T08:00:00Z, +1000000000-12-31T23:59:59.999999999Z, false"
    })
    void valueIsTrueOrFalseOrATime(String value, Instant until, boolean understood) {
        assertThat(Pause.parse(value)).isEqualTo(new Pause(until, understood));
    }

    @Test
    void pauseUntilATimeEndsThen() {
        String end = time.instant().plusSeconds(90).toString();
        assertThat(check(end)).contains(Result.requeueAfter(Duration.ofSeconds(90)));
        assertThat(paused.requests()).hasSize(1);
        time.advance(Duration.ofSeconds(89));
        assertThat(check(end)).contains(Result.requeueAfter(Duration.ofSeconds(1)));
        time.advance(Duration.ofSeconds(1));
        assertThat(check(end)).isEmpty();
        assertThat(paused.requests()).isEmpty();
        assertThat(events).extracting(EventEntry::reason).containsExactly("Paused");
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "1999-01-01T00:00:00Z"})
    void valueThatIsOverPausesNothing(String value) {
        assertThat(check(value)).isEmpty();
        assertThat(events).isEmpty();
        assertThat(paused.requests()).isEmpty();
    }

    @Test
    void eachPauseIsSaidOnce() {
        assertThat(check("true")).contains(Result.done());
        assertThat(check("true")).contains(Result.done());
        check("maybe\nforged");
        check("maybe\nforged");
        check("false");
        check("true");
        assertThat(events).extracting(EventEntry::reason).containsExactly("Paused", "PauseNotUnderstood", "Paused");
        assertThat(events.get(1).type()).isEqualTo(EventEntry.WARNING);
        assertThat(events.get(1).note()).contains(NAME, "maybe").doesNotContain("\n");
    }

    @Test
    void objectThatIsGoneIsNotCounted() {
        check("true");
        assertThat(paused.check(A, null, Optional::empty, events::add)).isEmpty();
        assertThat(paused.requests()).isEmpty();
    }

    @Test
    void objectThatCannotBeReadIsPausedWithoutAnEvent() {
        TestHeader header = TestHeader.of("ns", "a").withAnnotations(Map.of(NAME, "true"));
        assertThat(paused.check(
                        A,
                        header,
                        () -> {
                            throw new IllegalStateException("unreadable");
                        },
                        events::add))
                .contains(Result.done());
        assertThat(paused.check(new Request("ns", "b"), header, Optional::empty, null))
                .contains(Result.done());
        assertThat(events).isEmpty();
        assertThat(paused.requests().size()).isEqualTo(2);
    }

    private static TestHeader drawnHeader(String value, boolean deleted) {
        TestHeader present =
                TestHeader.of("ns", "a").withAnnotations(value.equals("-") ? Map.of() : Map.of(NAME, value));
        return deleted ? present.withDeletionTimestamp("2026-01-01T00:00:00Z") : present;
    }

    private Result untilThen(Instant end) {
        return Result.requeueAfter(Duration.between(time.instant(), end));
    }

    private static String reasonOf(String value, boolean timed, boolean deleted) {
        if (!timed && !value.equals("true")) {
            return "PauseNotUnderstood";
        }
        return deleted ? "DeletionPaused" : "Paused";
    }

    /** Values and times are drawn; the model knows of a pause its end and what was said last. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void pausesOfADrawnHistoryAreThoseOfTheModel(long seed) {
        Random random = new Random(seed);
        String said = "";
        for (int step = 0; step < 2_000; step++) {
            time.advance(Duration.ofSeconds(random.nextInt(40)));
            Instant end = time.instant().plusSeconds(random.nextInt(120) - 60);
            String value = List.of(
                            "true", "false", "-", "never", end.toString(), end.atOffset(ZoneOffset.ofHours(5)) + "")
                    .get(random.nextInt(6));
            boolean deleted = random.nextInt(4) == 0;
            boolean gone = random.nextInt(9) == 0;
            TestHeader present =
                    TestHeader.of("ns", "a").withAnnotations(value.equals("-") ? Map.of() : Map.of(NAME, value));
            TestHeader header = deleted ? present.withDeletionTimestamp("2026-01-01T00:00:00Z") : present;
            events.clear();
            Optional<Result> result =
                    paused.check(A, gone ? null : header, () -> Optional.of(new ConfigMap()), events::add);
            boolean timed = value.contains("T");
            boolean isPaused =
                    !gone && !value.equals("false") && !value.equals("-") && (!timed || end.isAfter(time.instant()));
            String history = "seed " + seed + ", step " + step + ": " + value;
            assertThat(result)
                    .as(history)
                    .isEqualTo(isPaused ? Optional.of(timed ? untilThen(end) : Result.done()) : Optional.empty());
            assertThat(paused.requests().contains(A)).as(history).isEqualTo(isPaused);
            String reason = reasonOf(value, timed, deleted);
            boolean repeatsValue = timed || reason.equals("PauseNotUnderstood");
            String saying = isPaused ? reason + (repeatsValue ? value : "") : "";
            assertThat(events)
                    .as(history)
                    .extracting(EventEntry::reason)
                    .isEqualTo(saying.isEmpty() || saying.equals(said) ? List.of() : List.of(reason));
            said = saying;
        }
    }
}
