package io.github.reconciler4j.controller;

import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.StartGroup;
import java.time.Duration;

/** Warms a controller up on every replica, so that the one that becomes leader works at once. */
final class WarmUp implements ManagedComponent {

    private final String controller;
    private final ControllerLifecycle<?> lifecycle;

    WarmUp(String controller, ControllerLifecycle<?> lifecycle) {
        this.controller = controller;
        this.lifecycle = lifecycle;
    }

    @Override
    public String name() {
        return controller + "-warm-up";
    }

    @Override
    public StartGroup group() {
        return StartGroup.ALL_REPLICAS;
    }

    @Override
    public void start() throws InterruptedException {
        lifecycle.warmUp();
    }

    @Override
    public void stop(Duration grace) {
        lifecycle.coolDown();
    }
}
