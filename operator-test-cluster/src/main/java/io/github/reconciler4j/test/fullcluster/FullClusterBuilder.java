package io.github.reconciler4j.test.fullcluster;

import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.KubernetesServerBuilder;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.fullcluster.internal.kubelet.RestartBackoff;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link FullCluster}. Each method changes this builder and returns it. For use by one thread, and for one cluster.
 *
 * <!-- snippet: ClusterUseTests -->
 * <pre>{@code
 * FullCluster cluster = FullCluster.builder()
 *         .nodes(3)
 *         .controllers("*", "-endpoints")
 *         .restartBackoff(Duration.ofMillis(100), Duration.ofSeconds(1))
 *         .start();
 * }</pre>
 *
 * @since 0.1.0
 */
public final class FullClusterBuilder {

    KubernetesServerBuilder server = KubernetesServer.builder();
    List<String> controllers = List.of(TestCluster.FULL);
    int nodes = 1;
    RestartBackoff backoff = RestartBackoff.KUBELET;

    @Nullable
    TimeSource time;

    FullClusterBuilder() {}

    /**
     * Set the controllers that run: names, {@link TestCluster#FULL} for all (the default), {@code -name} for all but one. The
     * scheduler, the kubelet and what binds volumes run unless they are excluded: {@code -scheduler}, {@code -kubelet},
     * {@code -volumes}.
     */
    public FullClusterBuilder controllers(String... selected) {
        controllers = List.of(selected);
        return this;
    }

    /**
     * Set the number of nodes that exist from the start: {@code node-1}, {@code node-2} and so on. Default 1.
     *
     * @throws IllegalArgumentException if the number is negative
     */
    public FullClusterBuilder nodes(int number) {
        if (number < 0) {
            throw new IllegalArgumentException("'nodes' must not be negative, was " + number);
        }
        nodes = number;
        return this;
    }

    /**
     * Set the clock of timestamps, for the server and the controllers. Default the system clock. Delays use real time; to change
     * them too, set the {@link #timeSource}.
     */
    public FullClusterBuilder clock(Clock clock) {
        server.clock(Objects.requireNonNull(clock, "clock"));
        return this;
    }

    /** Set the clock of timestamps and of delays of the controllers, which a test advances. Default that of the system. */
    public FullClusterBuilder timeSource(TimeSource newTime) {
        time = Objects.requireNonNull(newTime, "time");
        return clock(newTime.withZone(ZoneOffset.UTC));
    }

    /**
     * Set the delays between restarts of a container that ends: the first restart is immediate, the second waits for the initial
     * delay, and each later one twice as long as the one before. Default 10 seconds and 5 minutes, as on a real cluster.
     *
     * @throws IllegalArgumentException if the initial delay is not positive or longer than the longest
     */
    public FullClusterBuilder restartBackoff(Duration initial, Duration max) {
        if (initial.isNegative() || initial.isZero() || initial.compareTo(max) > 0) {
            throw new IllegalArgumentException(
                    "'restartBackoff' must be positive and grow, was " + initial + " to " + max);
        }
        backoff = new RestartBackoff(initial, max);
        return this;
    }

    /** Set the builder of the server, for all its settings. Call this before the other methods. */
    public FullClusterBuilder server(KubernetesServerBuilder newServer) {
        server = Objects.requireNonNull(newServer, "server");
        return this;
    }

    /**
     * Start the server and the controllers, and return when their caches are filled.
     *
     * @throws IllegalArgumentException if there is no controller of a name; the message lists the names
     * @throws IllegalStateException if {@code reconciler4j-test-server} is not on the class path
     */
    public FullCluster start() {
        return FullCluster.start(this);
    }
}
