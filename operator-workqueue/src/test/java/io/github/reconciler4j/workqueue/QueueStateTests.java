package io.github.reconciler4j.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.workqueue.Entry.EntryTable;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A key that neither waits nor runs leaves nothing behind, and an addition reports whether the earliest time changed. */
class QueueStateTests {

    private final QueueState<String> state = new QueueState<>(PriorityAging.off(), Fairness.between(key -> "group"));

    private Entry<String> entry(String key) {
        return state.entry(key, EntryTable.hash(key), "group");
    }

    private Entry<String> ready(String key) {
        Entry<String> entry = entry(key);
        state.makeReady(entry, 0, 0);
        return entry;
    }

    private Entry<String> delayed(String key) {
        Entry<String> entry = entry(key);
        state.delay(entry, 0, 100, false, 0);
        return entry;
    }

    private void assertForgotten(Entry<String> former) {
        assertThat(state.size()).isZero();
        assertThat(state.lanes().depth()).isZero();
        assertThat(state.delays().isEmpty()).isTrue();
        assertThat(state.running().isEmpty()).isTrue();
        assertThat(ready("other").group).isNotNull().isNotSameAs(Objects.requireNonNull(former.group));
    }

    private long done(String key) {
        return state.done(key, EntryTable.hash(key), 0);
    }

    @Test
    void keyWhenDoneIsForgotten() {
        Entry<String> entry = ready("a");
        assertThat(state.poll(0)).isSameAs(entry);
        assertThat(state.size()).isEqualTo(1);
        assertThat(done("a")).isZero();
        assertForgotten(entry);
    }

    @Test
    void keyWhenCanceledIsForgotten() {
        Entry<String> entry = delayed("a");
        assertThat(state.cancel("a", EntryTable.hash("a"))).isTrue();
        assertForgotten(entry);
    }

    @Test
    void keyWhenCanceledWhileRunningIsForgottenOnceDone() {
        Entry<String> entry = ready("a");
        state.poll(0);
        delayed("a");
        assertThat(state.cancel("a", EntryTable.hash("a"))).isTrue();
        assertThat(state.size()).isEqualTo(1);
        done("a");
        assertForgotten(entry);
    }

    @Test
    void keysWhenDelaysAreDroppedAreForgottenUnlessRunning() {
        Entry<String> entry = ready("a");
        state.poll(0);
        delayed("a");
        delayed("b");
        state.dropDelayed();
        assertThat(state.size()).isEqualTo(1);
        done("a");
        assertForgotten(entry);
    }

    @Test
    void keysWhenAllAreDroppedAreForgottenUnlessRunning() {
        Entry<String> entry = ready("a");
        state.poll(0);
        ready("a");
        ready("b");
        delayed("c");
        state.dropWaiting();
        assertThat(state.size()).isEqualTo(1);
        assertThat(state.lanes().depth()).isZero();
        done("a");
        assertForgotten(entry);
    }

    @Test
    void delayWhenTheTimeOfTheKeyChangesReturnsTrue() {
        assertThat(state.delay(entry("a"), 0, 100, false, 0)).as("first").isTrue();
        assertThat(state.delay(entry("a"), 0, 100, false, 0)).as("same time").isFalse();
        assertThat(state.delay(entry("a"), 0, 99, false, 0)).as("earlier").isTrue();
        ready("a");
        assertThat(state.delay(entry("a"), 0, 50, false, 0)).as("ready").isFalse();
    }

    @Test
    void hasNextWhenNothingIsReadyOrTheGroupIsAtItsLimitIsFalse() {
        QueueState<String> limited = new QueueState<>(
                PriorityAging.off(), Fairness.<String>between(key -> "group").withMaxRunning(1));
        assertThat(limited.hasNext()).isFalse();
        limited.makeReady(limited.entry("a", 1, "group"), 0, 0);
        limited.makeReady(limited.entry("b", 2, "group"), 0, 0);
        assertThat(limited.hasNext()).isTrue();
        limited.poll(0);
        assertThat(limited.hasNext()).as("the group is at its limit").isFalse();
        limited.done("a", 1, 0);
        assertThat(limited.hasNext()).isTrue();
        QueueState<String> plain = new QueueState<>(PriorityAging.off(), null);
        assertThat(plain.hasNext()).isFalse();
        plain.makeReady(plain.entry("a", 1, null), 0, 0);
        assertThat(plain.hasNext()).isTrue();
        plain.poll(0);
        plain.makeReady(plain.entry("a", 1, null), 0, 0);
        assertThat(plain.hasNext()).as("the ready key is running").isFalse();
    }

    @Test
    void lanesWhenEmptyAreKeptUpToSixteen() {
        for (int priority = 0; priority < 30; priority++) {
            state.makeReady(entry("key-" + priority), priority, 0);
        }
        assertThat(state.lanes().stream()).hasSize(30);
        for (int priority = 29; priority >= 0; priority--) {
            state.poll(0);
        }
        assertThat(state.lanes().stream()).hasSize(16);
        for (int priority = 0; priority < 30; priority++) {
            state.makeReady(entry("key-" + priority), 100 + priority, 0);
        }
        assertThat(state.lanes().stream()).as("held lanes").hasSizeGreaterThanOrEqualTo(30);
        assertThat(state.lanes().depth()).isEqualTo(30);
        state.dropWaiting();
        assertThat(state.lanes().stream()).hasSize(16);
    }
}
