package io.github.reconciler4j.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.client.ListOptions;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardTests {

    @Test
    void selectorNamesTheRangeInTheWordsOfTheServer() {
        assertThat(new Shard(0, 1).selector())
                .isEqualTo("shardRange(object.metadata.uid, '0x0000000000000000', '0x10000000000000000')");
        assertThat(new Shard(1, 2).selector())
                .isEqualTo("shardRange(object.metadata.uid, '0x8000000000000000', '0x10000000000000000')");
        assertThat(new Shard(0, 3).selector())
                .isEqualTo("shardRange(object.metadata.uid, '0x0000000000000000', '0x5555555555555555')");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void containsWhenPartsAreTakenTogetherHoldsForExactlyOneEach(int count) {
        for (int i = 0; i < 500; i++) {
            String uid = new UUID(i, i * 31L).toString();
            assertThat(IntStream.range(0, count).filter(part -> new Shard(part, count).contains(uid)))
                    .hasSize(1);
        }
    }

    @Test
    void createWhenThereIsNoSuchPartFails() {
        assertThatThrownBy(() -> new Shard(2, 2)).hasMessageContaining("was 2 of 2");
        assertThatThrownBy(() -> new Shard(0, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void cacheWhenServerDoesNotKnowShardsKeepsItsPartOnly() {
        for (int part = 0; part < 2; part++) {
            try (ServedCache served = new ServedCache()) {
                Shard shard = new Shard(part, 2);
                served.open(KindCacheOptions.defaults()
                                .withSelector(ObjectSelector.everything().withShard(shard)))
                        .start();
                served.names(ListOptions.all());
                long expected = IntStream.range(0, 30)
                        .filter(i -> shard.contains(served.configMap("default", "shard-" + i)
                                .getMetadata()
                                .getUid()))
                        .count();
                ServedCache.until(
                        "objects",
                        () -> served.names(ListOptions.inNamespace("default")).stream()
                                        .filter(name -> name.contains("shard-"))
                                        .count()
                                == expected);
                assertThat(expected).isBetween(1L, 29L);
            }
        }
    }
}
