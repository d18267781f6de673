package io.github.reconciler4j.cache.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class SyncStateTests {

    private static final KindInfo PODS = new KindInfo(KindName.of("v1", "Pod"), "pods", true);

    private static final Duration LONG = Duration.ofSeconds(30);

    private final ManualTimeSource time = new ManualTimeSource();
    private final SyncState state = new SyncState(time);
    private final Scope a = new Scope(PODS, "a", ObjectSelector.everything(), List.of());
    private final Scope b = new Scope(PODS, "b", ObjectSelector.everything(), List.of());

    private static SyncFailure failure(SyncFailure.Type type) {
        return new SyncFailure(type, "failure " + type, 0, Optional.empty());
    }

    @Test
    void isSyncedWhenEveryPlannedScopeWasListedStaysTrue() {
        assertThat(state.isSynced()).as("not planned").isFalse();
        state.planned(List.of(a, b));
        state.synced(a);
        assertThat(state.isSynced()).isFalse();
        time.advance(Duration.ofSeconds(3));
        state.synced(b);
        assertThat(state.isSynced()).isTrue();
        long at = state.syncedAt();
        assertThat(at).isEqualTo(time.nanoTime());

        time.advance(Duration.ofSeconds(3));
        state.planned(List.of(new Scope(PODS, "c", ObjectSelector.everything(), List.of())));
        assertThat(state.isSynced()).as("a scope that was added later").isTrue();
        state.synced(a);
        assertThat(state.syncedAt()).isEqualTo(at);
    }

    @Test
    void isSyncedWhenThereIsNoScopeOrTheLastOneIsRemovedIsTrue() {
        SyncState none = new SyncState(time);
        none.planned(List.of());
        assertThat(none.isSynced()).isTrue();
        state.planned(List.of(a, b));
        state.synced(a);
        state.synced(new Scope(PODS, "unknown", ObjectSelector.everything(), List.of()));
        assertThat(state.isSynced()).isFalse();
        state.removed(b);
        assertThat(state.isSynced()).isTrue();
    }

    @Test
    void startedAndClosedAreRecorded() {
        assertThat(state.isStarted()).isFalse();
        time.advance(Duration.ofSeconds(5));
        state.started();
        assertThat(state.isStarted()).isTrue();
        assertThat(state.startedAt()).isEqualTo(time.nanoTime());
        assertThat(state.isClosed()).isFalse();
        state.closed();
        assertThat(state.isClosed()).isTrue();
    }

    @Test
    void failureWhenThereAreSeveralIsTheMostSevereAndTheLastOneIsKept() {
        state.planned(List.of(a, b));
        state.failure(a, failure(SyncFailure.Type.OTHER));
        assertThat(state.requiresAction()).isFalse();
        state.failure(b, failure(SyncFailure.Type.FORBIDDEN));
        assertThat(state.failure()).contains(failure(SyncFailure.Type.FORBIDDEN));
        assertThat(state.failure(a)).contains(failure(SyncFailure.Type.OTHER));
        assertThat(state.requiresAction()).isTrue();
        state.failure(b, null);
        assertThat(state.failure()).contains(failure(SyncFailure.Type.OTHER));
        assertThat(state.failure(b)).isEmpty();
        assertThat(state.lastFailure().orElseThrow().message()).isEqualTo("failure FORBIDDEN");
    }

    @Test
    void failureWhenItWaitsForAnotherStateIsThatOfTheOther() {
        SyncState namespaces = new SyncState(time);
        namespaces.planned(List.of(b));
        namespaces.failure(b, failure(SyncFailure.Type.MISSING));
        AtomicInteger changes = new AtomicInteger();
        state.followers().add(changes::incrementAndGet);
        state.waitsFor(namespaces);
        assertThat(state.failure()).contains(failure(SyncFailure.Type.MISSING));
        assertThat(changes).hasValue(1);
        namespaces.failure(b, null);
        assertThat(changes).as("a change of the other").hasValue(2);

        state.planned(List.of(a));
        assertThat(changes).hasValue(3);
        namespaces.failure(b, failure(SyncFailure.Type.MISSING));
        assertThat(state.failure()).isEmpty();
        assertThat(changes).hasValue(3);
    }

    @Test
    void closedWhenItWaitedForAnotherStateFollowsItNoMore() {
        SyncState namespaces = new SyncState(time);
        AtomicInteger changes = new AtomicInteger();
        state.waitsFor(namespaces);
        state.closed();
        state.followers().add(changes::incrementAndGet);
        namespaces.started();
        assertThat(changes).hasValue(0);
    }

    @Test
    void followersAreCalledAfterEachChangeUnlessOneFails() {
        AtomicInteger calls = new AtomicInteger();
        Runnable follower = calls::incrementAndGet;
        state.followers().add(() -> {
            throw new IllegalStateException("follower");
        });
        state.followers().add(follower);
        state.started();
        state.planned(List.of(a, b));
        state.synced(a);
        state.failure(a, null);
        state.removed(b);
        state.closed();
        assertThat(calls).hasValue(6);
        state.followers().remove(follower);
        state.started();
        assertThat(calls).hasValue(6);
    }

    @Test
    void remainingIsKnownWhenTheTotalOfEachWaitingScopeIs() {
        state.planned(List.of(a, b));
        assertThat(state.remaining()).isEmpty();
        state.listing(a, 10, 100);
        assertThat(state.remaining()).isEmpty();
        state.listing(b, 30, 20);
        assertThat(state.remaining()).hasValue(90);
        assertThat(state.listing()).isEqualTo(40);
        state.synced(b);
        assertThat(state.remaining()).hasValue(90);
        state.synced(a);
        assertThat(state.remaining()).isEmpty();
    }

    @Test
    void awaitReturnsWhetherTheConditionHoldsOrTheWatchingEnded() throws Exception {
        assertThat(state.await(() -> true, Duration.ZERO)).isTrue();
        assertThat(state.await(() -> false, Duration.ZERO)).isFalse();
        assertThat(state.await(() -> false, Duration.ofMillis(1))).isFalse();
        state.closed();
        assertThat(state.await(() -> false, Duration.ZERO)).isTrue();
    }

    @Test
    void awaitWhenTheStateChangesReturnsAtOnce() throws Exception {
        state.planned(List.of(a));
        List<Boolean> results = new CopyOnWriteArrayList<>();
        Thread waiting = new Thread(() -> {
            try {
                results.add(state.await(state::isSynced, Duration.ofHours(1)));
            } catch (InterruptedException e) {
                results.add(false);
            }
        });
        waiting.start();
        Awaitility.await("it waits").atMost(LONG).until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
        state.synced(a);
        waiting.join(LONG.toMillis());
        assertThat(results).containsExactly(true);
    }

    @Test
    void callsWhenDoneLeaveTheStateToOtherThreads() throws Exception {
        SyncState other = new SyncState(time);
        other.planned(List.of(b));
        for (Runnable call : List.<Runnable>of(
                () -> state.waitsFor(other),
                () -> state.planned(List.of(a, b)),
                () -> state.listing(a, 1, 2),
                () -> state.listing(),
                () -> state.remaining(),
                () -> state.synced(a),
                () -> state.failure(a, null),
                () -> state.failure(a),
                () -> state.removed(b),
                () -> await(state),
                () -> state.closed())) {
            call.run();
            Thread user = new Thread(state::listing);
            user.start();
            user.join(LONG.toMillis());
            assertThat(user.isAlive()).isFalse();
        }
    }

    private static void await(SyncState state) {
        try {
            state.await(() -> true, Duration.ZERO);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
