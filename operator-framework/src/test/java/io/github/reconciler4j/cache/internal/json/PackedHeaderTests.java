package io.github.reconciler4j.cache.internal.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.cache.internal.Json;
import io.github.reconciler4j.cache.internal.storage.BodyForm;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.scheme.OwnerRef;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackedHeaderTests {

    private final StringInterner pool = new StringInterner();
    private final HeaderReader headers = new HeaderReader(pool);

    private MutableHeader read(String fields) throws IOException {
        byte[] json = ("{\"name\":\"n\"," + fields + "}").getBytes(UTF_8);
        return headers.read(json, 0, json.length);
    }

    private Entry entry(String fields) throws IOException {
        return new Entry(read(fields), new byte[0], BodyForm.PLAIN);
    }

    private static String owner(String kind, String name, String uid, boolean controller) {
        return "{\"apiVersion\":\"apps/v1\",\"kind\":\"" + kind + "\",\"name\":\"" + name + "\",\"uid\":\"" + uid
                + "\",\"controller\":" + controller + "}";
    }

    private static String owners(String... owners) {
        return "\"ownerReferences\":[" + String.join(",", owners) + "]";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2000-01-01T00:00:00Z",
                "1970-01-01T00:00:00Z",
                "1969-12-31T23:59:59Z",
                "2038-01-19T03:14:08Z",
                "2106-02-07T06:28:14Z",
                "2106-02-07T06:28:15Z",
                "2026-02-29T00:00:00Z",
                "2026-01-01T24:00:00Z",
                "+026-01-01T00:00:00Z",
                "2026-11-21T23:59:60Z",
                "2032-01-01T00:00:00Z",
                "2063-12-31T23:59:59Z",
                "2063-15-31T31:63:63Z",
                "1999-12-31T23:59:59Z",
                "2064-01-01T00:00:00Z",
                "2026-16-01T00:00:00Z",
                "2026-01-32T00:00:00Z",
                "2026-01-01T32:00:00Z",
                "2026-01-01T00:64:00Z",
                "2026-01-01T00:00:64Z",
                "2026-01-01t00:00:00Z",
                "2026-01-01T00:00:00z",
                "2026/01-01T00:00:00Z",
                "2026-01-01T00:00:0aZ",
                "2026-01-01T00:00:00.1Z",
                ""
            })
    void creationTimestampWhenItIsAnyTextIsThatText(String time) throws IOException {
        assertThat(entry("\"creationTimestamp\":\"" + time + "\"").creationTimestamp())
                .isEqualTo(time);
    }

    @Test
    void ownerReferencesWhenThereAreSeveralKeepsOrderAndUidsOfAnyForm() throws IOException {
        Entry entry = entry(owners(
                owner("ReplicaSet", "first", Json.uid(1), false),
                "7",
                owner("ReplicaSet", "second", "no-uuid", true),
                owner("Job", "third", "FFFFFFFF-0000-4000-8000-000000000000", false)));

        assertThat(entry.ownerReferences())
                .containsExactly(
                        new OwnerRef("apps/v1", "ReplicaSet", "first", Json.uid(1), false),
                        new OwnerRef("apps/v1", "ReplicaSet", "second", "no-uuid", true),
                        new OwnerRef("apps/v1", "Job", "third", "FFFFFFFF-0000-4000-8000-000000000000", false));
    }

    @Test
    void blockedOwnersWhenReferencesSayThatTheyBlockAreTheirUids() throws IOException {
        String blocking = owner("ReplicaSet", "o", Json.uid(1), true).replace("}", ",\"blockOwnerDeletion\":true}");
        String free = owner("Job", "p", Json.uid(2), false).replace("}", ",\"blockOwnerDeletion\":false}");
        String silent = owner("Job", "q", "no-uuid", false);

        assertThat(entry(owners(blocking, free, silent)).blockedOwners()).containsExactly(Json.uid(1));
        assertThat(entry(owners(free, silent)).blockedOwners()).isEmpty();
        assertThat(entry("\"generation\":1").blockedOwners()).isEmpty();
        assertThat(read(owners(blocking)).owners())
                .isNotEqualTo(read(owners(owner("ReplicaSet", "o", Json.uid(1), true)))
                        .owners());
    }

    @Test
    void readWhenObjectsHaveTheSameOwnersLabelsAndFinalizersSharesThem() throws IOException {
        String same = "\"labels\":{\"a\":\"b\"},\"finalizers\":[\"f\"],"
                + owners(owner("ReplicaSet", "o", Json.uid(1), true), owner("Job", "p", Json.uid(2), false));
        MutableHeader draft = read(same);
        PackedOwners owners = draft.owners();
        String[] labels = draft.labels();
        String[] finalizers = draft.finalizers();

        MutableHeader next = read(same);

        assertThat(next.owners()).isNotNull().isSameAs(owners);
        assertThat(next.labels()).isNotEmpty().isSameAs(labels);
        assertThat(next.finalizers()).isNotEmpty().isSameAs(finalizers);
    }

    @Test
    void readWhenObjectsHaveOwnersThatDifferInOneThingKeepsThemApart() throws IOException {
        String[] all = {
            owners(owner("ReplicaSet", "o", Json.uid(1), true)),
            owners(owner("ReplicaSet", "o", Json.uid(1), false)),
            owners(owner("Job", "o", Json.uid(1), true)),
            owners(owner("ReplicaSet", "p", Json.uid(1), true)),
            owners(owner("ReplicaSet", "o", Json.uid(2), true)),
            owners(owner("ReplicaSet", "o", "x", true)),
            owners(owner("ReplicaSet", "o", "y", true)),
            owners(owner("ReplicaSet", "o", Json.uid(1), true), owner("ReplicaSet", "q", Json.uid(3), false)),
        };
        for (int i = 0; i < all.length; i++) {
            PackedOwners owner = read(all[i]).owners();
            for (int j = 0; j < all.length; j++) {
                PackedOwners other = read(all[j]).owners();
                assertThat(owner.equals(other)).as("%s and %s", all[i], all[j]).isEqualTo(i == j);
            }
        }
    }

    @Test
    void shareWhenManyStringsComeAgainAndAgainKeepsNearlyAllOnce() {
        String[] first = new String[2000];
        int again = 0;
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < first.length; i++) {
                byte[] text = ("billing-instance-" + i).getBytes(UTF_8);
                String shared = pool.share(text, 0, text.length);
                assertThat(shared).isEqualTo("billing-instance-" + i);
                again += shared == first[i] ? 1 : 0;
                first[i] = shared;
            }
        }

        assertThat(again).isGreaterThan(first.length * 95 / 100);
    }

    @Test
    void labelsWhenANameOccursTwiceHaveTheLastValue() throws IOException {
        MutableHeader header = read("\"labels\":{\"a\":\"1\",\"b\":\"2\",\"c\":\"3\",\"b\":\"4\"}");
        assertThat(header.labelMap()).isEqualTo(Map.of("a", "1", "b", "4", "c", "3"));
    }
}
