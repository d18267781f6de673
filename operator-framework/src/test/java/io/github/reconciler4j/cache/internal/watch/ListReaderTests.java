package io.github.reconciler4j.cache.internal.watch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.internal.FakeConnection;
import io.github.reconciler4j.cache.internal.Json;
import io.github.reconciler4j.cache.internal.json.JsonReader;
import io.github.reconciler4j.cache.internal.json.StringInterner;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder.DeflaterPool;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListReaderTests {

    private static final KindInfo CONFIG_MAPS = new KindInfo(KindName.of("v1", "ConfigMap"), "configmaps", true);

    private final StringInterner strings = new StringInterner();
    private final EntryReader reader = new EntryReader.Factory(
                    CONFIG_MAPS, KindCacheOptions.defaults(), strings, new CompactEncoder(new DeflaterPool()))
            .create(true);
    private final ListReader lists = new ListReader(new ExpectedKind(CONFIG_MAPS, Discovery.of(new FakeConnection())));
    private final List<String> names = new ArrayList<>();

    private ListReader.ListEnd read(String json, int pieces) throws IOException {
        ByteArrayInputStream stream = new ByteArrayInputStream(json.getBytes(UTF_8)) {
            @Override
            public synchronized int read(byte[] to, int offset, int length) {
                return super.read(to, offset, Math.min(length, pieces));
            }
        };
        return lists.read(new JsonReader(stream, strings), reader, header -> names.add(header.name()));
    }

    @Test
    void readWhenMetadataComesLastReadsItemsAndEnd() throws IOException {
        String json = "{\"apiVersion\":\"v1\",\"items\":[" + Json.configMap("a", "x", 1, 5, "v") + " , "
                + Json.configMap("a", "y", 2, 6, "v")
                + "],\"kind\":\"ConfigMapList\",\"metadata\":{\"continue\":\"tok\","
                + "\"remainingItemCount\":3,\"resourceVersion\":\"77\"}}";

        assertThat(read(json, 13)).isEqualTo(new ListReader.ListEnd("77", "tok", 3));
        assertThat(names).containsExactly("x", "y");
    }

    @Test
    void readWhenItemsAreNullReadsNone() throws IOException {
        String json = "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"items\":null,"
                + "\"metadata\":{\"resourceVersion\":\"1\"}}";

        assertThat(read(json, 100).version()).isEqualTo("1");
        assertThat(read(json, 100).version()).as("the second time").isEqualTo("1");
        assertThat(names).isEmpty();
    }

    @Test
    void readWhenThereAreOtherFieldsIgnoresThem() throws IOException {
        String json = "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"more\":{\"a\":[1]},\"items\":[],"
                + "\"metadata\":{\"selfLink\":{\"b\":2},\"resourceVersion\":\"1\"}}";

        assertThat(read(json, 100)).isEqualTo(new ListReader.ListEnd("1", "", 0));
    }

    @Test
    void readWhenItIsNoObjectSaysWhatItIs() {
        String json = "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"items\":[],"
                + "\"metadata\":{\"resourceVersion\":\"1\"}}";

        assertThatThrownBy(() -> read("", 100)).hasMessageEndingWith("it is empty");
        assertThatThrownBy(() -> read("[]", 100)).hasMessageEndingWith("it is no JSON object");
        assertThatThrownBy(() -> read("\0" + json, 100)).hasMessageEndingWith("it is no JSON object");
        assertThatThrownBy(() -> read(json + "\0", 100)).hasMessageEndingWith("it does not end");
    }

    private static long remaining(String json) throws IOException {
        byte[] bytes = json.getBytes(UTF_8);
        return ListReader.remaining(new JsonReader(bytes, bytes.length));
    }

    @Test
    void remainingIsWhatTheMetadataSaysOrZero() throws IOException {
        assertThat(remaining("{\"kind\":\"L\",\"metadata\":{\"resourceVersion\":\"1\",\"remainingItemCount\":41,"
                        + "\"more\":[]},\"items\":[{\"metadata\":{\"remainingItemCount\":7}}]}"))
                .isEqualTo(41);
        assertThat(remaining("{\"metadata\":{},\"remainingItemCount\":7}")).isZero();
        assertThat(remaining("{\"metadata\":null}")).isZero();
        assertThat(remaining("{}")).isZero();
    }

    @Test
    void readWhenAListWasReadBeforeKeepsNothingOfIt() throws IOException {
        String json = "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"items\":[],"
                + "\"metadata\":{\"resourceVersion\":\"1\",\"continue\":\"x\"}}";
        read(json, 100);

        assertThat(read(json.replace(",\"continue\":\"x\"", ""), 100)).isEqualTo(new ListReader.ListEnd("1", "", 0));
    }
}
