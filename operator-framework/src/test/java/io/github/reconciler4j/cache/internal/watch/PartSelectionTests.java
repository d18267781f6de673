package io.github.reconciler4j.cache.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.cache.PartitionKey;
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
class PartSelectionTests {

    private static final int COUNT = 1000;
    private static final Partition PARTS = Partition.of(COUNT, Set.of());
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

    private static PartFilter holding(int part, PartitionKey key, KindInfo info) {
        return PartFilter.of(HeldParts.initial(PARTS.withHeld(Set.of(part))), key, info);
    }

    private static void assertPart(int part, PartitionKey key, KindInfo info, String metadata) {
        PartFilter filter = holding(part, key, info);
        assertThat(filter.part(entry(metadata))).isEqualTo(part).isPositive();
        assertThat(filter.selects(header(metadata))).isTrue();
        assertThat(filter.selects(entry(metadata))).isTrue();
        PartFilter other = holding((part + 1) % COUNT, key, info);
        assertThat(other.selects(header(metadata))).isFalse();
        assertThat(other.selects(entry(metadata))).isFalse();
    }

    @Test
    void selectsWhatTheKeyPutsIntoAHeldPart() {
        assertPart(PARTS.ofNamespace("a"), PartitionKey.namespace(), MAPS, FREE);
        assertPart(PARTS.ofNamespace("x"), PartitionKey.namespace(), NODES, NODE);
        assertPart(PARTS.ofUid("own"), PartitionKey.uid(), MAPS, FREE);
        assertPart(PARTS.ofUid("own"), PartitionKey.owner(), MAPS, FREE);
        assertPart(PARTS.ofUid("controller"), PartitionKey.owner(), MAPS, OWNED);
        assertPart(PARTS.ofNamespace("mapped"), PartitionKey.namespaceOf(header -> "mapped"), MAPS, FREE);
        assertPart(PARTS.ofUid("mapped"), PartitionKey.uidOf(header -> "mapped"), MAPS, FREE);
    }

    @Test
    void selectsWhenTheFunctionHasNoResultIsByTheObjectItself() {
        Map<String, String> none = Map.of();
        Function<ObjectHeader, String> nothing = header -> none.get("nothing");
        assertPart(PARTS.ofNamespace("a"), PartitionKey.namespaceOf(nothing), MAPS, FREE);
        assertPart(PARTS.ofNamespace("x"), PartitionKey.namespaceOf(nothing), NODES, NODE);
        assertPart(PARTS.ofUid("own"), PartitionKey.uidOf(nothing), MAPS, FREE);
    }

    @Test
    void selectsWhenTheFunctionFailsIsByTheObjectItselfAndIsLogged() {
        PartitionKey failing = PartitionKey.uidOf(header -> {
            Thread.currentThread().interrupt();
            throw new IllegalCallerException("on purpose");
        });
        try (CapturedLog log = CapturedLog.of(PartFilter.class.getName())) {
            assertPart(PARTS.ofUid("own"), failing, MAPS, FREE);
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("The partition key of ConfigMap a/x failed: java.lang.IllegalCallerException");
        }
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void allSelectsAndKeepsEverythingAndGainsNothing() {
        PartFilter before = holding(1, PartitionKey.uid(), MAPS);
        assertThat(PartFilter.ALL.selects(header(FREE))).isTrue();
        assertThat(PartFilter.ALL.selects(entry(FREE))).isTrue();
        assertThat(PartFilter.ALL.keeps(entry(FREE), before)).isTrue();
        assertThat(PartFilter.ALL.gains("", before)).isFalse();
        assertThat(before.keeps(entry(FREE), PartFilter.ALL)).isFalse();
        assertThat(before.gains("", PartFilter.ALL)).isTrue();
    }

    @Test
    void keepsWhenThePartWasHeldThroughoutIsTrue() {
        int part = PARTS.ofUid("own");
        int other = (part + 1) % COUNT;
        HeldParts first = HeldParts.initial(PARTS.withHeld(Set.of(part)));
        PartFilter before = PartFilter.of(first, PartitionKey.uid(), MAPS);
        HeldParts more = first.change(PARTS.withHeld(Set.of(part, other)));
        HeldParts lost = first.change(PARTS.withHeld(Set.of(other)));
        assertThat(PartFilter.of(more, PartitionKey.uid(), MAPS).keeps(entry(FREE), before))
                .isTrue();
        assertThat(PartFilter.of(lost, PartitionKey.uid(), MAPS).keeps(entry(FREE), before))
                .isFalse();
    }

    @Test
    void gainsWhenTheKeyIsTheNamespaceIsAboutItsPartAlone() {
        int part = PARTS.ofNamespace("a");
        String other = IntStream.range(0, 50)
                .mapToObj(i -> "n" + i)
                .filter(name -> PARTS.ofNamespace(name) != part)
                .findFirst()
                .orElseThrow();
        HeldParts first = HeldParts.initial(PARTS);
        PartFilter before = PartFilter.of(first, PartitionKey.namespace(), MAPS);
        HeldParts next = first.change(PARTS.withHeld(Set.of(part)));
        PartFilter now = PartFilter.of(next, PartitionKey.namespace(), MAPS);
        assertThat(now.gains("a", before)).isTrue();
        assertThat(now.gains("", before)).isTrue();
        assertThat(now.gains(other, before)).isFalse();
        assertThat(PartFilter.of(next, PartitionKey.uid(), MAPS).gains(other, before))
                .as("objects of each namespace can be in the part")
                .isTrue();
    }
}
