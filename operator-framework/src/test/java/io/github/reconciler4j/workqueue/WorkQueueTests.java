package io.github.reconciler4j.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkQueueTests {

    private final ManualTicker ticker = new ManualTicker();
    private final WorkQueue<String> queue =
            WorkQueue.create(WorkQueueOptions.<String>defaults("test").withTicker(ticker));

    @Test
    void pollWhenSamePriorityIsFirstInFirstOut() {
        queue.add("a");
        queue.add("b");
        queue.add("c");
        assertThat(drain()).containsExactly("a", "b", "c");
    }

    @Test
    void pollWhenPrioritiesDifferTakesHigherFirst() {
        queue.add("low", -100);
        queue.add("normal");
        queue.add("high", 7);
        queue.add("low2", -100);
        assertThat(drain()).containsExactly("high", "normal", "low", "low2");
    }

    @Test
    void addWhenPresentKeepsOneEntryWithHigherPriorityAndEarlierTime() {
        queue.addAfter("a", Duration.ofSeconds(10), 0);
        queue.addAfter("a", Duration.ofSeconds(5), -100);
        queue.addAfter("a", Duration.ofSeconds(20), 3);
        ticker.advance(Duration.ofSeconds(5).minusNanos(1));
        assertThat(queue.poll()).isNull();
        ticker.advance(Duration.ofNanos(1));
        WorkItem<String> work = queue.poll();
        assertThat(work).isNotNull();
        assertThat(work.item()).isEqualTo("a");
        assertThat(work.priority()).isEqualTo(3);
        queue.done("a");
        ticker.advance(Duration.ofMinutes(1));
        assertThat(queue.poll()).isNull();
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
    void addWhenItemIsProcessingQueuesItAgainAfterDone() {
        queue.add("a");
        assertThat(queue.poll()).isNotNull();
        queue.add("a");
        queue.add("a", 5);
        assertThat(queue.size()).isEqualTo(1);
        assertThat(queue.poll()).isNull();
        queue.done("a");
        WorkItem<String> again = queue.poll();
        assertThat(again).isNotNull();
        assertThat(again.priority()).isEqualTo(5);
        queue.done("a");
        assertThat(queue.poll()).isNull();
    }

    @Test
    void addWhenItemIsNullThrows() {
        assertThatNullPointerException().isThrownBy(() -> queue.add(null)).withMessage("'item' must not be null");
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
