package io.github.reconciler4j.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ThreadsTests {

    private static Thread runOne(boolean virtual) throws Exception {
        AtomicReference<Thread> ran = new AtomicReference<>();
        Thread thread = Threads.create("some-name", () -> ran.set(Thread.currentThread()), virtual);
        thread.start();
        thread.join(30_000);
        assertThat(ran.get()).isSameAs(thread);
        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.getName()).isEqualTo("some-name");
        return thread;
    }

    @Test
    void createWhenPlatformIsWantedMakesOne() throws Exception {
        assertThat(runOne(false).getClass()).isEqualTo(Thread.class);
    }

    @Test
    void createWhenVirtualIsWantedMakesOneWhereTheJvmHasThem() throws Exception {
        assertThat(Threads.hasVirtual()).isEqualTo(Runtime.version().feature() >= 21);
        assertThat(runOne(true).getClass().equals(Thread.class)).isEqualTo(!Threads.hasVirtual());
    }

    @Test
    void repeatWhenStepAndReportFailRunsUntilTheStepEnds() {
        AtomicInteger steps = new AtomicInteger();
        List<Throwable> failures = new ArrayList<>();
        Threads.repeat(
                () -> switch (steps.incrementAndGet()) {
                    case 1 -> throw new InterruptedException("from outside");
                    case 2 -> throw new NoClassDefFoundError("code");
                    case 3 -> true;
                    default -> false;
                },
                failure -> {
                    failures.add(failure);
                    throw new NoClassDefFoundError("log");
                });
        assertThat(steps).hasValue(4);
        assertThat(failures).hasExactlyElementsOfTypes(InterruptedException.class, NoClassDefFoundError.class);
    }
}
