package io.github.reconciler4j.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionTests {

    private static final int TEXTS = 3000;

    private static long largest(int count, ToIntFunction<Integer> partOf) {
        long[] sizes = new long[count];
        for (int i = 0; i < TEXTS; i++) {
            sizes[partOf.applyAsInt(i)]++;
        }
        return Arrays.stream(sizes).max().orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 64})
    void ofUidAndOfNamespaceWhenTextsAreAlikeDivideThemEvenly(int count) {
        Partition parts = Partition.of(count, Set.of());
        long bound = 2 * TEXTS / count;

        assertThat(largest(count, i -> parts.ofUid(new UUID(i * 7919L, i).toString())))
                .isBetween((long) TEXTS / count, bound);
        assertThat(largest(count, i -> parts.ofNamespace("team-" + i))).isBetween((long) TEXTS / count, bound);
    }

    @Test
    void ofNamespaceWhenServerHashesPutsNamesThatDifferAtTheEndTogether() {
        Partition parts = Partition.of(16, Set.of()).withServerNamespaces(true);

        assertThat(largest(16, i -> parts.ofNamespace("team-1" + i % 10))).isEqualTo(TEXTS);
        assertThat(parts.ofNamespace("default")).isEqualTo(parts.ofUid("default"));
    }

    private static List<String> teams(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> "team-" + i).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 16, 64})
    void withEvenNamespacesWhenNamesDifferAtTheEndDividesThemEvenly(int count) {
        Partition parts = Partition.of(count, Set.of()).withEvenNamespaces(teams(TEXTS));

        assertThat(largest(count, i -> parts.ofNamespace("team-" + (i + 1)))).isEqualTo((TEXTS + count - 1) / count);
        assertThat(parts.serverNamespaces()).isTrue();
        assertThat(Partition.of(count, Set.of()).withNamespaceBorders(parts.namespaceBorders()))
                .isEqualTo(parts);
    }

    @Test
    void withEvenNamespacesWhenThereAreFewerThanPartsDividesTheRestAsWell() {
        Partition none = Partition.of(64, Set.of()).withEvenNamespaces(List.of());
        Partition equal = Partition.of(64, Set.of()).withServerNamespaces(true);
        assertThat(teams(TEXTS)).allMatch(team -> none.ofNamespace(team) == equal.ofNamespace(team));
        Partition few = Partition.of(64, Set.of()).withEvenNamespaces(teams(20));
        assertThat(largest(64, i -> few.ofNamespace("team-" + (i % 20 + 1)))).isLessThanOrEqualTo(2 * TEXTS / 20);
        assertThat(few.namespaceBorders()).hasSize(63).doesNotHaveDuplicates();
    }

    @Test
    void lowestHashIsThatOfTheFirstNamespaceOfAPart() {
        Partition parts = Partition.of(3, Set.of()).withNamespaceBorders(List.of(0x10L, -2L));
        assertThat(parts.lowestHash(0)).isZero();
        assertThat(parts.lowestHash(1)).isEqualTo(0x10);
        assertThat(parts.lowestHash(2)).isEqualTo(-2);
        assertThat(Partition.of(3, Set.of()).lowestHash(2)).isEqualTo(0xaaaaaaaaaaaaaaabL);
    }

    @Test
    void withNamespaceBordersWhenTheyAreNotThoseOfSoManyPartsFails() {
        Partition three = Partition.of(3, Set.of(1));
        assertThat(three.withNamespaceBorders(List.of(1L, -1L)).held()).containsExactly(1);
        for (List<Long> borders : List.of(
                List.<Long>of(),
                List.of(1L),
                List.of(1L, 1L),
                List.of(-1L, 1L),
                List.of(0L, 1L),
                List.of(1L, 2L, 3L))) {
            assertThatThrownBy(() -> three.withNamespaceBorders(borders))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'borders' must be 2 ascending numbers");
        }
    }

    @Test
    void ofUidReturnsThePartOfTheRangeOfTheHash() {
        // printf '' and 'a': FNV-1a is 0xcbf29ce484222325 and 0xaf63dc4c8601ec8c
        assertThat(Partition.of(16, Set.of()).ofUid("")).isEqualTo(0xc);
        assertThat(Partition.of(256, Set.of()).ofUid("a")).isEqualTo(0xaf);
        assertThat(Partition.of(3, Set.of()).ofUid("a")).isEqualTo(2);
    }

    @Test
    void createWhenANumberIsOutOfRangeFails() {
        assertThatThrownBy(() -> Partition.of(0, Set.of())).hasMessageContaining("'count' must be at least 1");
        assertThatThrownBy(() -> Partition.of(2, Set.of(2))).hasMessageContaining("was 2 of 2");
        assertThatThrownBy(() -> Partition.of(2, Set.of(0)).withHeld(Set.of(-1)))
                .hasMessageContaining("was -1 of 2");
    }

    @Test
    void equalsWhenPartsHashOrCountDifferIsFalse() {
        Partition parts = Partition.of(4, Set.of(1, 3));

        assertThat(parts).isEqualTo(Partition.of(4, Set.of(3, 1))).hasToString("parts [1, 3] of 4");
        assertThat(parts.withHeld(Set.of(1, 3))).isEqualTo(parts).hasSameHashCodeAs(parts);
        assertThat(parts)
                .isNotEqualTo(parts.withServerNamespaces(true))
                .isNotEqualTo(parts.withEvenNamespaces(List.of()))
                .isNotEqualTo(Partition.of(5, Set.of(1, 3)))
                .isNotEqualTo(parts.withHeld(Set.of(1)));
        assertThat(parts.held()).containsExactly(1, 3);
        assertThat(parts.isHeld(3)).isTrue();
        assertThat(parts.isHeld(2)).isFalse();
    }
}
