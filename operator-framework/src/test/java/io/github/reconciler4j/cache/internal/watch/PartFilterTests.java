package io.github.reconciler4j.cache.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.cache.PartitionKey;
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

class PartFilterTests {

    private static final KindInfo INFO = Scheme.create().kindOf(ConfigMap.class);
    private static final Partition FOUR = Partition.of(4, Set.of());

    private static String selector(Partition parts, PartitionKey key) {
        return PartFilter.of(HeldParts.initial(parts), key, INFO).selector();
    }

    @Test
    void selectorWhenPartsAdjoinIsOneRange() {
        assertThat(selector(FOUR.withHeld(Set.of(1, 2)), PartitionKey.uid()))
                .isEqualTo("shardRange(object.metadata.uid, '0x4000000000000000', '0xc000000000000000')");
        assertThat(selector(Partition.of(3, Set.of(2)), PartitionKey.uid()))
                .isEqualTo("shardRange(object.metadata.uid, '0xaaaaaaaaaaaaaaab', '0x10000000000000000')");
    }

    @Test
    void selectorWhenPartsDoNotAdjoinIsAUnion() {
        assertThat(selector(FOUR.withHeld(Set.of(0, 2, 3)).withServerNamespaces(true), PartitionKey.namespace()))
                .isEqualTo("shardRange(object.metadata.namespace, '0x0000000000000000', '0x4000000000000000')"
                        + " || shardRange(object.metadata.namespace, '0x8000000000000000', '0x10000000000000000')");
    }

    @Test
    void selectorWhenNamespacesHaveBordersUsesThemForNamespacesOnly() {
        Partition two = FOUR.withNamespaceBorders(List.of(1L, 0xffL, -1L)).withHeld(Set.of(1, 3));
        assertThat(selector(two, PartitionKey.namespace()))
                .isEqualTo("shardRange(object.metadata.namespace, '0x0000000000000001', '0x00000000000000ff')"
                        + " || shardRange(object.metadata.namespace, '0xffffffffffffffff', '0x10000000000000000')");
        assertThat(selector(two, PartitionKey.uid())).contains("'0x4000000000000000', '0x8000000000000000'");
    }

    @Test
    void changeWhenBordersChangeIsForTimesWithoutParts() {
        Partition other = FOUR.withNamespaceBorders(List.of(1L, 2L, 3L));
        HeldParts before = HeldParts.initial(FOUR.withServerNamespaces(true).withHeld(Set.of(1)));
        assertThatThrownBy(() -> before.change(other)).hasMessageContaining("while parts [1] of 4 are held");
        HeldParts after = before.change(before.partition().withHeld(Set.of()))
                .change(other)
                .change(other.withHeld(Set.of(1)));
        assertThat(after.isKept(1, before)).isFalse();
        assertThat(after.gains(before)).isTrue();
    }

    @Test
    void selectorWhenServerCannotEvaluateTheKeyIsEmpty() {
        Partition one = FOUR.withHeld(Set.of(1));

        assertThat(selector(one, PartitionKey.namespace())).isEmpty();
        assertThat(selector(one, PartitionKey.owner())).isEmpty();
        assertThat(selector(one, PartitionKey.uidOf(header -> "x"))).isEmpty();
        assertThat(selector(one, PartitionKey.whole())).isEmpty();
        assertThat(selector(Partition.all(), PartitionKey.uid())).isEmpty();
    }

    @Test
    void selectorWhenPartsAreVeryScatteredSelectsMoreInFewRanges() {
        Set<Integer> even = IntStream.range(0, 100).map(i -> 2 * i).boxed().collect(Collectors.toSet());

        String selector = selector(Partition.of(200, even), PartitionKey.uid());

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

            String selector = selector(Partition.of(1024, held), PartitionKey.uid());

            assertThat(selector.split("\\|\\|")).as("" + narrowest).hasSize(32);
            assertThat(selector)
                    .contains(String.format("'0x%016x', '0x%016x'", (long) before << 54, (before + 6L) << 54));
        }
    }

    @Test
    void gainsWhenAPartWasLostInBetweenIsTrueAlthoughTheSameAreHeld() {
        HeldParts first = HeldParts.initial(FOUR.withHeld(Set.of(1, 2)));
        HeldParts again = first.change(FOUR.withHeld(Set.of(1))).change(FOUR.withHeld(Set.of(1, 2)));
        HeldParts less = first.change(FOUR.withHeld(Set.of(1)));
        PartFilter before = PartFilter.of(first, PartitionKey.uid(), INFO);

        assertThat(PartFilter.of(again, PartitionKey.uid(), INFO).gains("", before))
                .isTrue();
        assertThat(PartFilter.of(less, PartitionKey.uid(), INFO).gains("", before))
                .isFalse();
        assertThat(again.isKept(2, first)).isFalse();
        assertThat(again.isKept(1, first)).isTrue();
    }

    @Test
    void selectsNothingWhenTheNamespaceIsOfAnotherPartIsTrueForThatKeyOnly() {
        int part = FOUR.ofNamespace("a");
        HeldParts held = HeldParts.initial(FOUR.withHeld(Set.of(part)));
        String other = IntStream.range(0, 50)
                .mapToObj(i -> "n" + i)
                .filter(name -> FOUR.ofNamespace(name) != part)
                .findFirst()
                .orElseThrow();

        assertThat(PartFilter.of(held, PartitionKey.namespace(), INFO).selectsNothing("a"))
                .isFalse();
        assertThat(PartFilter.of(held, PartitionKey.namespace(), INFO).selectsNothing(other))
                .isTrue();
        assertThat(PartFilter.of(held, PartitionKey.uid(), INFO).selectsNothing(other))
                .isFalse();
        assertThat(PartFilter.of(HeldParts.initial(FOUR), PartitionKey.uid(), INFO)
                        .selectsNothing(""))
                .isTrue();
        assertThat(PartFilter.ALL.selectsNothing(other)).isFalse();
    }

    @Test
    void isFixedWhenThePartDependsOnWhatCanChangeIsFalse() {
        HeldParts held = HeldParts.initial(FOUR.withHeld(Set.of(1)));
        for (PartitionKey key : List.of(PartitionKey.namespace(), PartitionKey.uid())) {
            assertThat(PartFilter.of(held, key, INFO).isFixed()).isTrue();
        }
        for (PartitionKey key : List.of(
                PartitionKey.owner(),
                PartitionKey.uidOf(ObjectHeader::uid),
                PartitionKey.namespaceOf(ObjectHeader::uid))) {
            assertThat(PartFilter.of(held, key, INFO).isFixed()).isFalse();
        }
        assertThat(PartFilter.ALL.isFixed()).isTrue();
    }

    @Test
    void changeIsHigherAfterEachChange() {
        HeldParts first = HeldParts.initial(FOUR.withHeld(Set.of(1)));
        HeldParts second = first.change(FOUR.withHeld(Set.of(1, 2)));
        assertThat(second.change()).isGreaterThan(first.change());
        assertThat(PartFilter.of(second, PartitionKey.uid(), INFO).change()).isEqualTo(second.change());
    }

    @Test
    void changeWhenObjectsAreDividedInAnotherWayFails() {
        HeldParts held = HeldParts.initial(FOUR);

        assertThatThrownBy(() -> held.change(Partition.of(5, Set.of()))).hasMessageContaining("cannot be changed");
        assertThatThrownBy(() -> held.change(FOUR.withServerNamespaces(true)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
