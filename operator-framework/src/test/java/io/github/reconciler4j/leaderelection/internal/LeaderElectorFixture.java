package io.github.reconciler4j.leaderelection.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.leaderelection.internal.LeaderElector.Environment;
import io.github.reconciler4j.leaderelection.internal.LeaderElector.Settings;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** Electors of one lease in memory, and what their listeners were notified of. */
@Timeout(120)
abstract class LeaderElectorFixture {

    /** No lease is lost because the machine is busy. */
    static final LeaderElectionOptions OPTIONS = LeaderElectionOptions.named("test-lease")
            .withTiming(LeaseTiming.of(Duration.ofSeconds(40), Duration.ofSeconds(30), Duration.ofMillis(100)));

    final FakeStore store = new FakeStore();
    final List<String> journal = new CopyOnWriteArrayList<>();
    final List<String> reasons = new CopyOnWriteArrayList<>();
    final List<LeaderElector> electors = new ArrayList<>();

    LeaderElector elector(String identity, LeadershipListener listener) {
        return elector(
                new Settings("", store, OPTIONS, identity, new Environment(listener, OperatorMetrics.NONE, () -> 0)));
    }

    LeaderElector elector(Settings settings) {
        LeaderElector elector = new LeaderElector(settings, TimeSource.system());
        electors.add(elector);
        return elector;
    }

    LeaderElector elector(String identity, TimeSource time) {
        LeaderElector elector = new LeaderElector(
                new Settings(
                        "",
                        store,
                        OPTIONS,
                        identity,
                        new Environment(recording(identity), OperatorMetrics.NONE, () -> 0)),
                time,
                () -> 0.5);
        electors.add(elector);
        return elector;
    }

    LeaderElector elector(String identity) {
        return elector(identity, recording(identity));
    }

    LeadershipListener recording(String identity) {
        return new LeadershipListener() {
            @Override
            public void elected(String lease) {
                journal.add(identity + " elected");
            }

            @Override
            public void lost(String lease, String reason) {
                journal.add(identity + " lost");
                reasons.add(reason);
            }

            @Override
            public void newLeader(String lease, String holder) {
                journal.add(identity + " saw " + holder);
            }
        };
    }

    static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(5));
    }

    @AfterEach
    void close() {
        electors.forEach(elector -> elector.close(false));
        assertThat(threads()).isEmpty();
    }

    /** The threads of electors that have not ended. */
    static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("leader-elector-test-lease"))
                .toList();
    }

    static Thread thread() {
        assertThat(threads()).hasSize(1);
        return threads().get(0);
    }

    void steal() {
        Instant acquired = store.record().orElseThrow().acquireTime();
        store.overwrite(new LeaseRecord("thief", new LeaseRecord.Term(1, 7), acquired, Instant.EPOCH));
    }

    String holder() {
        return store.record().map(LeaseRecord::holder).orElse("none");
    }
}
