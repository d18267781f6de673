package io.github.reconciler4j.test.fullcluster;

/**
 * A rule of {@link ClusterPods} that applies until it is closed. Safe for use by multiple threads.
 *
 * <!-- snippet: ClusterUseTests -->
 * <pre>{@code
 * ActiveRule unready = web.stayUnready();
 * cluster.client().resource(pod("web", "example.com/web:1")).create();
 * await().until(() -> phase(cluster).equals("Running"));
 * assertThat(isReady(cluster)).isFalse();
 *
 * unready.close(); // the pod becomes ready
 * }</pre>
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ActiveRule extends AutoCloseable {

    /** End the rule. Pods that it held up continue. Closing it again has no effect. */
    @Override
    void close();
}
