package io.github.reconciler4j.cache.internal.storage;

import static io.github.reconciler4j.cache.internal.storage.EntryFixture.entry;
import static io.github.reconciler4j.cache.internal.storage.EntryFixture.header;
import static io.github.reconciler4j.cache.internal.storage.EntryFixture.metadata;
import static io.github.reconciler4j.cache.internal.storage.EntryFixture.of;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.cache.NotCachedException;
import io.github.reconciler4j.cache.internal.Json;
import io.github.reconciler4j.cache.internal.json.ByteBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EntryTests {

    private static final String UID = "'uid':'00000000-0000-4000-8000-000000000001'";
    private static final String BASE = "{'name':'x','namespace':'a'," + UID + ",'resourceVersion':'5'";

    @Test
    void isAtWhenVersionAndUidAreTheSameIsTrueWhetherTheyAreUsualOrNot() {
        String odd = "{'name':'x','uid':'odd','resourceVersion':'v5'}";
        assertThat(of(BASE + "}").isAt(header(BASE + "}"))).isTrue();
        assertThat(of(odd).isAt(header(odd))).isTrue();
        assertThat(of(BASE + "}").isAt(header(BASE.replace("'5'", "'6'") + "}")))
                .isFalse();
        assertThat(of(BASE + "}").isAt(header(BASE.replace("'5'", "'v5'") + "}")))
                .isFalse();
        assertThat(of(BASE + "}").isAt(header(BASE.replace("000001", "000002") + "}")))
                .isFalse();
        assertThat(of(BASE + "}").isAt(header(BASE.replace("00000000-", "00000001-") + "}")))
                .isFalse();
        assertThat(of(BASE + "}").isAt(header(BASE.replace(UID, "'uid':'odd'") + "}")))
                .isFalse();
        assertThat(of(odd).isAt(header(odd.replace("odd", "other")))).isFalse();
        assertThat(of(odd).isAt(header(odd.replace("v5", "v6")))).isFalse();
    }

    @Test
    void isSameObjectDependsOnTheUidAlone() {
        Entry one = entry("a", "x", 1, "5", "");
        assertThat(one.isSameObject(entry("b", "y", 1, "6", "z"))).isTrue();
        assertThat(one.isSameObject(entry("a", "x", 2, "5", ""))).isFalse();
        assertThat(one.isSameObject(of(BASE.replace("00000000-", "00000001-") + "}")))
                .isFalse();
        assertThat(of("{'name':'x','uid':'odd'}").isSameObject(of("{'name':'x','uid':'even'}")))
                .isFalse();
        assertThat(of("{'name':'x','uid':'odd'}").isSameObject(of("{'name':'y','uid':'odd'}")))
                .isTrue();
    }

    @Test
    void hasSameHeaderWhenAnyPartDiffersIsFalse() {
        String all = BASE + ",'labels':{'l':'1'},'annotations':{'n':'1'},'finalizers':['f/1'],'ownerReferences':"
                + "[{'apiVersion':'v1','kind':'Pod','name':'o','uid':'00000000-0000-4000-8000-000000000009'}]}";
        assertThat(of(all).hasSameHeader(of(all))).isTrue();
        for (String[] change : new String[][] {
            {"'5'", "'6'"},
            {"'l':'1'", "'l':'2'"},
            {"'n':'1'", "'n':'2'"},
            {"f/1", "f/2"},
            {"'o'", "'p'"},
            {"000001", "000002"}
        }) {
            assertThat(of(all).hasSameHeader(of(all.replace(change[0], change[1]))))
                    .as(change[1])
                    .isFalse();
        }
    }

    @Test
    void labelWhenThereAreSeveralReturnsTheValueOfItsName() {
        Entry entry = of(BASE + ",'labels':{'a':'b','b':'c'}}");
        assertThat(entry.label("a")).isEqualTo("b");
        assertThat(entry.label("b")).isEqualTo("c");
        assertThat(entry.label("c")).isNull();
    }

    @Test
    void fieldsWhenTheyAreUnusualAreReturnedAsTheyWere() {
        Entry entry = of("{'name':'x','uid':'odd','resourceVersion':'v5','generation':3000000000,"
                + "'creationTimestamp':'yesterday','deletionTimestamp':'2026-11-21T08:00:00Z'}");
        assertThat(entry.uid()).isEqualTo("odd");
        assertThat(entry.resourceVersion()).isEqualTo("v5");
        assertThat(entry.generation()).isEqualTo(3_000_000_000L);
        assertThat(entry.creationTimestamp()).isEqualTo("yesterday");
        assertThat(entry.deletionTimestamp()).isEqualTo("2026-11-21T08:00:00Z");
        assertThat(entry).hasToString("x@v5");
    }

    @Test
    void fieldsWhenOneIsUnusualKeepTheOthers() {
        Entry entry = of(BASE + ",'generation':7,'creationTimestamp':'2026-11-21T08:00:00Z',"
                + "'deletionTimestamp':'2026-11-22T08:00:00Z'}");
        assertThat(entry.uid()).isEqualTo(Json.uid(1));
        assertThat(entry.resourceVersion()).isEqualTo("5");
        assertThat(entry.generation()).isEqualTo(7);
        assertThat(entry.creationTimestamp()).isEqualTo("2026-11-21T08:00:00Z");
        assertThat(entry.deletionTimestamp()).isEqualTo("2026-11-22T08:00:00Z");
        assertThat(entry).hasToString("a/x@5");
        assertThat(of(BASE + "}").deletionTimestamp()).isNull();
        assertThat(of(BASE + ",'generation':2147483647}").generation()).isEqualTo(Integer.MAX_VALUE);
        assertThat(of(BASE + ",'generation':-3}").generation()).isEqualTo(-3);
    }

    @Test
    void bodyWhenItIsNotKeptCannotBeRead() {
        Entry bare = metadata("a", "x", 1, "5", "");
        assertThat(bare.hasBody()).isFalse();
        assertThat(bare.bodyBytes()).isZero();
        assertThatThrownBy(bare::json).isInstanceOf(NotCachedException.class);
        assertThat(entry("a", "x", 1, "5", "").hasBody()).isTrue();
        assertThat(entry("a", "x", 1, "5", "").bodyBytes()).isEqualTo(2);
    }

    @Test
    void bodyWhenItIsSharedCountsWhatIsKeptUntilItIsRead() {
        byte[] json = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
        SharedBody body = new SharedBody(json, BodyForm.PLAIN);
        Entry entry = new Entry(Json.header("a", "x", 1, "5", ""), body, BodyForm.SHARED);
        assertThat(entry.bodyBytes()).isEqualTo(json.length);
        assertThat(entry.json()).isEqualTo(json);
        assertThat(entry.hasBody()).isTrue();
    }

    @Test
    void bodyWhenItIsEncodedToBeSharedIsThatOfTheEncoder() {
        byte[] json = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
        ByteBuilder text = new ByteBuilder(16);
        text.append(json, 0, json.length);
        Entry entry = BodyEncoder.shared(BodyEncoder.PLAIN).encode(header(BASE + "}"), text);
        assertThat(entry.form()).isSameAs(BodyForm.SHARED);
        assertThat(entry.body()).isInstanceOf(SharedBody.class);
        assertThat(entry.json()).isEqualTo(json);
        Entry bare = BodyEncoder.HEADER_ONLY.encode(header(BASE + "}"), text);
        assertThat(bare.form()).isSameAs(BodyForm.NONE);
        assertThat(bare.hasBody()).isFalse();
    }

    @Test
    void sharedBodyReturnsTheFirstObjectOfEachClass() {
        SharedBody body = new SharedBody(new byte[0], BodyForm.PLAIN);
        Object first = body.object(StringBuilder.class, StringBuilder::new);
        assertThat(body.object(StringBuilder.class, StringBuilder::new)).isSameAs(first);
        assertThat(body.object(Integer.class, () -> 4)).isEqualTo(4);
        assertThat(body.object(Integer.class, () -> 5)).isEqualTo(4);
        assertThat(body.object(StringBuilder.class, StringBuilder::new)).isSameAs(first);
    }

    @Test
    void sharedBodyWhenAnotherThreadWasFasterReturnsWhatThatMade() {
        SharedBody body = new SharedBody(new byte[0], BodyForm.PLAIN);
        Integer seen = body.object(Integer.class, () -> {
            body.object(Integer.class, () -> 1);
            return 2;
        });
        assertThat(seen).isEqualTo(1);
    }

    @Test
    void snapshotWhenReadTwiceDecodesOnce() {
        Entry entry = entry("a", "x", 1, "5", "");
        int[] decoded = {0};
        EntrySnapshot<String> snapshot = new EntrySnapshot<>(entry, same -> "object " + ++decoded[0]);
        assertThat(snapshot.object()).isEqualTo("object 1");
        assertThat(snapshot.object()).isEqualTo("object 1");
        assertThat(snapshot.entry()).isSameAs(entry);
        assertThat(snapshot.header()).isSameAs(entry);
        assertThat(snapshot).hasToString("a/x@5");
    }

    @Test
    void fieldsWhenEachAloneIsUnusualAreReturnedAsTheyWere() {
        String time = "2026-11-21T08:00:00Z";
        for (String[] one : new String[][] {
            {Json.uid(1), "5", time, "7"},
            {"odd", "5", time, "7"},
            {Json.uid(1), "v5", time, "7"},
            {Json.uid(1), "5", "yesterday", "7"},
            {Json.uid(1), "5", time, "3000000000"},
            {Json.uid(1), "5", time, "0"},
            {Json.uid(1), "0", time, "7"}
        }) {
            Entry entry = of("{'name':'x','uid':'" + one[0] + "','resourceVersion':'" + one[1]
                    + "','creationTimestamp':'" + one[2] + "','generation':" + one[3] + "}");
            assertThat(entry.uid()).isEqualTo(one[0]);
            assertThat(entry.resourceVersion()).isEqualTo(one[1]);
            assertThat(entry.creationTimestamp()).isEqualTo(one[2]);
            assertThat(entry.generation()).isEqualTo(Long.parseLong(one[3]));
            assertThat(entry.isAt(header("{'name':'x','uid':'" + one[0] + "','resourceVersion':'" + one[1] + "'}")))
                    .isTrue();
        }
    }

    @Test
    void mapsAndListsAreThoseOfTheMetadata() {
        Entry entry = of(BASE + ",'labels':{'l':'1'},'annotations':{'n':'2'},'finalizers':['f/1']}");
        assertThat(entry.labels()).containsExactly(Map.entry("l", "1"));
        assertThat(entry.annotations()).containsExactly(Map.entry("n", "2"));
        assertThat(entry.finalizers()).containsExactly("f/1");
    }

    @Test
    void headerBytesGrowWithWhatTheHeaderHolds() {
        String usual = BASE + ",'creationTimestamp':'2026-11-21T08:00:00Z'";
        int plain = of(usual + "}").headerBytes();
        assertThat(plain).isPositive();
        assertThat(of(usual.replace("'x'", "'xyz'") + "}").headerBytes()).isEqualTo(plain + 2);
        assertThat(of(usual + ",'deletionTimestamp':'2026-11-22T08:00:00Z'}").headerBytes())
                .isGreaterThan(plain);
        assertThat(of(usual + ",'labels':{'l':'1'}}").headerBytes()).isGreaterThan(plain);
        int annotated = of(usual + ",'annotations':{'n':'2'}}").headerBytes();
        assertThat(annotated).isGreaterThan(plain);
        assertThat(of(usual + ",'annotations':{'n':'" + "x".repeat(5000) + "'}}")
                        .headerBytes())
                .isGreaterThan(annotated + 5000);
        assertThat(of(usual + ",'ownerReferences':[{'apiVersion':'v1','kind':'Pod','name':'o','uid':'u'}]}")
                        .headerBytes())
                .isGreaterThan(plain);
    }
}
