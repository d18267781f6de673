package io.github.reconciler4j.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.github.reconciler4j.fixtures.ManualTimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Waiting for keys, with time moved by hand and with real time. */
class WorkQueueTakeTests {

    private final ManualTimeSource time = new ManualTimeSource();
    private final WorkQueue<String> queue =
            WorkQueue.create(WorkQueueOptions.<String>defaults("test").withTimeSource(time));
    private final Takers takers = new Takers();

    @AfterEach
    void endTakers() {
        takers.close();
    }

    @Test
    void takeWhenKeyIsReadyReturnsIt() throws Exception {
        queue.add("a");
        assertThat(queue.take().item()).isEqualTo("a");
    }

    @Test
    void takeWhenKeyIsAddedWakesUp() throws Exception {
        Takers.Take<String> take = takers.start(queue);
        take.awaitBlocked();
        queue.add("a");
        assertThat(take.item()).isEqualTo("a");
    }

    @Test
    void takeWhenKeyIsProcessedWaitsForDone() throws Exception {
        queue.add("a");
        queue.take();
        queue.add("a");
        Takers.Take<String> take = takers.start(queue);
        take.awaitBlocked();
        queue.done("a");
        assertThat(take.item()).isEqualTo("a");
    }

    @Test
    void takeWhenTimeIsMovedWakesUpWhenDue() throws Exception {
        queue.addAfter("a", Duration.ofHours(1), 0);
        Takers.Take<String> take = takers.start(queue);
        take.awaitBlocked();
        time.advance(Duration.ofMinutes(59));
        take.awaitBlocked();
        assertThat(take.isWaiting()).isTrue();
        time.advance(Duration.ofMinutes(1));
        assertThat(take.item()).isEqualTo("a");
    }

    @Test
    void takeWhenSeveralWaitAndEarlierKeyIsDelayedReturnsItInTime() throws Exception {
        queue.addAfter("late", Duration.ofHours(1), 0);
        Takers.Take<String> one = takers.start(queue);
        Takers.Take<String> other = takers.start(queue);
        one.awaitBlocked();
        other.awaitBlocked();
        queue.addAfter("early", Duration.ofMinutes(1), 0);
        time.advance(Duration.ofMinutes(1));
        time.advance(Duration.ofMinutes(59));
        assertThat(List.of(one.item(), other.item())).containsExactlyInAnyOrder("early", "late");
    }

    @Test
    void takeWhenTimeIsRealWaitsForThePointInTime() throws Exception {
        WorkQueue<String> real = WorkQueue.create(WorkQueueOptions.defaults("test"));
        long start = System.nanoTime();
        real.addAfter("late", Duration.ofMillis(150), 0);
        List<Takers.Take<String>> takes = List.of(takers.start(real), takers.start(real), takers.start(real));
        takes.forEach(Takers.Take::awaitBlocked);
        real.addAfter("early", Duration.ofMillis(50), 0);
        real.addAfter("middle", Duration.ofMillis(100), 0);
        List<String> items = new ArrayList<>();
        for (Takers.Take<String> take : takes) {
            items.add(take.item());
        }
        assertThat(items).containsExactlyInAnyOrder("early", "middle", "late");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(150));
    }

    @Test
    void takeWhenCalledAgainWaitsForTheNextPointInTime() throws Exception {
        WorkQueue<String> real = WorkQueue.create(WorkQueueOptions.defaults("test"));
        real.addAfter("first", Duration.ofMillis(100), 0);
        real.addAfter("second", Duration.ofMillis(200), 0);
        List<String> items = new ArrayList<>();
        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> {
            items.add(real.take().item());
            items.add(real.take().item());
        });
        assertThat(items).containsExactly("first", "second");
    }

    @Test
    void takeWhenEarlierKeyIsDelayedMeanwhileDoesNotWaitForTheLaterOne() throws Exception {
        WorkQueue<String> real = WorkQueue.create(WorkQueueOptions.defaults("test"));
        real.addAfter("late", Duration.ofHours(1), 0);
        Takers.Take<String> alone = takers.start(real);
        alone.awaitBlocked();
        real.addAfter("early", Duration.ofMillis(20), 0);
        assertThat(alone.item()).isEqualTo("early");
    }

    @Test
    void takeWhenTheOneThatWaitsForTheTimeGetsAnotherKeyIsReplaced() throws Exception {
        WorkQueue<String> real = WorkQueue.create(WorkQueueOptions.defaults("test"));
        real.addAfter("late", Duration.ofSeconds(2), 0);
        Takers.Take<String> first = takers.start(real);
        first.awaitBlocked();
        Takers.Take<String> second = takers.start(real);
        second.awaitBlocked();
        real.add("now");
        assertThat(List.of(first.item(), second.item())).containsExactlyInAnyOrder("now", "late");
    }

    @Test
    void takeWhenManyWaitAndManyAreAddedWakesAll() throws Exception {
        List<Takers.Take<String>> takes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            takes.add(takers.start(queue));
        }
        takes.forEach(Takers.Take::awaitBlocked);
        for (int i = 0; i < 20; i++) {
            queue.add("key-" + i);
        }
        List<String> items = new ArrayList<>();
        for (Takers.Take<String> take : takes) {
            items.add(take.item());
        }
        assertThat(items).doesNotHaveDuplicates().hasSize(20).doesNotContainNull();
    }

    @Test
    void takeWhenInterruptedThrowsAndLosesNoKey() throws Exception {
        Takers.Take<String> interrupted = takers.start(queue);
        interrupted.awaitBlocked();
        interrupted.thread().interrupt();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(interrupted::item)
                .withCauseInstanceOf(InterruptedException.class);
        queue.add("a");
        assertThat(takers.start(queue).item()).isEqualTo("a");
    }

    @Test
    void takeWhenAnotherIsInterruptedWhileBeingWokenStillGetsTheKey() throws Exception {
        for (int round = 0; round < 200; round++) {
            Takers.Take<String> one = takers.start(queue);
            Takers.Take<String> other = takers.start(queue);
            one.awaitBlocked();
            other.awaitBlocked();
            Thread interrupter = new Thread(one.thread()::interrupt, "interrupter");
            interrupter.start();
            queue.add("a");
            String winner = one.result().handle((work, error) -> error).join() == null ? one.item() : other.item();
            assertThat(winner).isEqualTo("a");
            queue.done("a");
            interrupter.join();
            other.thread().interrupt();
        }
    }
}
