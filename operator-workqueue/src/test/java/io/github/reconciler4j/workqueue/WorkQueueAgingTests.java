package io.github.reconciler4j.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.reconciler4j.fixtures.ManualTimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkQueueAgingTests {

    private final ManualTimeSource time = new ManualTimeSource();

    @Test
    void pollWhenLowerPriorityIsNotYetOverdueIsStrict() {
        WorkQueue<String> queue = queue(PriorityAging.defaults());
        queue.add("low", -100);
        time.advance(Duration.ofSeconds(10).minusNanos(1));
        assertThat(priorities(queue, 100)).doesNotContain(-100);
    }

    @Test
    void pollWhenLowerPriorityIsOverdueServesItOnceInEight() {
        WorkQueue<String> queue = queue(PriorityAging.defaults());
        for (int i = 0; i < 20; i++) {
            queue.add("low-" + i, -100);
        }
        assertThat(priorities(queue, 7)).as("it is not overdue").doesNotContain(-100);
        time.advance(Duration.ofSeconds(10));
        assertThat(priorities(queue, 8)).containsExactly(-100, 0, 0, 0, 0, 0, 0, 0);
        assertThat(priorities(queue, 80))
                .filteredOn(priority -> priority == -100)
                .hasSize(10);
    }

    @Test
    void pollWhenHigherKeepsComingReachesEveryLowKeyInOrder() {
        WorkQueue<String> queue = queue(PriorityAging.defaults());
        List<String> low = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            queue.add("low-" + i, -100);
            low.add("low-" + i);
        }
        time.advance(Duration.ofSeconds(10));
        List<String> reached = new ArrayList<>();
        for (int i = 0; i < 50 * 8 + 8; i++) {
            queue.add("high-" + i);
            WorkItem<String> work = queue.poll();
            if (work.priority() == -100) {
                reached.add(work.item());
            }
            queue.done(work.item());
        }
        assertThat(reached).containsExactlyElementsOf(low);
    }

    @Test
    void pollWhenSeveralPrioritiesAreOverdueLetsThemTakeTurns() {
        WorkQueue<String> queue =
                queue(PriorityAging.defaults().withAfter(Duration.ofSeconds(1)).withEvery(2));
        for (int i = 0; i < 10; i++) {
            queue.add("lower-" + i, -10);
            queue.add("lowest-" + i, -20);
        }
        time.advance(Duration.ofSeconds(1));
        List<Integer> handedOut = priorities(queue, 9);
        assertThat(handedOut).containsExactly(0, -10, 0, -20, 0, -10, 0, -20, 0);
    }

    @Test
    void pollWhenPriorityHadABreakCountsFromItsEnd() {
        WorkQueue<String> queue =
                queue(PriorityAging.defaults().withAfter(Duration.ofSeconds(10)).withEvery(1));
        queue.add("first", -100);
        time.advance(Duration.ofSeconds(9));
        assertThat(queue.poll().item()).isEqualTo("first");
        queue.add("second", -100);
        time.advance(Duration.ofSeconds(9));
        assertThat(priorities(queue, 5)).doesNotContain(-100);
        time.advance(Duration.ofSeconds(1));
        assertThat(priorities(queue, 1)).containsExactly(-100);
    }

    @Test
    void pollWhenAgeingIsOffIsStrictForEver() {
        WorkQueue<String> queue = queue(PriorityAging.off());
        queue.add("low", -100);
        time.advance(Duration.ofDays(1));
        assertThat(priorities(queue, 100)).doesNotContain(-100);
    }

    @Test
    void agingWhenNegativeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PriorityAging.defaults()
                        .withAfter(Duration.ofSeconds(-1))
                        .withEvery(8))
                .withMessage("'after' must not be negative, was PT-1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PriorityAging.defaults()
                        .withAfter(Duration.ofSeconds(1))
                        .withEvery(-1))
                .withMessage("'every' must not be negative, was -1");
    }

    /** Hands out so many keys while there is always one of priority 0. */
    private static List<Integer> priorities(WorkQueue<String> queue, int count) {
        List<Integer> priorities = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            queue.add("always");
            WorkItem<String> work = queue.poll();
            priorities.add(work.priority());
            queue.done(work.item());
        }
        return priorities;
    }

    private WorkQueue<String> queue(PriorityAging aging) {
        return WorkQueue.create(
                WorkQueueOptions.<String>defaults("test").withTimeSource(time).withAging(aging));
    }
}
