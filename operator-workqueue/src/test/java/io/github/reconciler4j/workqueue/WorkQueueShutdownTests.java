package io.github.reconciler4j.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.reconciler4j.fixtures.ManualTimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkQueueShutdownTests {

    private final ManualTimeSource time = new ManualTimeSource();
    private final WorkQueue<String> queue =
            WorkQueue.create(WorkQueueOptions.<String>defaults("test").withTimeSource(time));
    private final Takers takers = new Takers();

    @AfterEach
    void endTakers() {
        takers.close();
    }

    @Test
    void takeWhenShutDownReturnsNull() throws Exception {
        assertThat(queue.isShuttingDown()).isFalse();
        queue.shutDown();
        assertThat(queue.take()).isNull();
        assertThat(queue.take()).isNull();
        assertThat(queue.isShuttingDown()).isTrue();
    }

    @Test
    void takeWhenWaitingReturnsNullOnShutdown() throws Exception {
        queue.addAfter("later", Duration.ofHours(1), 0);
        List<Takers.Take<String>> takes =
                Stream.generate(() -> takers.start(queue)).limit(5).toList();
        takes.forEach(Takers.Take::awaitBlocked);
        queue.shutDown();
        for (Takers.Take<String> take : takes) {
            assertThat(take.item()).isNull();
        }
    }

    @Test
    void addWhenShutDownIsIgnored() {
        queue.shutDown();
        queue.add("a");
        queue.addAfter("b", Duration.ofSeconds(1), 0);
        queue.addRateLimited("c", 0);
        time.advance(Duration.ofMinutes(1));
        assertThat(queue.size()).isZero();
        assertThat(queue.retries("c")).as("failures").isZero();
        assertThat(queue.poll()).isNull();
    }

    @Test
    void shutDownDropsWhatWaitsAndKeepsWhatRuns() {
        queue.add("running");
        queue.poll();
        queue.add("running");
        queue.add("ready");
        queue.addAfter("delayed", Duration.ofSeconds(1), 0);
        queue.shutDown();
        WorkQueueSnapshot<String> snapshot = queue.snapshot();
        assertThat(snapshot.depth()).isEmpty();
        assertThat(snapshot.delayed()).isZero();
        assertThat(snapshot.running()).isEqualTo(1);
        assertThat(snapshot.shuttingDown()).isTrue();
        queue.done("running");
        assertThat(queue.snapshot().running()).isZero();
        assertThat(queue.poll()).isNull();
    }

    @Test
    void drainWhenNothingIsLeftReturns() throws Exception {
        queue.addAfter("delayed", Duration.ofSeconds(1), 0);
        assertThat(queue.shutDownWithDrain(Duration.ZERO)).isTrue();
        assertThat(queue.isShuttingDown()).isTrue();
    }

    @Test
    void drainDequeuesReadyKeysAndWaitsUntilTheyAreDone() throws Exception {
        queue.add("running");
        queue.poll();
        queue.add("running");
        queue.add("ready");
        queue.addAfter("due", Duration.ofSeconds(1), 0);
        queue.addAfter("not due", Duration.ofSeconds(2), 0);
        time.advance(Duration.ofSeconds(1));
        CompletableFuture<Boolean> drained = drainInBackground(Duration.ofHours(1));
        assertThat(queue.take().item()).isEqualTo("ready");
        assertThat(queue.take().item()).isEqualTo("due");
        Takers.Take<String> last = takers.start(queue);
        last.awaitBlocked();
        assertThat(last.isWaiting()).as("a key that runs was added again").isTrue();
        queue.done("running");
        assertThat(last.item()).isEqualTo("running");
        assertThat(queue.take()).as("nothing will come").isNull();
        queue.done("ready");
        queue.done("due");
        assertThat(drained).isNotDone();
        queue.done("running");
        assertThat(drained.get(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void drainWhenLastKeyIsDequeuedReleasesOtherTakers() throws Exception {
        queue.add("a");
        CompletableFuture<Boolean> drained = drainInBackground(Duration.ofHours(1));
        List<Takers.Take<String>> takes = List.of(takers.start(queue), takers.start(queue), takers.start(queue));
        long ended = 0;
        for (Takers.Take<String> take : takes) {
            ended += take.item() == null ? 1 : 0;
        }
        assertThat(ended).isEqualTo(2);
        queue.done("a");
        assertThat(drained.get(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void drainWhenTimeIsUpDropsTheRest() throws Exception {
        queue.add("running");
        queue.poll();
        queue.add("ready");
        CompletableFuture<Boolean> drained = drainInBackground(Duration.ofSeconds(10));
        time.advance(Duration.ofSeconds(10));
        assertThat(drained.get(30, TimeUnit.SECONDS)).isFalse();
        assertThat(queue.size()).isZero();
        assertThat(queue.take()).isNull();
    }

    @Test
    void drainWhenTimeIsRealEndsInTime() throws Exception {
        WorkQueue<String> real = WorkQueue.create(WorkQueueOptions.defaults("test"));
        real.add("a");
        assertThat(real.shutDownWithDrain(Duration.ofMillis(20))).isFalse();
    }

    @Test
    void drainWhenShutDownMeanwhileWaitsOnlyForWhatRuns() throws Exception {
        queue.add("running");
        queue.poll();
        queue.add("ready");
        CompletableFuture<Boolean> drained = drainInBackground(Duration.ofHours(1));
        queue.shutDown();
        assertThat(drained).isNotDone();
        queue.done("running");
        assertThat(drained.get(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void drainWhenInterruptedThrowsAndDropsTheRest() throws Exception {
        queue.add("ready");
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> queue.shutDownWithDrain(Duration.ofHours(1)));
        assertThat(queue.size()).isZero();
        assertThat(queue.take()).isNull();
    }

    private CompletableFuture<Boolean> drainInBackground(Duration timeout) {
        CompletableFuture<Boolean> drained = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        drained.complete(queue.shutDownWithDrain(timeout));
                    } catch (InterruptedException e) {
                        drained.completeExceptionally(e);
                    }
                },
                "drainer");
        thread.setDaemon(true);
        thread.start();
        Takers.awaitBlocked(thread);
        return drained;
    }
}
