package io.github.reconciler4j.cache.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.CachedShards;
import io.github.reconciler4j.cache.ShardKey;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.Scheme;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShardFilterTests {

    private static final KindInfo INFO = Scheme.create().kindOf(ConfigMap.class);
    private static final CachedShards FOUR = CachedShards.of(4, Set.of());

    private static String selector(CachedShards shards, ShardKey key) {
        return ShardFilter.of(HeldShards.initial(shards), key, INFO).selector();
    }

    @Test
    void selectorWhenShardsAdjoinIsOneRange() {
        assertThat(selector(FOUR.withHeld(Set.of(1, 2)), ShardKey.uid()))
                .isEqualTo("shardRange(object.metadata.uid, '0x4000000000000000', '0xc000000000000000')");
        assertThat(selector(CachedShards.of(3, Set.of(2)), ShardKey.uid()))
                .isEqualTo("shardRange(object.metadata.uid, '0xaaaaaaaaaaaaaaab', '0x10000000000000000')");
    }

    @Test
    void selectorWhenShardsDoNotAdjoinIsAUnion() {
        assertThat(selector(FOUR.withHeld(Set.of(0, 2, 3)).withServerNamespaces(true), ShardKey.namespace()))
                .isEqualTo("shardRange(object.metadata.namespace, '0x0000000000000000', '0x4000000000000000')"
                        + " || shardRange(object.metadata.namespace, '0x8000000000000000', '0x10000000000000000')");
    }

    @Test
    void selectorWhenNamespacesHaveBordersUsesThemForNamespacesOnly() {
        CachedShards two = FOUR.withNamespaceBorders(List.of(1L, 0xffL, -1L)).withHeld(Set.of(1, 3));
        assertThat(selector(two, ShardKey.namespace()))
                .isEqualTo("shardRange(object.metadata.namespace, '0x0000000000000001', '0x00000000000000ff')"
                        + " || shardRange(object.metadata.namespace, '0xffffffffffffffff', '0x10000000000000000')");
        assertThat(selector(two, ShardKey.uid())).contains("'0x4000000000000000', '0x8000000000000000'");
    }

    @Test
    void changeWhenBordersChangeIsForTimesWithoutShards() {
        CachedShards other = FOUR.withNamespaceBorders(List.of(1L, 2L, 3L));
        HeldShards before = HeldShards.initial(FOUR.withServerNamespaces(true).withHeld(Set.of(1)));
        assertThatThrownBy(() -> before.change(other)).hasMessageContaining("while shards [1] of 4 are held");
        HeldShards after =
                before.change(before.shards().withHeld(Set.of())).change(other).change(other.withHeld(Set.of(1)));
        assertThat(after.isKept(1, before)).isFalse();
        assertThat(after.gains(before)).isTrue();
    }

    @Test
    void selectorWhenServerCannotEvaluateTheKeyIsEmpty() {
        CachedShards one = FOUR.withHeld(Set.of(1));

        assertThat(selector(one, ShardKey.namespace())).isEmpty();
        assertThat(selector(one, ShardKey.owner())).isEmpty();
        assertThat(selector(one, ShardKey.uidOf(header -> "x"))).isEmpty();
        assertThat(selector(one, ShardKey.whole())).isEmpty();
        assertThat(selector(CachedShards.all(), ShardKey.uid())).isEmpty();
    }

    @Test
    void selectorWhenShardsAreVeryScatteredSelectsMoreInFewRanges() {
        Set<Integer> even = IntStream.range(0, 100).map(i -> 2 * i).boxed().collect(Collectors.toSet());

        String selector = selector(CachedShards.of(200, even), ShardKey.uid());

        assertThat(selector.split("\\|\\|")).hasSize(32);
        assertThat(URLEncoder.encode(selector, StandardCharsets.UTF_8))
                .as("proxies accept addresses of 8 KB")
                .hasSizeLessThan(4096);
        assertThat(selector).startsWith("shardRange(object.metadata.uid, '0x0000000000000000'");
    }

    @Test
    void selectorWhenThereIsOneRangeTooManyClosesTheNarrowestGap() {
        for (int narrowest : new int[] {1, 2, 16, 32}) {
            Set<Integer> held = new TreeSet<>(Set.of(0));
            int last = 0;
            for (int i = 1; i <= 32; i++) {
                int next = last + (i == narrowest ? 5 : 10);
                held.add(next);
                last = next;
            }
            int before = (narrowest - 1) * 10;

            String selector = selector(CachedShards.of(1024, held), ShardKey.uid());

            assertThat(selector.split("\\|\\|")).as("" + narrowest).hasSize(32);
            assertThat(selector)
                    .contains(String.format("'0x%016x', '0x%016x'", (long) before << 54, (before + 6L) << 54));
        }
    }

    @Test
    void gainsWhenAShardWasLostInBetweenIsTrueAlthoughTheSameAreHeld() {
        HeldShards first = HeldShards.initial(FOUR.withHeld(Set.of(1, 2)));
        HeldShards again = first.change(FOUR.withHeld(Set.of(1))).change(FOUR.withHeld(Set.of(1, 2)));
        HeldShards less = first.change(FOUR.withHeld(Set.of(1)));
        ShardFilter before = ShardFilter.of(first, ShardKey.uid(), INFO);

        assertThat(ShardFilter.of(again, ShardKey.uid(), INFO).gains("", before))
                .isTrue();
        assertThat(ShardFilter.of(less, ShardKey.uid(), INFO).gains("", before)).isFalse();
        assertThat(again.isKept(2, first)).isFalse();
        assertThat(again.isKept(1, first)).isTrue();
    }

    @Test
    void selectsNothingWhenTheNamespaceIsOfAnotherShardIsTrueForThatKeyOnly() {
        int shard = FOUR.ofNamespace("a");
        HeldShards held = HeldShards.initial(FOUR.withHeld(Set.of(shard)));
        String other = IntStream.range(0, 50)
                .mapToObj(i -> "n" + i)
                .filter(name -> FOUR.ofNamespace(name) != shard)
                .findFirst()
                .orElseThrow();

        assertThat(ShardFilter.of(held, ShardKey.namespace(), INFO).selectsNothing("a"))
                .isFalse();
        assertThat(ShardFilter.of(held, ShardKey.namespace(), INFO).selectsNothing(other))
                .isTrue();
        assertThat(ShardFilter.of(held, ShardKey.uid(), INFO).selectsNothing(other))
                .isFalse();
        assertThat(ShardFilter.of(HeldShards.initial(FOUR), ShardKey.uid(), INFO)
                        .selectsNothing(""))
                .isTrue();
        assertThat(ShardFilter.ALL.selectsNothing(other)).isFalse();
    }

    @Test
    void isFixedWhenTheShardDependsOnWhatCanChangeIsFalse() {
        HeldShards held = HeldShards.initial(FOUR.withHeld(Set.of(1)));
        for (ShardKey key : List.of(ShardKey.namespace(), ShardKey.uid())) {
            assertThat(ShardFilter.of(held, key, INFO).isFixed()).isTrue();
        }
        for (ShardKey key :
                List.of(ShardKey.owner(), ShardKey.uidOf(ObjectHeader::uid), ShardKey.namespaceOf(ObjectHeader::uid))) {
            assertThat(ShardFilter.of(held, key, INFO).isFixed()).isFalse();
        }
        assertThat(ShardFilter.ALL.isFixed()).isTrue();
    }

    @Test
    void changeIsHigherAfterEachChange() {
        HeldShards first = HeldShards.initial(FOUR.withHeld(Set.of(1)));
        HeldShards second = first.change(FOUR.withHeld(Set.of(1, 2)));
        assertThat(second.change()).isGreaterThan(first.change());
        assertThat(ShardFilter.of(second, ShardKey.uid(), INFO).change()).isEqualTo(second.change());
    }

    @Test
    void changeWhenObjectsAreDividedInAnotherWayFails() {
        HeldShards held = HeldShards.initial(FOUR);

        assertThatThrownBy(() -> held.change(CachedShards.of(5, Set.of()))).hasMessageContaining("cannot be changed");
        assertThatThrownBy(() -> held.change(FOUR.withServerNamespaces(true)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
