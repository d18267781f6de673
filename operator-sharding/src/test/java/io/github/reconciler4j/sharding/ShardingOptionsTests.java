package io.github.reconciler4j.sharding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.sharding.ShardingOptions.Families;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardingOptionsTests {

    @Test
    void optionsWhenOnlyNamedHaveDefaults() {
        ShardingOptions options = ShardingOptions.named("shop");
        assertThat(options.name()).isEqualTo("shop");
        assertThat(options.shards()).isEqualTo(16);
        assertThat(options.families()).isEqualTo(Families.BY_NAMESPACE);
        assertThat(options.dividedClusters()).isTrue();
        assertThat(options.leaseNamespace()).isEmpty();
        assertThat(options.identity()).isEmpty();
        assertThat(options.timing()).isSameAs(LeaseTiming.defaults());
        assertThat(options.drainTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(options.namespaceReview()).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void optionsWhenOneIsChangedKeepTheOthers() {
        LeaseTiming timing = LeaseTiming.of(Duration.ofSeconds(4), Duration.ofSeconds(3), Duration.ofSeconds(1));
        ShardingOptions options = ShardingOptions.named("shop")
                .withShards(64)
                .withFamilies(Families.BY_OWNER)
                .withDividedClusters(false)
                .withLeaseNamespace("ops")
                .withIdentity("pod-1")
                .withTiming(timing)
                .withDrainTimeout(Duration.ZERO)
                .withNamespaceReview(Duration.ofHours(1));
        assertThat(options)
                .hasToString("ShardingOptions[name=shop, shards=64, families=BY_OWNER,"
                        + " dividedClusters=false, leaseNamespace=ops, identity=pod-1, timing=" + timing
                        + ", drainTimeout=PT0S, namespaceReview=PT1H]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "Shop", "shop_1", "-shop", "shop-", "shop.example"})
    void namedWhenNameCannotBeginTheNameOfALeaseIsRejected(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ShardingOptions.named(name))
                .withMessageContaining("'name' must consist of");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 4097})
    void withShardsWhenOutOfRangeIsRejected(int shards) {
        ShardingOptions options = ShardingOptions.named("shop");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options.withShards(shards))
                .withMessage("'shards' must be from 1 to 4096, was " + shards);
    }

    @Test
    void withDrainTimeoutWhenNegativeIsRejected() {
        ShardingOptions options = ShardingOptions.named("shop");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options.withDrainTimeout(Duration.ofSeconds(-1)))
                .withMessageContaining("'drainTimeout'");
    }

    @Test
    void withNamespaceReviewWhenNotPositiveIsRejected() {
        ShardingOptions options = ShardingOptions.named("shop");
        for (Duration interval : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> options.withNamespaceReview(interval))
                    .withMessageContaining("'namespaceReview' must be positive");
        }
    }
}
