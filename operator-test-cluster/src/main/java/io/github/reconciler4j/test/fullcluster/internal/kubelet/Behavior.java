package io.github.reconciler4j.test.fullcluster.internal.kubelet;

import org.jspecify.annotations.Nullable;

/**
 * How a container behaves.
 *
 * @param isPullable whether its image can be pulled
 * @param exitCode with which code it ends as soon as it runs; null if it keeps running
 * @param isReady whether it is ready while it runs
 * @param ignoresTermination whether it runs on until the grace period of a deletion is over
 */
record Behavior(boolean isPullable, @Nullable Integer exitCode, boolean isReady, boolean ignoresTermination) {

    /** A container that becomes ready and runs. */
    static final Behavior RUNS = new Behavior(true, null, true, false);

    Behavior withPullable(boolean pullable) {
        return new Behavior(pullable, exitCode, isReady, ignoresTermination);
    }

    Behavior withExitCode(@Nullable Integer code) {
        return new Behavior(isPullable, code, isReady, ignoresTermination);
    }

    Behavior withReady(boolean ready) {
        return new Behavior(isPullable, exitCode, ready, ignoresTermination);
    }

    Behavior withIgnoresTermination(boolean ignores) {
        return new Behavior(isPullable, exitCode, isReady, ignores);
    }
}
