package io.github.reconciler4j.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.workqueue.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How far apart the reconciliations of one request are. */
class RequestIntervalsTests extends RequestProcessorFixture {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final RequestIntervals<Request> intervals = new RequestIntervals<>(SECOND, time);

    @Test
    void startWhenTooEarlyReturnsTheTimeThatIsLeft() {
        assertThat(intervals.start(A)).isZero();
        time.advance(Duration.ofMillis(300));
        assertThat(intervals.start(A)).isEqualTo(Duration.ofMillis(700));
        assertThat(intervals.start(new Request("ns", "b"))).isZero();
        time.advance(Duration.ofMillis(700));
        assertThat(intervals.start(A)).isZero();
        assertThat(intervals.start(A)).isEqualTo(SECOND);
        intervals.forget(A);
        assertThat(intervals.start(A)).isZero();
    }

    @Test
    void requestsThatStartedLongAgoAreForgotten() {
        for (int i = 0; i < 10_000; i++) {
            intervals.start(new Request("ns", "r" + i));
            time.advance(Duration.ofMillis(1));
        }
        assertThat(intervals.size()).isLessThanOrEqualTo(1000);
    }

    @Test
    void thousandEventsPerSecondForAMinuteAreOneReconciliationPerSecondThatSeesTheLastState() {
        create(options.withMinInterval(SECOND), null);
        int[] state = {0};
        List<Integer> seen = new ArrayList<>();
        reconciler = (request, context) -> {
            seen.add(state[0]);
            return Result.done();
        };
        for (int event = 1; event <= 60_000; event++) {
            state[0] = event;
            queue.add(A);
            processAll();
            time.advance(Duration.ofMillis(1));
        }
        assertThat(seen).hasSize(60);
        time.advance(SECOND);
        processAll();
        assertThat(seen).hasSize(61).endsWith(60_000);
    }

    /** Requests, delays, failures and results are drawn; whatever happens, the starts keep their distance and nothing is lost. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void startsOfOneRequestAreNeverTooCloseAndTheLastChangeIsSeen(long seed) {
        Random random = new Random(seed);
        create(options.withMinInterval(SECOND), null);
        Map<Request, Integer> changes = new HashMap<>();
        Map<Request, Integer> seen = new HashMap<>();
        Map<Request, List<Long>> starts = new HashMap<>();
        reconciler = (request, context) -> {
            starts.computeIfAbsent(request, ignored -> new ArrayList<>()).add(time.nanoTime());
            int draw = random.nextInt(4);
            if (draw == 0) {
                throw new IllegalStateException("drawn");
            }
            seen.put(request, changes.getOrDefault(request, 0));
            return draw == 1 ? Result.requeueAfter(Duration.ofMillis(random.nextInt(3000))) : Result.done();
        };
        for (int step = 0; step < 5_000; step++) {
            Request request = new Request("ns", "r" + random.nextInt(20));
            if (random.nextInt(3) == 0) {
                changes.merge(request, 1, Integer::sum);
                queue.add(request, random.nextInt(3) - 1);
            }
            processAll();
            time.advance(Duration.ofMillis(random.nextInt(50)));
        }
        for (int step = 0; step < 1_000 && !seen.equals(changes); step++) {
            time.advance(SECOND);
            processAll();
        }
        assertThat(seen).isEqualTo(changes);
        starts.forEach((request, times) -> {
            for (int i = 1; i < times.size(); i++) {
                assertThat(times.get(i) - times.get(i - 1)).as("%s", request).isGreaterThanOrEqualTo(SECOND.toNanos());
            }
        });
    }

    private void processAll() {
        for (WorkItem<Request> item = queue.poll(); item != null; item = queue.poll()) {
            try {
                processor.process(item, worker);
            } finally {
                queue.done(item.item());
            }
        }
    }
}
