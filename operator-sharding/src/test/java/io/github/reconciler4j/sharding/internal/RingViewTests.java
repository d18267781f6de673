package io.github.reconciler4j.sharding.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.leaderelection.internal.LeaseRecord;
import io.github.reconciler4j.sharding.ShardingOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a replica may take part although there were replicas that divide objects in another way. */
class RingViewTests {

    private static final String FORMER = "16-by_owner-0";

    private final ManualTimeSource time = new ManualTimeSource();
    private final RingNames names = new RingNames(ShardingOptions.named("ring"), "keys");
    private final RingView view = new RingView(names, "me", time);
    private final LeaseRecord record = LeaseRecord.first("any", 15, time.instant());

    private ShardStore.Version lease(String identity, LeaseRecord content, String layout) {
        return new ShardStore.Version(names.replica(identity), content, new ShardStore.Marks(layout, false), "1");
    }

    @Test
    void agreeOnLayoutWhenAnotherHasExpiredWaitsUntilItWasDeclaredDead() {
        ShardStore.Version other = lease("other", record, FORMER);
        view.seeReplicas(List.of(other));
        time.advance(Duration.ofMinutes(1));
        view.seeReplicas(List.of(other, lease("me", record, names.layout())));

        assertThat(view.replicas()).filteredOn(view::isExpired).hasSize(1);
        assertThat(view.agreeOnLayout()).as("a renewal may be on its way").isFalse();

        view.seeReplica(lease("other", record.released(time.instant()), FORMER));
        assertThat(view.agreeOnLayout()).isTrue();
    }

    @Test
    void agreeOnLayoutWhenTheOwnLeaseDoesNotStateTheLayoutYetIsFalse() {
        assertThat(view.agreeOnLayout()).isFalse();
        view.seeReplicas(List.of(lease("me", record.released(time.instant()), FORMER)));
        assertThat(view.agreeOnLayout()).as("of a former process").isFalse();
        view.seeReplicas(List.of(lease("me", record.released(time.instant()), names.layout())));
        assertThat(view.agreeOnLayout()).as("not acquired").isFalse();
        view.seeReplicas(List.of(lease("me", record, names.layout())));
        assertThat(view.agreeOnLayout()).isTrue();
    }
}
