package io.github.reconciler4j.client.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.client.Throttle;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LimiterTests {

    @Test
    void acquireWhenBurstIsUsedUpWaitsForTheRate() throws Exception {
        CallSender.Limiter limiter = new CallSender.Limiter(Throttle.off().withRate(20, 5));
        long start = System.nanoTime();
        for (int i = 0; i < 11; i++) {
            limiter.acquire();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(295));
    }

    @Test
    void acquireWithinTheBurstDoesNotWait() throws Exception {
        CallSender.Limiter limiter = new CallSender.Limiter(Throttle.off().withRate(0.001, 5));
        for (int i = 0; i < 5; i++) {
            limiter.acquire(); // a wait would take longer than the test may
        }
    }

    @Test
    void permitWhenInterruptedInTheWaitForATokenIsReleased() throws Exception {
        CallSender.Limiter limiter =
                new CallSender.Limiter(Throttle.off().withRate(0.001, 1).withMaxConcurrent(1));
        limiter.acquire();
        limiter.release();
        for (int i = 0; i < 2; i++) {
            AtomicReference<Throwable> ended = new AtomicReference<>();
            Thread waiter = new Thread(() -> {
                try {
                    limiter.acquire();
                } catch (InterruptedException e) {
                    ended.set(e);
                }
            });
            waiter.start();
            await("waiter has the permit and waits for its token")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> waiter.getState() == Thread.State.TIMED_WAITING);
            waiter.interrupt();
            waiter.join();
            assertThat(ended.get()).isInstanceOf(InterruptedException.class);
        }
    }

    @Test
    void permitWhenWaiterIsInterruptedGoesToTheNext() throws Exception {
        CallSender.Limiter limiter = new CallSender.Limiter(Throttle.off().withMaxConcurrent(1));
        limiter.acquire();
        AtomicReference<Throwable> ended = new AtomicReference<>();
        Thread waiter = new Thread(() -> {
            try {
                limiter.acquire();
            } catch (InterruptedException e) {
                ended.set(e);
            }
        });
        waiter.start();
        await("waiter to wait").atMost(Duration.ofSeconds(30)).until(() -> waiter.getState() == Thread.State.WAITING);
        waiter.interrupt();
        waiter.join(30_000);
        assertThat(ended.get()).isInstanceOf(InterruptedException.class);
        CountDownLatch entered = new CountDownLatch(1);
        Thread next = new Thread(() -> {
            try {
                limiter.acquire();
                entered.countDown();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        next.start();
        limiter.release();
        assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
    }
}
