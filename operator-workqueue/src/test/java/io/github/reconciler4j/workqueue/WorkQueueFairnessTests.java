package io.github.reconciler4j.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.reconciler4j.fixtures.ManualTimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkQueueFairnessTests {

    private final ManualTimeSource time = new ManualTimeSource();
    private final Fairness<String> byNamespace = Fairness.between(WorkQueueFairnessTests::namespace);

    @Test
    void pollWhenOneGroupHasManyKeysTakesTurns() {
        WorkQueue<String> queue = queue(byNamespace);
        add(queue, "noisy", 5);
        add(queue, "calm", 2);
        add(queue, "quiet", 1);
        List<String> order = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            WorkItem<String> work = queue.poll();
            order.add(work.item());
            queue.done(work.item());
        }
        assertThat(order)
                .containsExactly("noisy/0", "calm/0", "quiet/0", "noisy/1", "calm/1", "noisy/2", "noisy/3", "noisy/4");
    }

    @Test
    void pollWhenWorkersAreBusyDividesThemEvenly() {
        WorkQueue<String> queue = queue(byNamespace);
        add(queue, "noisy", 100);
        List<String> running = poll(queue, 4);
        assertThat(running).as("alone it may use all").hasSize(4);
        add(queue, "calm", 100);
        running.forEach(queue::done);
        assertThat(poll(queue, 8).stream().filter(key -> key.startsWith("calm")))
                .hasSize(4);
    }

    @Test
    void pollWhenGroupHasFewerRunningTakesItFirst() {
        WorkQueue<String> queue = queue(byNamespace);
        add(queue, "noisy", 10);
        poll(queue, 3);
        add(queue, "late", 2);
        assertThat(poll(queue, 2)).containsExactly("late/0", "late/1");
    }

    @Test
    void pollWhenGroupIsAtItsLimitLeavesTheWorkerFreeForOthers() {
        WorkQueue<String> queue = queue(byNamespace.withMaxRunning(2));
        add(queue, "noisy", 5);
        assertThat(poll(queue, 5)).containsExactly("noisy/0", "noisy/1");
        assertThat(queue.size()).as("they are ready all the same").isEqualTo(3);
        queue.add("other/0");
        assertThat(poll(queue, 5)).containsExactly("other/0");
        queue.done("noisy/0");
        assertThat(poll(queue, 5)).containsExactly("noisy/2");
    }

    @Test
    void pollWhenGroupHasItsShareOfTheWorkersLeavesTheRestForOthersAlsoWhenTheirNumberChanges() {
        WorkQueue<String> queue = queue(byNamespace.withShare(0.5));
        add(queue, "noisy", 20);
        queue.setWorkers(3);
        assertThat(poll(queue, 10)).as("half of 3, rounded up").hasSize(2);
        queue.add("other/0");
        assertThat(poll(queue, 10)).containsExactly("other/0");
        queue.setWorkers(10);
        assertThat(poll(queue, 10)).as("half of 10").hasSize(3).allMatch(key -> key.startsWith("noisy"));
        queue.setWorkers(1);
        assertThat(poll(queue, 10)).isEmpty();
        queue.setWorkers(0);
        assertThat(poll(queue, 10)).as("no number, no share").hasSize(10);
    }

    @Test
    void pollWhenShareAndLimitDifferKeepsToTheLowerOne() {
        WorkQueue<String> queue = queue(byNamespace.withShare(0.3).withMaxRunning(2));
        add(queue, "noisy", 20);
        queue.setWorkers(10);
        assertThat(poll(queue, 10)).hasSize(2);
        queue.setWorkers(2);
        queue.done("noisy/0");
        assertThat(poll(queue, 10)).as("one is running, which is the share").isEmpty();
        queue.done("noisy/1");
        assertThat(poll(queue, 10)).hasSize(1);
    }

    @Test
    void takeWhenTheShareGrowsWakesUp() throws Exception {
        WorkQueue<String> queue = queue(byNamespace.withShare(0.5));
        queue.setWorkers(2);
        add(queue, "noisy", 2);
        assertThat(poll(queue, 2)).hasSize(1);
        try (Takers takers = new Takers()) {
            Takers.Take<String> take = takers.start(queue);
            take.awaitBlocked();
            queue.setWorkers(4);
            assertThat(take.item()).isEqualTo("noisy/1");
        }
    }

    @Test
    void pollWhenGroupOfHigherPriorityIsAtItsLimitTakesLowerPriority() {
        WorkQueue<String> queue = queue(byNamespace.withMaxRunning(1));
        queue.add("noisy/0", 5);
        queue.add("noisy/1", 5);
        queue.add("other/0", -100);
        assertThat(poll(queue, 5)).containsExactly("noisy/0", "other/0");
    }

    @Test
    void pollWhenPrioritiesDifferTakesHigherFirstInAnyGroup() {
        WorkQueue<String> queue = queue(byNamespace);
        queue.add("a/0", 5);
        queue.add("a/1", 5);
        queue.add("b/0", 0);
        assertThat(poll(queue, 5)).containsExactly("a/0", "a/1", "b/0");
    }

    @Test
    void takeWhenGroupGetsBelowItsLimitWakesUp() throws Exception {
        WorkQueue<String> queue = queue(byNamespace.withMaxRunning(1));
        add(queue, "noisy", 2);
        poll(queue, 1);
        try (Takers takers = new Takers()) {
            Takers.Take<String> take = takers.start(queue);
            take.awaitBlocked();
            queue.done("noisy/0");
            assertThat(take.item()).isEqualTo("noisy/1");
        }
    }

    @Test
    void shutDownWhenGroupIsAtItsLimitDropsItsKeys() {
        WorkQueue<String> queue = queue(byNamespace.withMaxRunning(1));
        add(queue, "noisy", 5);
        poll(queue, 1);
        queue.shutDown();
        assertThat(queue.size()).isZero();
        queue.done("noisy/0");
        assertThat(queue.poll()).isNull();
    }

    @Test
    void snapshotWhenFairFindsTheOldestOfAllGroups() {
        WorkQueue<String> queue = queue(byNamespace);
        queue.add("a/0");
        time.advance(Duration.ofSeconds(1));
        queue.add("b/0");
        queue.add("a/1");
        time.advance(Duration.ofSeconds(1));
        assertThat(queue.snapshot().oldestWaiting())
                .hasValue(new WorkQueueSnapshot.Waiting<>("a/0", 0, Duration.ofSeconds(2)));
        poll(queue, 1);
        assertThat(queue.snapshot().oldestWaiting().map(WorkQueueSnapshot.Waiting::waited))
                .hasValue(Duration.ofSeconds(1));
    }

    @Test
    void addWhenTheGroupIsUnknownKeepsTheKey() {
        WorkQueue<String> queue = queue(Fairness.between(key -> {
            if (key.equals("broken")) {
                throw new NoClassDefFoundError("group");
            }
            return null;
        }));
        queue.add("broken");
        queue.add("null");
        assertThat(poll(queue, 2)).containsExactly("broken", "null");
    }

    @Test
    void fairnessWhenLimitIsZeroIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> byNamespace.withMaxRunning(0))
                .withMessage("'maxRunning' must be at least 1, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> byNamespace.withShare(0))
                .withMessage("'share' must be above 0 and at most 1, was 0.0");
        assertThatIllegalArgumentException().isThrownBy(() -> byNamespace.withShare(1.01));
    }

    private static String namespace(String key) {
        return key.substring(0, key.indexOf('/'));
    }

    private static void add(WorkQueue<String> queue, String namespace, int count) {
        for (int i = 0; i < count; i++) {
            queue.add(namespace + "/" + i);
        }
    }

    private static List<String> poll(WorkQueue<String> queue, int most) {
        List<String> polled = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            WorkItem<String> work = queue.poll();
            if (work != null) {
                polled.add(work.item());
            }
        }
        return polled;
    }

    private WorkQueue<String> queue(Fairness<String> fairness) {
        return WorkQueue.create(
                WorkQueueOptions.<String>defaults("test").withTimeSource(time).withFairness(fairness));
    }
}
