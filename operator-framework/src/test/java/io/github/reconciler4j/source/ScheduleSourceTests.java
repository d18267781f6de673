package io.github.reconciler4j.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.fixtures.RecordingSink;
import io.github.reconciler4j.fixtures.RecordingSink.Added;
import io.github.reconciler4j.fixtures.TestHeader;
import io.github.reconciler4j.fixtures.TestInformer;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.reconcile.Trigger.Change;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The clock starts at midnight in UTC, which is one o'clock in the zone of the schedule. */
class ScheduleSourceTests {

    private static final TestHeader A = TestHeader.of("default", "a");
    private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");
    private static final Request REQUEST = new Request("default", "a");

    private final TestInformer<String> informer =
            new TestInformer<>(new KindInfo(KindName.of("v1", "Pod"), "pods", true));
    private final RecordingSink<Request> target = new RecordingSink<>();
    private final ManualTimeSource time = new ManualTimeSource();
    private final List<ZonedDateTime> asked = new CopyOnWriteArrayList<>();
    private RequestSource.@Nullable Running running;

    /** An object that fails the test when it is decoded. */
    private record Undecoded(ObjectHeader header) implements ObjectSnapshot<String> {
        @Override
        public String object() {
            throw new AssertionError("decoded");
        }
    }

    @AfterEach
    void close() {
        if (running != null) {
            running.close();
        }
    }

    /** Each night at three. */
    private static ZonedDateTime threeOClock(ZonedDateTime after) {
        ZonedDateTime today = after.toLocalDate().atTime(3, 0).atZone(after.getZone());
        return today.isAfter(after)
                ? today
                : after.toLocalDate().plusDays(1).atTime(3, 0).atZone(after.getZone());
    }

    private void start(Function<ZonedDateTime, @Nullable ZonedDateTime> next) {
        int before = asked.size();
        running = ScheduleSource.at(
                        now -> {
                            asked.add(now);
                            return next.apply(now);
                        },
                        ZONE,
                        informer)
                .withTimeSource(time)
                .start(target);
        awaitAsked(before + 1);
    }

    /** The schedule is asked once at the start, after each run, and when the clock was set back. */
    private void awaitAsked(int times) {
        await().atMost(Duration.ofSeconds(30)).until(() -> asked.size() >= times);
    }

    /** The source may look at the clock before or after it is advanced, so it is advanced until the source has seen it. */
    private void advance(Duration duration, int timesAsked) {
        time.advance(duration);
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            time.advance(Duration.ofSeconds(1));
            return asked.size() >= timesAsked;
        });
    }

    private void awaitRequests(int number) {
        await().pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofSeconds(30))
                .until(() -> target.added().size() >= number);
        assertThat(target.requests()).hasSize(number).containsOnly(REQUEST);
    }

    private void startWithObject() {
        informer.hold(new Undecoded(A));
        informer.sync();
        start(ScheduleSourceTests::threeOClock);
    }

    @Test
    void nextTimeIsThatOfTheScheduleAndEmptyOnceItHasEnded() {
        ScheduleSource nightly = ScheduleSource.at(ScheduleSourceTests::threeOClock, ZONE, informer)
                .withTimeSource(time);
        assertThat(nightly.nextTime()).hasValue(time.instant().plus(Duration.ofHours(2)));
        assertThat(ScheduleSource.at(now -> null, ZONE, informer).nextTime()).isEmpty();
    }

    @Test
    void objectsAreEnqueuedAtTheTimeInTheZoneWithLowPriority() {
        startWithObject();
        time.advance(Duration.ofMinutes(119).plusSeconds(59));
        assertThat(target.added()).isEmpty();

        advance(Duration.ofSeconds(1), 2);
        awaitRequests(1);

        assertThat(asked.get(1)).isAfterOrEqualTo(ZonedDateTime.of(2026, 1, 1, 3, 0, 0, 0, ZONE));
        assertThat(target.added())
                .containsExactly(new Added<>(
                        REQUEST, Duration.ZERO, -100, Trigger.of("Pod.v1 schedule", A.key(), Change.SCHEDULED)));
    }

    @Test
    void timesWhenSeveralPassAtOnceAreMadeUpForOnce() {
        startWithObject();
        advance(Duration.ofDays(3), 2);
        awaitRequests(1);
        advance(Duration.ofDays(1), 3);
        awaitRequests(2);
    }

    @Test
    void wallClockWhenItJumpsForwardIsNoticed() {
        startWithObject();
        time.jumpWallClock(Duration.ofHours(5));
        advance(Duration.ofSeconds(30), 2);
        awaitRequests(1);
    }

    @Test
    void scheduleWhenTheWallClockIsSetBackIsAskedAgain() {
        time.jumpWallClock(Duration.ofDays(365));
        startWithObject();
        time.jumpWallClock(Duration.ofDays(-365));
        advance(Duration.ofSeconds(30), 2);
        assertThat(target.added()).isEmpty();
        advance(Duration.ofHours(2), 3);
        awaitRequests(1);
    }

    @Test
    void timeWhenTheInformerHasNotSyncedIsMadeUpForOnceItHas() {
        informer.hold(new Undecoded(A));
        start(ScheduleSourceTests::threeOClock);
        time.advance(Duration.ofDays(2));
        assertThat(target.added()).isEmpty();
        informer.sync();
        advance(Duration.ofSeconds(30), 2);
        awaitRequests(1);
    }

    @Test
    void scheduleWhenItHasNoMoreTimesEnds() {
        informer.hold(new Undecoded(A));
        informer.sync();
        start(now -> asked.size() > 1 ? null : threeOClock(now));
        advance(Duration.ofHours(2), 2);
        awaitRequests(1);
        time.advance(Duration.ofDays(3));
        assertThat(asked).hasSize(2);
    }

    @Test
    void scheduleWhenItThrowsIsAskedAgain() {
        AtomicInteger failures = new AtomicInteger(3);
        informer.hold(new Undecoded(A));
        informer.sync();
        start(now -> {
            if (failures.getAndDecrement() > 0) {
                throw new IllegalStateException("no calendar");
            }
            return threeOClock(now);
        });
        advance(Duration.ofSeconds(10), 4);
        advance(Duration.ofHours(2), 5);
        awaitRequests(1);
    }

    @Test
    void objectsAreFilteredByTheirHeader() {
        informer.hold(new Undecoded(A));
        informer.hold(new Undecoded(TestHeader.of("default", "b")));
        informer.sync();
        running = ScheduleSource.at(ScheduleSourceTests::threeOClock, ZONE, informer)
                .withTimeSource(time)
                .filtered(header -> header.key().name().equals("b"))
                .start(target);
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            time.advance(Duration.ofHours(1)); // the source may not have looked at the clock yet
            return !target.added().isEmpty();
        });
        assertThat(target.requests()).containsOnly(new Request("default", "b"));
    }

    /** Steps of the clock are drawn, of seconds and of days; the times that pass within one are made up for once. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void timesOfADrawnHistoryAreMadeUpForOnce(long seed) {
        Random random = new Random(seed);
        startWithObject();
        int runs = 0;
        for (int step = 0; step < 40; step++) {
            ZonedDateTime due = threeOClock(asked.get(asked.size() - 1));
            Duration left = Duration.between(time.instant(), due);
            Duration drawn = Duration.ofSeconds(random.nextInt(random.nextBoolean() ? 40_000 : 400_000));
            boolean jumps = random.nextInt(4) == 0;
            if (drawn.compareTo(left.minusMinutes(1)) < 0) {
                time.advance(drawn);
                continue;
            }
            Duration enough = farFromTheNext(drawn.compareTo(left) < 0 ? left : drawn);
            if (jumps) {
                time.jumpWallClock(enough);
            } else {
                time.advance(enough);
            }
            runs++;
            advance(Duration.ofSeconds(30), runs + 1);
            awaitRequests(runs);
        }
        assertThat(asked).as("seed %s", seed).hasSize(runs + 1);
        assertThat(target.added()).as("seed %s", seed).hasSize(runs);
        assertThat(runs).isPositive();
    }

    /** The clock moves while the source looks at it, and must not reach another time meanwhile. */
    private Duration farFromTheNext(Duration step) {
        ZonedDateTime landing = time.instant().plus(step).atZone(ZONE);
        Duration left = Duration.between(landing, threeOClock(landing));
        return left.compareTo(Duration.ofMinutes(10)) < 0 ? step.plusMinutes(20) : step;
    }
}
