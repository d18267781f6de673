package io.github.reconciler4j.manager;

import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.manager.ComponentState.State;
import io.github.reconciler4j.manager.internal.lifecycle.Lifecycle;
import io.github.reconciler4j.manager.internal.lifecycle.LifecycleHooks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** A lifecycle of components that write down when they start and stop, on a clock that the test turns. */
@Timeout(120)
abstract class LifecycleFixture {

    final ManualTimeSource time = new ManualTimeSource();
    final List<String> journal = new CopyOnWriteArrayList<>();
    final RecordingHooks hooks = new RecordingHooks();
    Lifecycle lifecycle = lifecycle(LifecycleOptions.defaults());

    Lifecycle lifecycle(LifecycleOptions options) {
        return new Lifecycle("test", options, time, hooks);
    }

    final class RecordingHooks implements LifecycleHooks {
        final AtomicReference<Boolean> released = new AtomicReference<>();
        boolean leadAtOnce = true;

        @Override
        public void campaign() {
            journal.add("campaign");
            if (leadAtOnce) {
                lifecycle.lead("");
            }
        }

        @Override
        public void stopping() {
            journal.add("stopping");
        }

        @Override
        public void stopped(boolean allEnded) {
            journal.add("stopped");
            released.set(allEnded);
        }
    }

    @AfterEach
    void stop() {
        lifecycle.stop();
    }

    FakeComponent component(String name, StartGroup group) {
        return new FakeComponent(name, group, journal);
    }

    void add(FakeComponent component) {
        lifecycle.add(List.of(component));
    }

    FakeComponent added(String name, StartGroup group) {
        FakeComponent component = component(name, group);
        add(component);
        return component;
    }

    static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(2));
    }

    ComponentState status(String name) {
        return lifecycle.statuses().stream()
                .filter(status -> status.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    void awaitState(String name, State state) {
        await(name + " is " + state).until(() -> status(name).state() == state);
    }

    static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
