package io.github.reconciler4j.cache.internal.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.cache.internal.Json;
import io.github.reconciler4j.cache.internal.storage.BodyForm;
import io.github.reconciler4j.cache.internal.storage.Change;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import java.lang.Thread.State;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SubscriptionQueueTests {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final ManualTimeSource time = new ManualTimeSource();
    private final SubscriptionQueue queue = new SubscriptionQueue(time);

    @AfterEach
    void useFromAnotherThread() throws Exception {
        CompletableFuture.runAsync(queue::close).get(60, TimeUnit.SECONDS); // no lock is left
    }

    private static Entry entry(String name, int uid, long version) {
        return new Entry(Json.header("ns", name, uid, Long.toString(version), ""), new byte[0], BodyForm.PLAIN);
    }

    private String next() throws InterruptedException {
        List<Change> changes = queue.take().changes();
        queue.delivered();
        StringBuilder text = new StringBuilder();
        for (Change change : changes) {
            text.append(text.isEmpty() ? "" : " ").append(change.type()).append(' ');
            if (change.type() == Change.Type.UPDATED) {
                text.append(change.old().resourceVersion()).append("->");
            }
            text.append(change.entry().name()).append('@').append(change.entry().resourceVersion());
            text.append(change.isInitial() ? " initial" : "").append(change.isFinalStateUnknown() ? " unknown" : "");
        }
        return text.toString();
    }

    @Test
    void takeWhenObjectsDifferKeepsTheirOrder() throws InterruptedException {
        queue.offer(Change.created(entry("a", 1, 1), false));
        queue.offer(Change.created(entry("b", 2, 2), false));
        queue.offer(Change.updated(entry("a", 1, 1), entry("a", 1, 3)));

        assertThat(next()).isEqualTo("CREATED a@3");
        assertThat(next()).isEqualTo("CREATED b@2");
        assertThat(queue.depth()).isZero();
    }

    @Test
    void takeWhenUpdatesAreCoalescedHasOldestAsOldAndNewestAsNew() throws InterruptedException {
        queue.offer(Change.updated(entry("a", 1, 1), entry("a", 1, 2)));
        queue.offer(Change.updated(entry("a", 1, 2), entry("a", 1, 3)));
        queue.offer(Change.resync(entry("a", 1, 3)));

        assertThat(next()).isEqualTo("UPDATED 1->a@3");
    }

    @Test
    void takeWhenCreationAndDeletionWereNotDeliveredHasNothing() {
        queue.offer(Change.created(entry("a", 1, 1), true));
        queue.offer(Change.updated(entry("a", 1, 1), entry("a", 1, 2)));
        queue.initialOffered();
        assertThat(queue.isInitialDelivered()).isFalse();

        queue.offer(Change.deleted(entry("a", 1, 2), entry("a", 1, 3), false));

        assertThat(queue.depth()).isZero();
        assertThat(queue.isInitialDelivered()).isTrue();
    }

    @Test
    void takeWhenAnObjectAppearedAndWentAfterTheStartDeliversBoth() throws InterruptedException {
        queue.offer(Change.created(entry("a", 1, 1), false));
        queue.offer(Change.deleted(entry("a", 1, 1), entry("a", 1, 2), false));

        assertThat(next()).isEqualTo("CREATED a@1 DELETED a@2");
        assertThat(queue.depth()).isZero();
    }

    @Test
    void takeWhenDeletedAndCreatedAgainDeliversDeletionThenCreation() throws InterruptedException {
        queue.offer(Change.updated(entry("a", 1, 1), entry("a", 1, 2)));
        queue.offer(Change.deleted(entry("a", 1, 2), entry("a", 1, 3), true));
        queue.offer(Change.created(entry("a", 9, 4), false));
        queue.offer(Change.updated(entry("a", 9, 4), entry("a", 9, 5)));

        assertThat(next()).isEqualTo("DELETED a@3 unknown CREATED a@5");
    }

    @Test
    void takeWhenAnotherObjectWasCreatedAndDeletedMeanwhileDeliversIt() throws InterruptedException {
        queue.offer(Change.deleted(entry("a", 1, 2), entry("a", 1, 3), false));
        for (int uid : List.of(8, 9)) {
            queue.offer(Change.created(entry("a", uid, 10 * uid), false));
            queue.offer(Change.deleted(entry("a", uid, 10 * uid), entry("a", uid, 10 * uid + 5), false));
        }

        assertThat(next()).as("the one that is known, and the last").isEqualTo("DELETED a@3 CREATED a@90 DELETED a@95");
        assertThat(queue.depth()).isZero();
    }

    @Test
    void takeWhenAnObjectLeftTheSelectionTwiceDeliversItsLastState() throws InterruptedException {
        queue.offer(Change.deleted(entry("a", 1, 2), entry("a", 1, 3), false));
        queue.offer(Change.created(entry("a", 1, 4), false));
        queue.offer(Change.updated(entry("a", 1, 4), entry("a", 1, 5)));
        queue.offer(Change.deleted(entry("a", 1, 5), entry("a", 1, 6), true));

        assertThat(next()).isEqualTo("DELETED a@6 unknown");
    }

    @Test
    void takeWhenAnUnknownObjectLeftTheSelectionTwiceDeliversItsLastState() throws InterruptedException {
        queue.offer(Change.created(entry("a", 1, 1), false));
        queue.offer(Change.deleted(entry("a", 1, 1), entry("a", 1, 2), false));
        queue.offer(Change.created(entry("a", 1, 3), false));
        queue.offer(Change.deleted(entry("a", 1, 3), entry("a", 1, 4), false));
        queue.offer(Change.created(entry("a", 1, 5), false));

        assertThat(next()).isEqualTo("CREATED a@3 DELETED a@4 CREATED a@5");
    }

    @Test
    void takeWhenAnObjectDepartedCameBackAndWasDeletedDeliversTheDeletion() throws InterruptedException {
        queue.offer(Change.departed(entry("a", 1, 2)));
        queue.offer(Change.created(entry("a", 1, 4), false));
        queue.offer(Change.deleted(entry("a", 1, 4), entry("a", 1, 5), false));
        assertThat(next()).isEqualTo("DELETED a@5");

        queue.offer(Change.departed(entry("a", 1, 2)));
        queue.offer(Change.created(entry("a", 9, 4), false));
        queue.offer(Change.departed(entry("a", 9, 4)));
        assertThat(next()).isEqualTo("DEPARTED a@2");
    }

    @Test
    void takeWhenResyncIsFollowedByAChangeDeliversTheChange() throws InterruptedException {
        queue.offer(Change.resync(entry("a", 1, 1)));
        queue.offer(Change.resync(entry("b", 2, 1)));
        queue.offer(Change.updated(entry("a", 1, 1), entry("a", 1, 2)));

        assertThat(next()).isEqualTo("UPDATED 1->a@2");
        assertThat(next()).isEqualTo("RESYNC b@1");
    }

    @Test
    void isInitialDeliveredWhenLastInitialIsBeingDeliveredIsFalse() throws InterruptedException {
        queue.offer(Change.created(entry("a", 1, 1), true));
        queue.initialOffered();
        assertThat(queue.take().changes()).hasSize(1);
        assertThat(queue.isInitialDelivered()).isFalse();

        queue.delivered();

        assertThat(queue.isInitialDelivered()).isTrue();
    }

    @Test
    void takeWhenClosedReturnsNull() throws InterruptedException {
        queue.offer(Change.created(entry("a", 1, 1), true));
        queue.close();

        assertThat(queue.take()).isNull();
    }

    /** Runs a call on another thread until it waits, then what ends the wait, and returns the result of the call. */
    private static <T> T resultWhenWaiting(Callable<T> call, Runnable end) throws Exception {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task, "waiting");
        thread.start();
        await("the call waits")
                .atMost(LONG)
                .until(() -> EnumSet.of(State.WAITING, State.TIMED_WAITING).contains(thread.getState()));
        end.run();
        return task.get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void takeWhenNothingWaitsWaitsForAChangeOrTheEnd() throws Exception {
        assertThat(resultWhenWaiting(queue::take, () -> queue.offer(Change.created(entry("a", 1, 1), false))))
                .isNotNull();
        queue.delivered();
        assertThat(resultWhenWaiting(queue::take, queue::close)).isNull();
    }

    @Test
    void awaitInitialDeliveredWaitsForTheLastDelivery() throws Exception {
        assertThat(queue.awaitInitialDelivered(Duration.ZERO)).isFalse();
        queue.offer(Change.created(entry("a", 1, 1), true));
        queue.take();
        queue.initialOffered();
        assertThat(queue.awaitInitialDelivered(Duration.ZERO)).isFalse();
        assertThat(resultWhenWaiting(() -> queue.awaitInitialDelivered(LONG), queue::delivered))
                .isTrue();
        assertThat(queue.awaitInitialDelivered(Duration.ZERO)).isTrue();
    }

    @Test
    void awaitInitialDeliveredWhenNothingExistsWaitsForTheEndOfTheList() throws Exception {
        assertThat(resultWhenWaiting(() -> queue.awaitInitialDelivered(LONG), queue::initialOffered))
                .isTrue();
        assertThat(queue.isInitialDelivered()).isTrue();
    }

    @Test
    void awaitInitialDeliveredWhenTheQueueIsClosedReturns() throws Exception {
        assertThat(queue.isClosed()).isFalse();
        assertThat(resultWhenWaiting(() -> queue.awaitInitialDelivered(LONG), queue::close))
                .isTrue();
        assertThat(queue.isClosed()).isTrue();
        assertThat(queue.isInitialDelivered()).isFalse();
    }

    @Test
    void isInitialDeliveredCountsInitialObjectsOnly() throws InterruptedException {
        queue.offer(Change.updated(entry("a", 1, 1), entry("a", 1, 2)));
        queue.offer(Change.deleted(entry("b", 2, 1), entry("b", 2, 2), false));
        queue.offer(Change.created(entry("c", 3, 1), false));
        queue.offer(Change.created(entry("d", 4, 1), true));
        queue.initialOffered();
        queue.offer(Change.deleted(entry("c", 3, 1), entry("c", 3, 2), false));
        for (String change : List.of("UPDATED 1->a@2", "DELETED b@2", "CREATED c@1 DELETED c@2")) {
            assertThat(next()).isEqualTo(change);
            assertThat(queue.isInitialDelivered()).isFalse();
        }
        assertThat(next()).isEqualTo("CREATED d@1 initial");
        assertThat(queue.isInitialDelivered()).isTrue();
    }

    @Test
    void depthAndLagIncludeWhatIsBeingDelivered() throws InterruptedException {
        assertThat(queue.depth()).isZero();
        assertThat(queue.lagSeconds()).isZero();
        queue.offer(Change.created(entry("a", 1, 1), false));
        time.advance(Duration.ofSeconds(2));
        queue.offer(Change.created(entry("b", 2, 2), false));
        time.advance(Duration.ofSeconds(3));
        assertThat(queue.depth()).isEqualTo(2);
        assertThat(queue.lagSeconds()).isEqualTo(5);
        queue.take();
        assertThat(queue.depth()).isEqualTo(2);
        assertThat(queue.lagSeconds()).isEqualTo(5);
        queue.delivered();
        assertThat(queue.depth()).isEqualTo(1);
        assertThat(queue.lagSeconds()).isEqualTo(3);
        queue.close();
        assertThat(queue.depth()).isZero();
        queue.offer(Change.created(entry("c", 3, 3), false));
        assertThat(queue.depth()).as("after the end").isZero();
    }

    @Test
    void takeWhenDeletedAfterAnUpdateHasTheDeliveredStateAsOld() throws InterruptedException {
        queue.offer(Change.updated(entry("a", 1, 1), entry("a", 1, 2)));
        queue.offer(Change.deleted(entry("a", 1, 2), entry("a", 1, 3), false));

        Change change = queue.take().changes().get(0);
        assertThat(change.old().resourceVersion()).isEqualTo("1");
        assertThat(change.entry().resourceVersion()).isEqualTo("3");
    }
}
