package io.github.reconciler4j.cluster;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.manager.Cluster;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is notified of which cluster, and in which order. */
@Timeout(60)
class ClusterRegistryTests {

    private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    private final ClusterRegistry registry = new ClusterRegistry(failures::add);

    private static Cluster cluster(String name) {
        Cluster cluster = mock(Cluster.class);
        when(cluster.name()).thenReturn(name);
        return cluster;
    }

    private final class Recorder implements ClusterListener {
        @Override
        public void joined(Cluster cluster) {
            calls.add("joined " + cluster.name());
        }

        @Override
        public void left(Cluster cluster) {
            calls.add("left " + cluster.name());
        }
    }

    @Test
    void listenerIsNotifiedOfClustersBeforeAndAfterIt() {
        registry.join(cluster("a"));
        registry.add(new Object(), new Recorder());
        registry.join(cluster("b"));
        assertThat(registry.leave("a")).isNotNull();
        assertThat(registry.leave("a")).isNull();
        assertThat(calls).containsExactly("joined a", "joined b", "left a");
        assertThat(registry.joined()).extracting(Cluster::name).containsExactly("b");
    }

    @Test
    void listenerWhenItWasRemovedIsNotNotified() {
        Recorder listener = new Recorder();
        registry.add(listener, listener);
        registry.join(cluster("a"));
        registry.remove(listener);
        registry.leave("a");
        registry.join(cluster("b"));
        assertThat(calls).containsExactly("joined a");
    }

    @Test
    void leaveWhileTheListenerIsStillJoiningIsDeliveredAfterwards() throws Exception {
        CountDownLatch joining = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        registry.add(new Object(), new ClusterListener() {
            @Override
            public void joined(Cluster cluster) {
                joining.countDown();
                awaitUninterruptibly(go);
                calls.add("joined");
            }

            @Override
            public void left(Cluster cluster) {
                calls.add("left");
            }
        });
        Thread joiner = new Thread(() -> registry.join(cluster("a")));
        joiner.start();
        joining.await();
        registry.leave("a");
        assertThat(calls).isEmpty();
        go.countDown();
        joiner.join();
        assertThat(calls).containsExactly("joined", "left");
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void listenerWhenItRemovesTheClusterThatJoinsLearnsThatItLeft() {
        registry.add(new Object(), new ClusterListener() {
            @Override
            public void joined(Cluster cluster) {
                calls.add("joined");
                registry.leave(cluster.name());
            }

            @Override
            public void left(Cluster cluster) {
                calls.add("left");
            }
        });
        registry.add(new Object(), new Recorder());
        registry.join(cluster("a"));
        assertThat(calls).containsExactly("joined", "left");
    }

    @Test
    void listenerWhenItThrowsIsLoggedAndAffectsNobodyElse() {
        registry.add(new Object(), new ClusterListener() {
            @Override
            public void joined(Cluster cluster) {
                throw new IllegalStateException("broken");
            }
        });
        registry.add(new Object(), new Recorder());
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j.cluster")) {
            registry.join(cluster("a"));
            assertThat(log.lines(Level.ERROR))
                    .singleElement(as(InstanceOfAssertFactories.STRING))
                    .contains("A listener failed when cluster a joined");
        }
        assertThat(calls).containsExactly("joined a");
        assertThat(failures).singleElement().isInstanceOf(IllegalStateException.class);
    }
}
