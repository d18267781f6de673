package io.github.reconciler4j.brake;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.brake.DeletionCounts.Place;
import io.github.reconciler4j.brake.DeletionCounts.Reservation;
import io.github.reconciler4j.brake.DeletionCounts.Verdict;
import io.github.reconciler4j.brake.DeletionWindow.Target;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is counted, for how long, and what a read of the stored stops changes. */
class DeletionCountsTests {

    private static final Place PLACE = new Place("web", "", new KindName("", "v1", "ConfigMap"));
    private static final Place SECRETS = new Place("web", "", new KindName("", "v1", "Secret"));
    private static final Place OTHER = new Place("api", "", PLACE.kind());

    private final ManualTimeSource time = new ManualTimeSource();
    private final DeletionCounts counts = new DeletionCounts(BrakeOptions.defaults(), time);

    private static Target target(int number) {
        return new Target(ObjectKey.of("shop", "map-" + number), "uid-" + number, "owner-" + number);
    }

    private Verdict delete(Place place, int number, int cached) {
        return counts.reserve(place, List.of(target(number)), cached, true).verdict();
    }

    /** Delete one object after another and return how many were allowed. */
    private int deleteAll(Place place, int cached) {
        int allowed = 0;
        while (allowed < cached && delete(place, allowed, cached - allowed) == Verdict.ALLOWED) {
            allowed++;
        }
        return allowed;
    }

    @ParameterizedTest
    @CsvSource({"5,5", "10,10", "11,10", "20,10", "21,10", "22,11", "100,50", "1001,500"})
    void controllerDeletesAtMostTheLimit(int objects, int limit) {
        assertThat(deleteAll(PLACE, objects)).isEqualTo(limit);
        assertThat(counts.stops()).hasSize(limit == objects ? 0 : 1);
    }

    @Test
    void stopConcernsAllKindsOfTheControllerAndNoOther() {
        deleteAll(PLACE, 100);

        assertThat(delete(SECRETS, 1, 100)).isEqualTo(Verdict.STOPPED);
        assertThat(delete(OTHER, 1, 100)).isEqualTo(Verdict.ALLOWED);
        assertThat(counts.stops().get(0).reason())
                .contains(
                        "50 of 100 ConfigMap objects deleted in 60 s, the limit is 50, and 1 more were to be deleted");
    }

    @Test
    void limitComesFromTheLargestNumberInTheWindow() {
        assertThat(delete(PLACE, 0, 100)).isEqualTo(Verdict.ALLOWED);
        int allowed = 1;
        while (delete(PLACE, allowed, 0) == Verdict.ALLOWED) { // the cache is empty suddenly
            allowed++;
        }
        assertThat(allowed).isEqualTo(50);
    }

    @Test
    void deletionsLeaveTheWindowAfterAMinute() {
        IntStream.range(0, 10).forEach(each -> delete(PLACE, each, 10));
        time.advance(Duration.ofSeconds(59));
        assertThat(counts.reserve(PLACE, List.of(target(10)), 0, false).verdict())
                .isEqualTo(Verdict.EXCEEDING);
        time.advance(Duration.ofSeconds(1));
        assertThat(delete(PLACE, 10, 0)).isEqualTo(Verdict.ALLOWED);
    }

    @Test
    void objectIsCountedOnce() {
        for (int attempt = 0; attempt < 50; attempt++) {
            assertThat(delete(PLACE, 1, 1)).isEqualTo(Verdict.ALLOWED);
        }
    }

    @Test
    void refusedDeletionIsNotCounted() {
        for (int attempt = 0; attempt < 50; attempt++) {
            Reservation reservation = counts.reserve(PLACE, List.of(target(attempt)), 10, true);
            assertThat(reservation.verdict()).isEqualTo(Verdict.ALLOWED);
            counts.refund(PLACE, reservation.entries());
        }
        assertThat(counts.isCounting(PLACE)).isFalse();
    }

    @Test
    void creationMakesADeletionGood() {
        for (int round = 0; round < 50; round++) {
            assertThat(delete(PLACE, round, 12)).isEqualTo(Verdict.ALLOWED);
            boolean sameName = round % 2 == 0;
            counts.created(
                    PLACE,
                    sameName ? target(round).key() : ObjectKey.of("shop", "new-" + round),
                    sameName ? "" : "owner-" + round);
        }
    }

    @Test
    void creationForAnotherOwnerMakesNothingGood() {
        for (int round = 0; round < 10; round++) {
            assertThat(delete(PLACE, round, 12)).isEqualTo(Verdict.ALLOWED);
            counts.created(PLACE, ObjectKey.of("shop", "new-" + round), "another");
        }
        assertThat(delete(PLACE, 10, 12)).isEqualTo(Verdict.STOPPING);
    }

    @Test
    void manyObjectsAreDeletedAllOrNone() {
        List<Target> eleven =
                IntStream.range(0, 11).mapToObj(DeletionCountsTests::target).toList();

        assertThat(counts.reserve(PLACE, eleven, 12, false).verdict()).isEqualTo(Verdict.EXCEEDING);
        assertThat(counts.reserve(PLACE, eleven.subList(0, 10), 12, true).verdict())
                .isEqualTo(Verdict.ALLOWED);
    }

    @Test
    void releasedControllerIsNotCountedForTenMinutes() {
        deleteAll(PLACE, 100);

        assertThat(counts.release("web")).isTrue();
        assertThat(counts.release("web")).isFalse();
        for (int each = 0; each < 1000; each++) {
            assertThat(delete(PLACE, each, 1000)).isEqualTo(Verdict.ALLOWED);
        }
        time.advance(Duration.ofMinutes(10));
        assertThat(deleteAll(PLACE, 100)).isEqualTo(50);
    }

    @Test
    void storedStopHoldsUntilItIsGone() {
        assertThat(counts.stored(Map.of("web", "yesterday"), counts.changes())).isEmpty();
        assertThat(delete(PLACE, 1, 100)).isEqualTo(Verdict.STOPPED);
        assertThat(counts.stops()).containsExactly(new DeletionStop("web", "yesterday", true));

        assertThat(counts.stored(Map.of(), counts.changes())).containsExactly("web");
        assertThat(delete(PLACE, 1, 100)).isEqualTo(Verdict.ALLOWED);
    }

    @Test
    void readFromBeforeTheStopDoesNotReleaseIt() {
        long before = counts.changes();
        deleteAll(PLACE, 100);
        counts.persisted("web");

        assertThat(counts.stored(Map.of(), before)).isEmpty();
        assertThat(delete(PLACE, 99, 100)).isEqualTo(Verdict.STOPPED);
        assertThat(counts.stored(Map.of(), counts.changes())).containsExactly("web");
    }

    @Test
    void stopThatIsNotStoredHolds() {
        deleteAll(PLACE, 100);

        assertThat(counts.stored(Map.of(), counts.changes())).isEmpty();
        assertThat(delete(PLACE, 99, 100)).isEqualTo(Verdict.STOPPED);
    }

    @Test
    void readFromBeforeTheReleaseDoesNotStopAgain() {
        counts.stored(Map.of("web", "yesterday"), counts.changes());
        long before = counts.changes();
        counts.release("web");

        counts.stored(Map.of("web", "yesterday"), before);
        assertThat(delete(PLACE, 1, 100)).isEqualTo(Verdict.ALLOWED);
    }
}
