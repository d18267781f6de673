package io.github.reconciler4j.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SupportTests {

    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void backoffWhenFailuresRepeatDoublesUpToTheMaximum() {
        Backoff backoff = Backoff.of(SECOND, Duration.ofSeconds(5));
        assertThat(backoff.delay(0)).isEqualTo(SECOND);
        assertThat(backoff.delay(1)).isEqualTo(SECOND);
        assertThat(backoff.delay(2)).isEqualTo(Duration.ofSeconds(2));
        assertThat(backoff.delay(3)).isEqualTo(Duration.ofSeconds(4));
        assertThat(backoff.delay(4)).isEqualTo(Duration.ofSeconds(5));
        assertThat(backoff.delay(Integer.MAX_VALUE)).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void backoffWhenItHasJitterStaysWithinItsRange() {
        Backoff backoff = Backoff.of(SECOND, Duration.ofSeconds(5)).withJitter(0.5, 1.5);
        assertThat(backoff.delay(2, 0)).isEqualTo(SECOND);
        assertThat(backoff.delay(2, 1)).isEqualTo(Duration.ofSeconds(3));
        assertThat(Backoff.of(SECOND, SECOND).withFullJitter().delay(1, 0)).isZero();
        for (int i = 0; i < 100; i++) {
            assertThat(backoff.delay(2)).isBetween(SECOND, Duration.ofSeconds(3));
        }
    }

    @Test
    void backoffWhenDelaysAreHugeDoesNotOverflow() {
        Duration huge = Duration.ofSeconds(Long.MAX_VALUE);
        assertThat(Backoff.of(huge, huge).delay(50)).isPositive();
        assertThat(Backoff.of(SECOND, huge).withJitter(1, 2).delay(200, 1)).isPositive();
    }

    @Test
    void backoffWhenOutOfRangeIsRejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> Backoff.of(SECOND.negated(), SECOND));
        assertThatIllegalArgumentException().isThrownBy(() -> Backoff.of(SECOND, Duration.ZERO));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Backoff.of(SECOND, SECOND).withJitter(2, 1));
    }

    @Test
    void nanosWhenDurationIsOutOfRangeAreBounded() {
        assertThat(Nanos.of(SECOND)).isEqualTo(1_000_000_000L);
        assertThat(Nanos.of(SECOND.negated())).isZero();
        assertThat(Nanos.of(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(Nanos.MAX);
        assertThat(System.nanoTime() + Nanos.MAX - System.nanoTime()).isPositive();
    }

    @Test
    void causesWhenTheyFormACircleAreBounded() {
        IllegalStateException outer = new IllegalStateException("outer");
        IOException inner = new IOException("inner", outer);
        outer.initCause(inner);
        assertThat(Causes.of(outer)).hasSize(32).startsWith(outer, inner, outer);
        assertThat(Causes.find(outer, IOException.class)).isSameAs(inner);
        assertThat(Causes.contains(outer, InterruptedException.class)).isFalse();
        assertThat(Causes.of(null)).isEmpty();
    }

    @Test
    void lruMapWhenFullDropsTheLeastRecentlyUsedEntry() {
        LruMap<String, Integer> map = new LruMap<>(2);
        assertThat(map.put("a", 1)).isNull();
        map.put("b", 2);
        assertThat(map.get("a")).isEqualTo(1);
        map.put("c", 3);
        assertThat(map.get("b")).isNull();
        assertThat(map.put("a", 4)).isEqualTo(1);
        assertThat(map.size()).isEqualTo(2);
        assertThat(map.remove("c")).isEqualTo(3);
        map.clear();
        assertThat(map.size()).isZero();
        assertThatIllegalArgumentException().isThrownBy(() -> new LruMap<>(0));
    }

    @Test
    void threadWhenVirtualIsRequestedIsVirtualWhereAvailable() throws Exception {
        AtomicReference<Thread> ran = new AtomicReference<>();
        Thread thread = Threads.create("some-name", () -> ran.set(Thread.currentThread()), true);
        assertThat(thread.getState()).isEqualTo(Thread.State.NEW);
        assertThat(thread.getName()).isEqualTo("some-name");
        assertThat(thread.isDaemon()).isTrue();
        thread.start();
        thread.join();
        assertThat(ran).hasValue(thread);
        assertThat(Threads.hasVirtual()).isEqualTo(Runtime.version().feature() >= 21);
        assertThat(thread.getClass() == Thread.class).isEqualTo(!Threads.hasVirtual());
        assertThat(Threads.create("x", () -> {}, false)).isExactlyInstanceOf(Thread.class);
    }

    @Test
    void joinWhenInterruptedWaitsAndRestoresTheFlag() {
        CountDownLatch release = new CountDownLatch(1);
        Thread thread = Threads.daemon("joined", () -> {
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.start();
        assertThat(Threads.join(thread, Duration.ofMillis(20))).isFalse();
        Thread.currentThread().interrupt();
        assertThat(Threads.join(thread, Duration.ofMillis(20))).isFalse();
        assertThat(Thread.interrupted()).isTrue();
        release.countDown();
        Thread.currentThread().interrupt();
        assertThat(Threads.join(thread, Duration.ofSeconds(30))).isTrue();
        assertThat(Thread.interrupted()).isTrue();
    }
}
