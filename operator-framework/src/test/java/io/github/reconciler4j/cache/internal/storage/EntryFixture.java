package io.github.reconciler4j.cache.internal.storage;

import io.github.reconciler4j.cache.internal.Json;
import io.github.reconciler4j.cache.internal.json.HeaderReader;
import io.github.reconciler4j.cache.internal.json.MutableHeader;
import io.github.reconciler4j.cache.internal.json.StringInterner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Entries for tests. */
final class EntryFixture {

    private EntryFixture() {}

    /** An entry with a body of 2 bytes, and a label {@code app} unless it is empty. */
    static Entry entry(String namespace, String name, int uid, String version, String app) {
        return new Entry(Json.header(namespace, name, uid, version, app), body(), BodyForm.PLAIN);
    }

    /** The same without a body. */
    static Entry metadata(String namespace, String name, int uid, String version, String app) {
        return new Entry(Json.header(namespace, name, uid, version, app), BodyForm.NONE, BodyForm.NONE);
    }

    /** The metadata that a JSON object holds. */
    static MutableHeader header(String metadata) {
        byte[] json = metadata.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        try {
            return new HeaderReader(new StringInterner()).read(json, 0, json.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Entry of(String metadata) {
        return new Entry(header(metadata), body(), BodyForm.PLAIN);
    }

    private static byte[] body() {
        return "{}".getBytes(StandardCharsets.UTF_8);
    }
}
