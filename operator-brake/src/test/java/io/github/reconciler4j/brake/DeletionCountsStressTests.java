package io.github.reconciler4j.brake;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.brake.DeletionCounts.Place;
import io.github.reconciler4j.brake.DeletionCounts.Reservation;
import io.github.reconciler4j.brake.DeletionCounts.Verdict;
import io.github.reconciler4j.brake.DeletionWindow.Target;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** Workers that delete at the same time never exceed the limit together, whatever fails. */
class DeletionCountsStressTests {

    private static final Place PLACE = new Place("web", "", new KindName("", "v1", "ConfigMap"));
    private static final int OBJECTS = 200;
    private static final int WORKERS = 8;

    @RepeatedTest(50)
    void workersNeverExceedTheLimitTogether(RepetitionInfo repetition) throws Exception {
        DeletionCounts counts = new DeletionCounts(BrakeOptions.defaults(), new ManualTimeSource());
        AtomicInteger deleted = new AtomicInteger();
        AtomicInteger stopping = new AtomicInteger();
        ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int worker = 0; worker < WORKERS; worker++) {
                int number = worker;
                Random random = new Random(repetition.getCurrentRepetition() * 100L + worker);
                running.add(workers.submit(() -> {
                    for (int each = number; each < OBJECTS; each += WORKERS) {
                        Target target = new Target(ObjectKey.of("shop", "map-" + each), "uid-" + each, "");
                        Reservation reservation = counts.reserve(PLACE, List.of(target), OBJECTS - deleted.get(), true);
                        if (reservation.verdict() == Verdict.STOPPING) {
                            stopping.incrementAndGet();
                        } else if (reservation.verdict() == Verdict.ALLOWED && random.nextInt(5) == 0) {
                            counts.refund(PLACE, reservation.entries());
                        } else if (reservation.verdict() == Verdict.ALLOWED) {
                            deleted.incrementAndGet();
                        }
                    }
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } finally {
            workers.shutdown();
        }
        assertThat(deleted).hasValueLessThanOrEqualTo(OBJECTS / 2).hasValueGreaterThanOrEqualTo(80);
        assertThat(stopping).hasValue(1);
    }
}
