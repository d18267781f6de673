package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.internal.FakeConnection;
import io.github.reconciler4j.cache.internal.json.JsonReader;
import io.github.reconciler4j.cache.internal.json.StringInterner;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder.DeflaterPool;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.test.fuzz.Fuzz;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Damaged watches and lists are read or refused, whatever the API server sends. */
@Timeout(300)
class WatchFuzzTests {

    private static final KindInfo CONFIG_MAPS = new KindInfo(KindName.of("v1", "ConfigMap"), "configmaps", true);

    private final StringInterner strings = new StringInterner();
    private final EntryReader.Factory entries = new EntryReader.Factory(
            CONFIG_MAPS, KindCacheOptions.defaults(), strings, new CompactEncoder(new DeflaterPool()));
    private final ExpectedKind expected = new ExpectedKind(CONFIG_MAPS, Discovery.of(new FakeConnection()));

    private JsonReader json(byte[] input) {
        return new JsonReader(new ByteArrayInputStream(input), strings);
    }

    @Test
    void watchWhenBytesAreDamagedIsReadOrRefused() {
        Fuzz.run(
                "watch-lines",
                input -> {
                    WatchReader reader = new WatchReader(json(input), entries.create(true), expected, object -> {});
                    try {
                        while (reader.next() != null) {
                            reader.header().labelMap();
                        }
                    } catch (ApiException e) { // says what the Status says, and damage can move contents there
                        throw new IOException("The watch ended with code " + e.code());
                    }
                },
                IOException.class);
    }

    @Test
    void listWhenBytesAreDamagedIsReadOrRefused() {
        Fuzz.run(
                "list-pages",
                input -> {
                    try {
                        new ListReader(expected).read(json(input), entries.create(true), header -> {
                            header.labelMap();
                        });
                    } catch (StreamCorruptedException e) { // names the kind, and damage can move contents there
                        throw new IOException("The response is not a list of the kind");
                    }
                },
                IOException.class,
                ApiException.class);
    }
}
