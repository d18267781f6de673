package io.github.reconciler4j.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.reconciler4j.fixtures.ManualTimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Order, merging and exclusion, with time standing still unless moved. */
class WorkQueueTests {

    private final ManualTimeSource time = new ManualTimeSource();
    private final WorkQueue<String> queue =
            WorkQueue.create(WorkQueueOptions.<String>defaults("test").withTimeSource(time));

    @Test
    void pollWhenPriorityIsTheSameIsFirstInFirstOut() {
        queue.add("a");
        queue.add("b");
        queue.add("c");
        assertThat(drain()).containsExactly("a", "b", "c");
    }

    @Test
    void pollWhenPrioritiesDifferTakesHigherFirst() {
        queue.add("low", WorkQueue.LOW_PRIORITY);
        queue.add("normal");
        queue.add("high", 7);
        queue.add("low2", WorkQueue.LOW_PRIORITY);
        assertThat(drain()).containsExactly("high", "normal", "low", "low2");
    }

    @Test
    void pollWhenManyPrioritiesAreMixedTakesEachLevelInOrder() {
        addInTurn(0);
        assertThat(drain()).containsExactlyElementsOf(levelsInOrder());
    }

    @Test
    void pollWhenManyPrioritiesWereDelayedTakesEachLevelInOrder() {
        addInTurn(5);
        time.advance(Duration.ofSeconds(5));
        assertThat(drain()).containsExactlyElementsOf(levelsInOrder());
    }

    @Test
    void pollWhenNothingIsReadyReturnsNull() {
        assertThat(queue.poll()).isNull();
    }

    @Test
    void addWhenPresentKeepsOneEntry() {
        queue.add("a");
        queue.add("a");
        queue.add("a", -5);
        assertThat(queue.size()).isEqualTo(1);
        assertThat(drain()).containsExactly("a");
    }

    @Test
    void addWhenPresentWithHigherPriorityKeepsIt() {
        queue.add("a", 5);
        queue.add("b", 1);
        queue.add("a", 0);
        assertThat(poll().priority()).isEqualTo(5);
        assertThat(poll().priority()).isEqualTo(1);
    }

    @Test
    void addWhenPriorityRisesPutsKeyBehindOthersOfThatPriority() {
        queue.add("a", -100);
        queue.add("b", 0);
        queue.add("c", -100);
        queue.add("a", 0);
        queue.add("b", -100);
        assertThat(drain()).containsExactly("b", "a", "c");
    }

    @Test
    void addWhenDelayedMakesKeyReadyNowAndOnlyOnce() {
        queue.addAfter("a", Duration.ofSeconds(10), 3);
        queue.add("a", 1);
        assertThat(poll().priority()).as("higher of both").isEqualTo(3);
        queue.done("a");
        time.advance(Duration.ofMinutes(1));
        assertThat(queue.poll()).as("the delayed add is merged").isNull();
    }

    @Test
    void addAfterWhenReadyLeavesKeyReady() {
        queue.add("a");
        queue.addAfter("a", Duration.ofSeconds(10), 4);
        assertThat(poll().priority()).as("but raises it").isEqualTo(4);
        queue.done("a");
        time.advance(Duration.ofMinutes(1));
        assertThat(queue.poll()).isNull();
    }

    @Test
    void addWhenItemIsProcessingEnqueuesItOnceAfterDone() {
        queue.add("a");
        poll();
        queue.add("a");
        queue.add("a", 5);
        queue.addAfter("a", Duration.ofSeconds(1), 0);
        assertThat(queue.size()).as("it counts").isEqualTo(1);
        assertThat(queue.poll()).as("but is locked").isNull();
        queue.done("a");
        assertThat(poll().priority()).isEqualTo(5);
        queue.done("a");
        time.advance(Duration.ofMinutes(1));
        assertThat(queue.poll()).isNull();
    }

    @Test
    void addAfterWhenItemIsProcessingWaitsForBothDoneAndDelay() {
        queue.add("a");
        queue.add("b");
        poll();
        poll();
        queue.addAfter("a", Duration.ofSeconds(5), 0);
        queue.addAfter("b", Duration.ofSeconds(5), 0);
        queue.done("a");
        assertThat(queue.poll()).as("done, not due").isNull();
        time.advance(Duration.ofSeconds(5));
        assertThat(queue.size()).isEqualTo(2);
        assertThat(poll().item()).isEqualTo("a");
        assertThat(queue.poll()).as("due, not done").isNull();
        queue.done("b");
        assertThat(poll().item()).isEqualTo("b");
    }

    @Test
    void doneWhenNotProcessingDoesNothing() {
        queue.done("a");
        queue.add("a");
        queue.done("a");
        assertThat(drain()).containsExactly("a");
    }

    @Test
    void workItemWhenPriorityRisesKeepsTheOneItWasDequeuedWith() {
        queue.add("a", 2);
        time.advance(Duration.ofMillis(30));
        WorkItem<String> work = poll();
        queue.add("a", 9);
        time.advance(Duration.ofMillis(30));
        assertThat(work.item()).isEqualTo("a");
        assertThat(work.priority()).isEqualTo(2);
        assertThat(work.waited()).isEqualTo(Duration.ofMillis(30));
        assertThat(work).hasToString("a (priority 2)");
    }

    @Test
    void keysWhenEqualAreTheSameKey() {
        queue.add(new String("a"));
        queue.add(new String("a"));
        assertThat(drain()).containsExactly("a");
    }

    @Test
    void addWhenItemIsNullThrows() {
        assertThatNullPointerException().isThrownBy(() -> queue.add(null)).withMessage("'item' must not be null");
    }

    @Test
    void addWhenEqualsThrowsLeavesTheQueueAsItWas() {
        WorkQueue<Object> objects =
                WorkQueue.create(WorkQueueOptions.<Object>defaults("test").withTimeSource(time));
        record Broken(int id) {
            @Override
            public boolean equals(Object other) {
                throw new IllegalStateException("equals");
            }

            @Override
            public int hashCode() {
                return 1;
            }
        }
        objects.add(new Broken(1));
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> objects.add(new Broken(2)));
        objects.add("fine");
        assertThat(objects.size()).isEqualTo(2);
    }

    @Test
    void pollWhenThereAreMoreLanesThanAreKeptContinues() {
        for (int round = 0; round < 3; round++) {
            for (int priority = 0; priority < 100; priority++) {
                queue.add("key-" + priority, priority);
                queue.add("raised-" + priority, priority);
                queue.add("raised-" + priority, 1000);
            }
            List<String> drained = drain();
            assertThat(drained).hasSize(200).endsWith("key-1", "key-0");
            assertThat(drained.get(100)).isEqualTo("key-99");
        }
    }

    private void addInTurn(int delaySeconds) {
        for (int i = 0; i < 30; i++) {
            int priority = i % 3 * 10;
            queue.addAfter(priority + "-" + i, Duration.ofSeconds(delaySeconds), priority);
        }
    }

    private static List<String> levelsInOrder() {
        List<String> expected = new ArrayList<>();
        for (int level = 2; level >= 0; level--) {
            for (int i = level; i < 30; i += 3) {
                expected.add(level * 10 + "-" + i);
            }
        }
        return expected;
    }

    private WorkItem<String> poll() {
        WorkItem<String> work = queue.poll();
        assertThat(work).as("dequeued").isNotNull();
        return work;
    }

    private List<String> drain() {
        List<String> drained = new ArrayList<>();
        for (WorkItem<String> work = queue.poll(); work != null; work = queue.poll()) {
            drained.add(work.item());
            queue.done(work.item());
        }
        return drained;
    }
}
