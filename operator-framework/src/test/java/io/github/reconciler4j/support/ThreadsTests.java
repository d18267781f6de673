package io.github.reconciler4j.support;

import static org.assertj.core.api.Assertions.assertThat;

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
}
