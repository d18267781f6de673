package io.github.reconciler4j.cache.internal.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.cache.internal.Json;
import io.github.reconciler4j.cache.internal.storage.BodyForm;
import io.github.reconciler4j.cache.internal.storage.Change;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.support.TimeSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubscriptionQueueTests {

    private final SubscriptionQueue queue = new SubscriptionQueue(TimeSource.system());

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
    void takeWhenDeletedAndCreatedAgainDeliversDeletionThenCreation() throws InterruptedException {
        queue.offer(Change.updated(entry("a", 1, 1), entry("a", 1, 2)));
        queue.offer(Change.deleted(entry("a", 1, 2), entry("a", 1, 3), true));
        queue.offer(Change.created(entry("a", 9, 4), false));
        queue.offer(Change.updated(entry("a", 9, 4), entry("a", 9, 5)));

        assertThat(next()).isEqualTo("DELETED a@3 unknown CREATED a@5");
    }

    @Test
    void takeWhenCreatedAndDeletedAgainDeliversTheFirstDeletionOnly() throws InterruptedException {
        queue.offer(Change.deleted(entry("a", 1, 2), entry("a", 1, 3), false));
        queue.offer(Change.created(entry("a", 9, 4), false));
        queue.offer(Change.deleted(entry("a", 9, 4), entry("a", 9, 5), false));

        assertThat(next()).isEqualTo("DELETED a@3");
        assertThat(queue.depth()).isZero();
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
}
