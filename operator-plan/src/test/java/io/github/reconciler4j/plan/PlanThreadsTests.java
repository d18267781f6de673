package io.github.reconciler4j.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.client.WorkScope;
import io.github.reconciler4j.client.internal.spi.PlanScope;
import io.github.reconciler4j.reconcile.Result;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A plan that does not end in time, two plans at the same time, and the threads of a reconciler. */
class PlanThreadsTests extends PlanFixture {

    @Test
    void planWhoseTimeIsOverSaysHowManyObjectsAreLeft() throws Exception {
        List.of("one", "two").forEach(this::owner);
        PlanReport report = planWithin(Duration.ofMillis(300), (owner, client, sets) -> {
            new CountDownLatch(1).await();
            return Result.done();
        });
        assertThat(report.problems())
                .anyMatch(problem -> problem.message().contains(" objects were not reconciled within "));
        assertThat(report.exitCode()).isEqualTo(1);
    }

    @Test
    void twoPlansAtOnceSayTheSame() throws Exception {
        List.of("one", "two").forEach(this::owner);
        run(applying("app:1"));
        CompletableFuture<PlanReport> other = CompletableFuture.supplyAsync(() -> {
            try {
                return plan(applying("app:2"));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        PlanReport report = plan(applying("app:2"));
        assertThat(effects(report)).hasSize(2).isEqualTo(effects(other.get()));
        assertThat(report.changes()).isEqualTo(other.get().changes());
    }

    @Test
    void threadsOfAReconcilerBelongToThePlan() throws Exception {
        owner("one");
        AtomicBoolean active = new AtomicBoolean();
        PlanReport report = plan((owner, client, sets) -> {
            Thread thread = new Thread(WorkScope.inherit(() -> {
                active.set(PlanScope.isActive());
                client.apply(deployment("one", "app:1"));
            }));
            thread.start();
            thread.join();
            return Result.done();
        });
        assertThat(active).isTrue();
        assertThat(report.changes())
                .singleElement()
                .satisfies(change -> assertThat(change.causes()).containsExactly("owners"));
    }
}
