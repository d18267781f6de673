package io.github.reconciler4j.cache.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.cache.CachedShards;
import io.github.reconciler4j.cache.ShardKey;
import io.github.reconciler4j.cache.internal.json.HeaderReader;
import io.github.reconciler4j.cache.internal.json.MutableHeader;
import io.github.reconciler4j.cache.internal.json.StringInterner;
import io.github.reconciler4j.cache.internal.storage.BodyForm;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which objects a filter selects, keeps and gains. */
class ShardSelectionTests {

    private static final int COUNT = 1000;
    private static final CachedShards SHARDS = CachedShards.of(COUNT, Set.of());
    private static final KindInfo MAPS = new KindInfo(KindName.of("v1", "ConfigMap"), "configmaps", true);
    private static final KindInfo NODES = new KindInfo(KindName.of("v1", "Node"), "nodes", false);
    private static final String OWNED = "{'name':'x','namespace':'a','uid':'own','ownerReferences':["
            + "{'apiVersion':'v1','kind':'Pod','name':'o','uid':'user'},"
            + "{'apiVersion':'v1','kind':'Pod','name':'p','uid':'controller','controller':true}]}";
    private static final String FREE = "{'name':'x','namespace':'a','uid':'own'}";
    private static final String NODE = "{'name':'x','uid':'own'}";

    private static MutableHeader header(String metadata) {
        byte[] json = metadata.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        try {
            return new HeaderReader(new StringInterner()).read(json, 0, json.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Entry entry(String metadata) {
        return new Entry(header(metadata), "{}".getBytes(StandardCharsets.UTF_8), BodyForm.PLAIN);
    }

    private static ShardFilter holding(int shard, ShardKey key, KindInfo info) {
        return ShardFilter.of(HeldShards.initial(SHARDS.withHeld(Set.of(shard))), key, info);
    }

    private static void assertShard(int shard, ShardKey key, KindInfo info, String metadata) {
        ShardFilter filter = holding(shard, key, info);
        assertThat(filter.shard(entry(metadata))).isEqualTo(shard).isPositive();
        assertThat(filter.selects(header(metadata))).isTrue();
        assertThat(filter.selects(entry(metadata))).isTrue();
        ShardFilter other = holding((shard + 1) % COUNT, key, info);
        assertThat(other.selects(header(metadata))).isFalse();
        assertThat(other.selects(entry(metadata))).isFalse();
    }

    @Test
    void selectsWhatTheKeyPutsIntoAHeldShard() {
        assertShard(SHARDS.ofNamespace("a"), ShardKey.namespace(), MAPS, FREE);
        assertShard(SHARDS.ofNamespace("x"), ShardKey.namespace(), NODES, NODE);
        assertShard(SHARDS.ofUid("own"), ShardKey.uid(), MAPS, FREE);
        assertShard(SHARDS.ofUid("own"), ShardKey.owner(), MAPS, FREE);
        assertShard(SHARDS.ofUid("controller"), ShardKey.owner(), MAPS, OWNED);
        assertShard(SHARDS.ofNamespace("mapped"), ShardKey.namespaceOf(header -> "mapped"), MAPS, FREE);
        assertShard(SHARDS.ofUid("mapped"), ShardKey.uidOf(header -> "mapped"), MAPS, FREE);
    }

    @Test
    void selectsWhenTheFunctionHasNoResultIsByTheObjectItself() {
        Map<String, String> none = Map.of();
        Function<ObjectHeader, String> nothing = header -> none.get("nothing");
        assertShard(SHARDS.ofNamespace("a"), ShardKey.namespaceOf(nothing), MAPS, FREE);
        assertShard(SHARDS.ofNamespace("x"), ShardKey.namespaceOf(nothing), NODES, NODE);
        assertShard(SHARDS.ofUid("own"), ShardKey.uidOf(nothing), MAPS, FREE);
    }

    @Test
    void selectsWhenTheFunctionFailsIsByTheObjectItselfAndIsLogged() {
        ShardKey failing = ShardKey.uidOf(header -> {
            Thread.currentThread().interrupt();
            throw new IllegalCallerException("on purpose");
        });
        try (CapturedLog log = CapturedLog.of(ShardFilter.class.getName())) {
            assertShard(SHARDS.ofUid("own"), failing, MAPS, FREE);
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("The shard key of ConfigMap a/x failed: java.lang.IllegalCallerException");
        }
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void allSelectsAndKeepsEverythingAndGainsNothing() {
        ShardFilter before = holding(1, ShardKey.uid(), MAPS);
        assertThat(ShardFilter.ALL.selects(header(FREE))).isTrue();
        assertThat(ShardFilter.ALL.selects(entry(FREE))).isTrue();
        assertThat(ShardFilter.ALL.keeps(entry(FREE), before)).isTrue();
        assertThat(ShardFilter.ALL.gains("", before)).isFalse();
        assertThat(before.keeps(entry(FREE), ShardFilter.ALL)).isFalse();
        assertThat(before.gains("", ShardFilter.ALL)).isTrue();
    }

    @Test
    void keepsWhenTheShardWasHeldThroughoutIsTrue() {
        int shard = SHARDS.ofUid("own");
        int other = (shard + 1) % COUNT;
        HeldShards first = HeldShards.initial(SHARDS.withHeld(Set.of(shard)));
        ShardFilter before = ShardFilter.of(first, ShardKey.uid(), MAPS);
        HeldShards more = first.change(SHARDS.withHeld(Set.of(shard, other)));
        HeldShards lost = first.change(SHARDS.withHeld(Set.of(other)));
        assertThat(ShardFilter.of(more, ShardKey.uid(), MAPS).keeps(entry(FREE), before))
                .isTrue();
        assertThat(ShardFilter.of(lost, ShardKey.uid(), MAPS).keeps(entry(FREE), before))
                .isFalse();
    }

    @Test
    void gainsWhenTheKeyIsTheNamespaceIsAboutItsShardAlone() {
        int shard = SHARDS.ofNamespace("a");
        String other = IntStream.range(0, 50)
                .mapToObj(i -> "n" + i)
                .filter(name -> SHARDS.ofNamespace(name) != shard)
                .findFirst()
                .orElseThrow();
        HeldShards first = HeldShards.initial(SHARDS);
        ShardFilter before = ShardFilter.of(first, ShardKey.namespace(), MAPS);
        HeldShards next = first.change(SHARDS.withHeld(Set.of(shard)));
        ShardFilter now = ShardFilter.of(next, ShardKey.namespace(), MAPS);
        assertThat(now.gains("a", before)).isTrue();
        assertThat(now.gains("", before)).isTrue();
        assertThat(now.gains(other, before)).isFalse();
        assertThat(ShardFilter.of(next, ShardKey.uid(), MAPS).gains(other, before))
                .as("objects of each namespace can be in the shard")
                .isTrue();
    }
}
