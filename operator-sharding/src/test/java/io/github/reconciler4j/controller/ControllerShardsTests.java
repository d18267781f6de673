package io.github.reconciler4j.controller;

import static io.github.reconciler4j.controller.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.client.error.WriteRefusedException;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.sharding.ShardHandler.Stop;
import io.github.reconciler4j.sharding.ShardedWork;
import io.github.reconciler4j.sharding.internal.member.ShardGate;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A divided controller; the number of the shard is the namespace of the request. */
@Timeout(120)
class ControllerShardsTests {

    private static final Request ONE = new Request("1", "a");
    private static final Request TWO = new Request("2", "a");
    private static final Request SLOW = new Request("1", "slow");

    private final List<String> interrupted = new CopyOnWriteArrayList<>();
    private final List<Request> ended = new CopyOnWriteArrayList<>();
    private final AtomicInteger parallel = new AtomicInteger();
    private final AtomicInteger highest = new AtomicInteger();
    private final CountDownLatch running = new CountDownLatch(1);
    private final Semaphore release = new Semaphore(0);
    private final WriteScope scope = WriteScope.of(() -> {});
    private final ControllerFixture fixture = new ControllerFixture(
            ControllerOptions.defaults().withMaxConcurrentReconciles(2), (request, context) -> reconcile(request));
    private ShardedWork work;
    private volatile boolean stubborn;
    private volatile Result result = Result.done();

    @BeforeEach
    void start() throws InterruptedException {
        work = divide(fixture, request -> OptionalInt.of(Integer.parseInt(request.namespace())));
        fixture.started();
    }

    private static ShardedWork divide(ControllerFixture its, Function<Request, OptionalInt> shardOf) {
        ShardGate<Request> gate = new ShardGate<>("test", shardOf, () -> true);
        its.controller.divide(gate);
        return gate;
    }

    @AfterEach
    void close() {
        release.release(100);
        fixture.close();
    }

    private Result reconcile(Request request) throws InterruptedException {
        if (!request.equals(SLOW)) {
            ended.add(request);
            return result;
        }
        highest.accumulateAndGet(parallel.incrementAndGet(), Math::max);
        try {
            running.countDown();
            if (stubborn) {
                release.acquireUninterruptibly();
            } else {
                release.acquire();
            }
            ended.add(request);
            return result;
        } catch (InterruptedException e) {
            interrupted.add(request.toString());
            throw e;
        } finally {
            parallel.decrementAndGet();
        }
    }

    private void hold(int shard, WriteScope held) {
        work.acquire(shard, held);
        assertThat(work.open(shard, held)).isTrue();
    }

    private void awaitEnded(Request... requests) {
        eventually("runs", () -> ended.equals(List.of(requests)));
    }

    private CompletableFuture<?> close(int shard, Stop how) {
        return work.close(shard, how).toCompletableFuture();
    }

    private void startSlow() throws InterruptedException {
        hold(1, scope);
        fixture.channel.send(SLOW);
        assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void divideLetsTheControllerRunOnEveryReplica() {
        assertThat(fixture.controller.group()).isEqualTo(StartGroup.ALL_REPLICAS);
        assertThat(fixture.controller.companions()).isEmpty();
    }

    @Test
    void reconcileWhenTheShardIsNotHeldDoesNotRun() {
        hold(2, scope);
        fixture.channel.send(ONE);
        fixture.controller.operations().requeue(ONE); // this one is enqueued, and dropped when it is dequeued
        fixture.channel.send(TWO);

        awaitEnded(TWO);
        fixture.awaitIdle();
        assertThat(ended).containsExactly(TWO);
    }

    @Test
    void acquireKeepsRequestsUntilTheShardIsOpened() {
        hold(2, scope);
        work.acquire(1, scope);
        fixture.channel.send(ONE);
        fixture.channel.send(TWO);
        awaitEnded(TWO);
        fixture.awaitIdle();
        assertThat(ended).containsExactly(TWO);

        assertThat(work.open(1, WriteScope.of(() -> {}))).as("another term").isTrue();
        work.acquire(1, scope); // again, which changes nothing
        fixture.awaitIdle();
        assertThat(ended).containsExactly(TWO);
        assertThat(work.open(1, scope)).isTrue();
        awaitEnded(TWO, ONE);
    }

    @Test
    void closeWhenRequestsWaitRemovesThem() throws Exception {
        result = Result.requeueAfter(Duration.ofHours(1));
        hold(1, scope);
        fixture.channel.send(ONE);
        awaitEnded(ONE);
        fixture.awaitIdle();
        close(1, Stop.FINISH).get(60, TimeUnit.SECONDS);
        assertThat(fixture.controller.operations().queue().orElseThrow().delayed())
                .isZero();
    }

    @Test
    void closeWhenParkedDropsWhatWaitsForTheCache() {
        hold(2, scope);
        work.acquire(1, scope);
        fixture.channel.send(ONE);
        fixture.channel.send(TWO);
        awaitEnded(TWO);
        fixture.awaitIdle();
        assertThat(close(1, Stop.FINISH)).isCompleted();
        hold(1, scope);
        fixture.channel.send(TWO);
        awaitEnded(TWO, TWO);
    }

    @Test
    void closeWhenAReconciliationMayFinishWaitsForIt() throws Exception {
        result = Result.requeueAfter(Duration.ofMillis(1));
        startSlow();
        CompletableFuture<?> closed = close(1, Stop.FINISH);
        assertThat(closed).isNotDone();
        release.release();
        closed.get(60, TimeUnit.SECONDS);
        assertThat(ended).containsExactly(SLOW);
        assertThat(interrupted).isEmpty();
        hold(2, scope);
        result = Result.done();
        fixture.channel.send(TWO);
        awaitEnded(SLOW, TWO);
        assertThat(fixture.controller.operations().queue().orElseThrow().delayed())
                .isZero();
    }

    @Test
    void closeNowInterruptsTheReconciliationsOfThisShardOnly() throws Exception {
        startSlow();
        hold(2, scope);
        assertThat(close(2, Stop.NOW)).isCompleted();
        assertThat(interrupted).isEmpty();
        CompletableFuture<?> first = close(1, Stop.FINISH);
        close(1, Stop.NOW).get(60, TimeUnit.SECONDS);
        first.get(60, TimeUnit.SECONDS);
        assertThat(interrupted).containsExactly(SLOW.toString());
        assertThat(ended).isEmpty();
        assertThat(fixture.counter("reconcile_errors_total"))
                .as("it did not fail")
                .isZero();
        assertThat(fixture.controller.operations().failing(10)).isEmpty();
    }

    @Test
    void acquireWhenTheShardWasLostRunsTheRequestAgain() throws Exception {
        startSlow();
        close(1, Stop.NOW).get(60, TimeUnit.SECONDS);
        WriteScope next = WriteScope.of(() -> {});
        work.acquire(1, next);
        fixture.channel.send(SLOW);
        release.release();
        work.open(1, next);
        awaitEnded(SLOW);
    }

    @Test
    void acquireWhenAnAbandonedReconciliationStillRunsRunsTheRequestAfterIt() throws Exception {
        stubborn = true;
        startSlow();
        CompletableFuture<?> closed = close(1, Stop.NOW);
        WriteScope next = WriteScope.of(() -> {});
        hold(1, next);
        fixture.channel.send(SLOW);
        assertThat(closed).isNotDone();
        release.release(2);
        awaitEnded(SLOW, SLOW);
        assertThat(highest).hasValue(1);
    }

    @Test
    void reconcileWhenTheLeaseHasExpiredStartsOnlyWhenItStandsAgain() {
        AtomicBoolean expired = new AtomicBoolean(true);
        AtomicInteger refused = new AtomicInteger();
        hold(1, WriteScope.of(() -> {
            if (expired.get()) {
                refused.incrementAndGet();
                throw new WriteRefusedException("the Lease has expired");
            }
        }));
        hold(2, scope);
        fixture.channel.send(ONE);
        eventually("the request is postponed", () -> refused.get() >= 1);
        fixture.channel.send(TWO);
        awaitEnded(TWO);
        expired.set(false);
        awaitEnded(TWO, ONE);
    }

    @Test
    void closeWhenTheLeaseHasExpiredDropsPostponedRequests() throws Exception {
        AtomicInteger refused = new AtomicInteger();
        hold(1, WriteScope.of(() -> {
            refused.incrementAndGet();
            throw new WriteRefusedException("the Lease has expired");
        }));
        fixture.channel.send(ONE);
        eventually("the request is postponed", () -> refused.get() > 0);
        fixture.awaitIdle();
        close(1, Stop.NOW).get(60, TimeUnit.SECONDS);
        assertThat(fixture.controller.operations().queue().orElseThrow().delayed())
                .isZero();
        assertThat(ended).isEmpty();
    }

    @Test
    void reconcileWritesInTheScopeOfItsShard() throws Exception {
        List<WriteScope> scopes = new CopyOnWriteArrayList<>();
        try (ControllerFixture other = new ControllerFixture((request, context) -> {
            scopes.add(WriteScope.current().orElseThrow());
            return Result.done();
        })) {
            ShardedWork its = divide(other, request -> OptionalInt.of(1));
            its.acquire(1, scope);
            its.open(1, scope);
            other.started();
            other.channel.send(ONE);
            other.awaitRuns(1);
            eventually("scope", () -> scopes.equals(List.of(scope)));
        }
    }
}
