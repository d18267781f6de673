package io.github.reconciler4j.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.client.error.WriteRefusedException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class WriteScopeTests {

    private final WriteScope closed = WriteScope.of(() -> {
        throw new WriteRefusedException("closed");
    });

    @Test
    void currentWhenOutsideOfARunIsEmpty() {
        closed.run(() -> assertThat(WriteScope.current()).contains(closed));
        assertThat(WriteScope.current()).isEmpty();
    }

    @Test
    void runWhenNestedRestoresTheOuterScope() {
        closed.run(() -> {
            WriteScope.everywhere().run(() -> WriteScope.current().orElseThrow().check());
            assertThatThrownBy(() -> WriteScope.current().orElseThrow().check())
                    .isInstanceOf(WriteRefusedException.class);
        });
    }

    @Test
    void inheritWhenRunByAnotherThreadKeepsTheScope() throws Exception {
        AtomicReference<Optional<WriteScope>> seen = new AtomicReference<>();
        AtomicReference<Thread> thread = new AtomicReference<>();
        closed.run(() -> thread.set(new Thread(WriteScope.inherit(() -> seen.set(WriteScope.current())))));
        thread.get().start();
        thread.get().join();
        assertThat(seen.get()).contains(closed);
    }

    @Test
    void callWhenTaskThrowsRestoresTheScope() {
        assertThatThrownBy(() -> closed.call(() -> {
                    throw new java.io.IOException("task");
                }))
                .hasMessage("task");
        assertThat(WriteScope.current()).isEmpty();
    }

    @Test
    void callWhenTaskReturnsRunsItInTheScopeAndReturnsItsResult() throws Exception {
        assertThat(closed.call(WriteScope::current)).contains(closed);
    }
}
