package io.github.reconciler4j.cache.internal.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.reconciler4j.cache.internal.Json;
import io.github.reconciler4j.cache.internal.json.MutableHeader.ArrayMap;
import io.github.reconciler4j.cache.internal.storage.BodyEncoder;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.scheme.OwnerRef;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ItemReaderTests {

    private final ObjectMapper mapper = new ObjectMapper();
    private final HeaderReader headers = new HeaderReader(new StringInterner());

    private static InputStream pieces(String text, int size) {
        return new ByteArrayInputStream(text.getBytes(UTF_8)) {
            @Override
            public synchronized int read(byte[] to, int offset, int length) {
                return super.read(to, offset, Math.min(length, size));
            }
        };
    }

    private ItemReader read(String json, int pieces, boolean dropLastApplied) throws IOException {
        ItemReader reader = new ItemReader(dropLastApplied);
        reader.read(new JsonReader(pieces(json, pieces), new StringInterner()));
        return reader;
    }

    private MutableHeader header(ItemReader reader) throws IOException {
        return headers.read(reader.object().array(), reader.metadataStart(), reader.metadataEnd());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100_000})
    void readWhenObjectArrivesInPiecesKeepsAllExceptManagedFields(int pieces) throws IOException {
        String json = " { \"spec\" : {\"text\":\"a \\\"quoted} \\\\\",\"list\":[1,[2,{}],-3.5e7,true,null,\"ü€😀\"]},"
                + "\"metadata\": {\"managedFields\":[{\"x\":\"]}\"}],\"name\":\"n\" , \"labels\":{\"metadata\":\"x\"}},"
                + "\"managedFields\":\"kept here\"}";

        ItemReader reader = read(json, pieces, false);

        Map<?, ?> expected = mapper.readValue(json, Map.class);
        ((Map<?, ?>) expected.get("metadata")).remove("managedFields");
        assertThat((Object) mapper.readValue(reader.object().toArray(), Map.class))
                .isEqualTo(expected);
        assertThat(header(reader).name()).isEqualTo("n");
    }

    @Test
    void readWhenAskedToDropLastAppliedDropsItAndNoOtherAnnotation() throws IOException {
        String json =
                "{\"metadata\":{\"annotations\":{\"a\":\"1\",\"kubectl.kubernetes.io/last-applied-configuration\":"
                        + "\"{\\\"x\\\":1}\",\"b\":\"2\"},\"name\":\"n\"}}";

        assertThat(ArrayMap.of(header(read(json, 5, true)).annotations())).isEqualTo(Map.of("a", "1", "b", "2"));
        assertThat(ArrayMap.of(header(read(json, 5, false)).annotations())).hasSize(3);
    }

    @Test
    void readWhenAnotherObjectFollowsHasTheKindAndTheTextOfThatOne() throws IOException {
        String first = "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"}}";
        String second = "{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"b\"}}";
        JsonReader from = new JsonReader(pieces(first + second + "{}", 100), new StringInterner());
        ItemReader reader = new ItemReader(false);
        reader.read(from);
        assertThat(reader.isKind(ItemReader.quoted("Pod"))).isTrue();
        reader.read(from);
        assertThat(reader.isKind(ItemReader.quoted("ConfigMap"))).isTrue();
        assertThat(reader.isKind(ItemReader.quoted("Pod"))).isFalse();
        assertThat(reader.object()).hasToString(second);
        assertThat(header(reader).name()).isEqualTo("b");
        reader.read(from);
        assertThat(reader.hasKind()).isFalse();
        assertThat(header(reader).name()).isEmpty();
    }

    @Test
    void readWhenStreamEndsInAnObjectFails() {
        assertThatThrownBy(() -> read("{\"a\":{\"b\":\"c", 100, false)).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> read("{\"a\":1", 100, false)).isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 100})
    void readWhenATextContainsAControlCharacterFails(int pieces) {
        for (String json : List.of(
                "{\"kind\":\"a\u0001b\"}",
                "{\"metadata\":{\"name\":\"a\u001fb\"}}",
                "{\"a\nb\":1}",
                "{\"a\":{\"b\":[\"c\u0000\"]}}",
                "{\"c\u00e9\tb\":1}")) {
            assertThatThrownBy(() -> read(json, pieces, false))
                    .as(json)
                    .hasMessage("the response is not valid JSON: a text contains a control character");
        }
    }

    @Test
    void headerWhenMetadataIsFullHasEveryField() throws IOException {
        String json =
                "{\"kind\":\"X\",\"metadata\":{\"name\":\"n\",\"generateName\":\"g\",\"namespace\":\"s\",\"uid\":\""
                        + Json.uid(7)
                        + "\",\"resourceVersion\":\"123\",\"generation\":4,\"creationTimestamp\":\"2026-11-21T08:00:01Z\","
                        + "\"deletionTimestamp\":\"2026-11-22T08:00:01Z\",\"deletionGracePeriodSeconds\":30,"
                        + "\"labels\":{\"l1\":\"v1\",\"l\\u00fc\":\"v\\n2\"},\"annotations\":{\"a\":\"b\"},\"finalizers\":[\"f/1\",\"f/2\"],"
                        + "\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":\"K\",\"name\":\"o\",\"uid\":\"u\","
                        + "\"controller\":true,\"blockOwnerDeletion\":true}]}}";
        ItemReader reader = read(json, 11, false);
        Entry entry = BodyEncoder.PLAIN.encode(header(reader), reader.object());

        assertThat(entry.key()).hasToString("s/n");
        assertThat(entry.uid()).isEqualTo(Json.uid(7));
        assertThat(entry.resourceVersion()).isEqualTo("123");
        assertThat(entry.generation()).isEqualTo(4);
        assertThat(entry.creationTimestamp()).isEqualTo("2026-11-21T08:00:01Z");
        assertThat(entry.deletionTimestamp()).isEqualTo("2026-11-22T08:00:01Z");
        assertThat(entry.isBeingDeleted()).isTrue();
        assertThat(entry.labels()).isEqualTo(Map.of("l1", "v1", "l\u00fc", "v\n2"));
        assertThat(entry.annotations()).isEqualTo(Map.of("a", "b"));
        assertThat(entry.finalizers()).containsExactly("f/1", "f/2");
        assertThat(entry.ownerReferences()).containsExactly(new OwnerRef("apps/v1", "K", "o", "u", true));
        assertThat(new String(entry.json(), UTF_8)).isEqualTo(json);
    }

    @Test
    void headerWhenValuesHaveUnusualFormsKeepsThemAsTheyAre() throws IOException {
        String json = "{\"metadata\":{\"name\":\"n\",\"uid\":\"not-a-uuid\",\"resourceVersion\":\"007\","
                + "\"creationTimestamp\":\"2026-11-21T08:00:00.123Z\",\"generation\":9000000000}}";
        ItemReader reader = read(json, 100, false);
        Entry entry = BodyEncoder.PLAIN.encode(header(reader), reader.object());

        assertThat(entry.uid()).isEqualTo("not-a-uuid");
        assertThat(entry.resourceVersion()).isEqualTo("007");
        assertThat(entry.creationTimestamp()).isEqualTo("2026-11-21T08:00:00.123Z");
        assertThat(entry.generation()).isEqualTo(9_000_000_000L);
        assertThat(entry.namespace()).isEmpty();
        assertThat(entry.deletionTimestamp()).isNull();
    }

    @Test
    void headerWhenMetadataHasNullsAndWrongTypesTreatsThemAsUnset() throws IOException {
        String json =
                "{\"metadata\":{\"name\":\"n\",\"uid\":null,\"labels\":null,\"annotations\":[1],\"finalizers\":{\"a\":[]},"
                        + "\"ownerReferences\":null,\"creationTimestamp\":null,\"resourceVersion\":{\"x\":1}}}";
        MutableHeader draft = header(read(json, 100, false));

        assertThat(draft.name()).isEqualTo("n");
        assertThat(draft.uid()).isEmpty();
        assertThat(draft.labels()).isEmpty();
        assertThat(draft.annotations()).isEmpty();
        assertThat(draft.finalizers()).isEmpty();
        assertThat(draft.owners()).isNull();
        assertThat(draft.version()).isEmpty();
    }
}
