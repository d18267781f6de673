package io.github.reconciler4j.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.fixtures.RecordingSink;
import io.github.reconciler4j.fixtures.RecordingSink.Added;
import io.github.reconciler4j.fixtures.TestHeader;
import io.github.reconciler4j.fixtures.TestInformer;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.reconcile.Trigger.Change;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ResyncSourceTests {

    private static final TestHeader A = TestHeader.of("default", "a");

    private final TestInformer<String> informer =
            new TestInformer<>(new KindInfo(KindName.of("v1", "Pod"), "pods", true));
    private final RecordingSink<Request> target = new RecordingSink<>();

    /** An object that fails the test when it is decoded. */
    private record Undecoded(ObjectHeader header) implements ObjectSnapshot<String> {
        @Override
        public String object() {
            throw new AssertionError("decoded");
        }
    }

    @Test
    void objectsAreEnqueuedPeriodicallyWithLowPriorityUntilClosed() throws Exception {
        informer.hold(new Undecoded(A));
        informer.sync();
        RequestSource.Running running =
                ResyncSource.every(Duration.ofMillis(5), informer).start(target);
        await("two rounds")
                .atMost(Duration.ofSeconds(30))
                .until(() -> target.added().size() >= 2);
        running.close();
        assertThat(target.added())
                .contains(new Added<>(
                        new Request("default", "a"),
                        Duration.ZERO,
                        -100,
                        Trigger.of("Pod.v1 resync", A.key(), Change.RESYNC)));
        await("no thread")
                .atMost(Duration.ofSeconds(30))
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("controller-" + target.name() + "-resync")));
    }

    @Test
    void periodWhenNotPositiveIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ResyncSource.every(Duration.ZERO, informer))
                .withMessageContaining("'period'");
    }
}
