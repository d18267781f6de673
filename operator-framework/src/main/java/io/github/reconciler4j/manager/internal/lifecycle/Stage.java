package io.github.reconciler4j.manager.internal.lifecycle;

import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.StartGroup;
import java.time.Duration;

/** The steps of the start, in order: the public groups, and what the manager itself does between them. */
public enum Stage {
    /** Servers and probes, so that they respond while everything else starts. */
    SERVERS,
    /** The API server responds. */
    API_SERVER,
    /** The permissions of the operator are checked. */
    PREFLIGHT,
    /** Webhooks start before any cache: the API server may need them to answer a list request. */
    WEBHOOKS,
    /** The caches are synced. */
    CACHES,
    /** Components that run on every replica. */
    ALL_REPLICAS,
    /** Components that run under a lease. */
    LEADER_ELECTED;

    public static Stage of(StartGroup group) {
        return valueOf(group.name());
    }

    /** What a step does. */
    public interface Action {
        /** Do it. */
        void run() throws Exception;
    }

    /** A step of the start of the manager itself. */
    public record Step(String name, Stage stage, Action onStart, Runnable onStop)
            implements ManagedComponent, ComponentRunner.InStage {
        @Override
        public StartGroup group() {
            return stage == Stage.CACHES ? StartGroup.CACHES : StartGroup.SERVERS;
        }

        @Override
        public void start() throws Exception {
            onStart.run();
        }

        @Override
        public void stop(Duration grace) {
            onStop.run();
        }
    }
}
