package io.github.reconciler4j.test.fullcluster;

/**
 * A rule of {@link ClusterPods} that applies until it is closed. Safe for use by multiple threads.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ActiveRule extends AutoCloseable {

    /** End the rule. Pods that it held up continue. Closing it again has no effect. */
    @Override
    void close();
}
