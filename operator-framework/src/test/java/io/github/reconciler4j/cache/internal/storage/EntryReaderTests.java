package io.github.reconciler4j.cache.internal.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.StorageForm;
import io.github.reconciler4j.cache.internal.json.ItemReader;
import io.github.reconciler4j.cache.internal.json.JsonReader;
import io.github.reconciler4j.cache.internal.json.StringInterner;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder.DeflaterPool;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which form an object is kept in, and what a transform makes of it. */
class EntryReaderTests {

    private static final KindInfo KIND = new KindInfo(KindName.of("v1", "ConfigMap"), "configmaps", true);
    private static final String OBJECT =
            "{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"n\",\"namespace\":\"s\",\"uid\":\"u\","
                    + "\"labels\":{\"a\":\"b\"}},\"data\":{\"text\":\"" + "long ".repeat(100) + "\"}}";

    private final DeflaterPool pool = new DeflaterPool();

    @AfterEach
    void close() {
        pool.close();
    }

    private EntryReader.Factory factory(KindCacheOptions options) {
        return new EntryReader.Factory(KIND, options, new StringInterner(), new CompactEncoder(pool));
    }

    private static Entry read(EntryReader reader) throws IOException {
        byte[] json = OBJECT.getBytes(UTF_8);
        reader.read(new JsonReader(json, json.length));
        assertThat(reader.item().isKind(ItemReader.quoted("ConfigMap"))).isTrue();
        assertThat(reader.json()).hasToString(OBJECT);
        assertThat(reader.header().name()).isEqualTo("n");
        assertThat(reader.lastHeader().labelMap()).isEqualTo(Map.of("a", "b"));
        return reader.entry();
    }

    @ParameterizedTest
    @EnumSource(StorageForm.class)
    void entryIsKeptInTheFormThatWasAskedFor(StorageForm form) throws IOException {
        EntryReader.Factory factory = factory(KindCacheOptions.defaults().withStorage(form));
        Entry kept = read(factory.create(true));
        Entry forShortTime = read(factory.createForShortTime(true));
        assertThat(kept.hasBody()).isEqualTo(form != StorageForm.METADATA);
        assertThat(forShortTime.hasBody()).isEqualTo(form != StorageForm.METADATA);
        assertThat(read(factory.create(false)).hasBody()).isFalse();
        assertThat(read(factory.createForShortTime(false)).hasBody()).isFalse();
        if (form != StorageForm.METADATA) {
            assertThat(new String(kept.json(), UTF_8)).isEqualTo(OBJECT);
            assertThat(new String(forShortTime.json(), UTF_8)).isEqualTo(OBJECT);
            boolean compact = form == StorageForm.COMPACT || form == StorageForm.DECODED;
            assertThat(kept.bodyBytes() < OBJECT.length() / 2).as("deflated").isEqualTo(compact);
            assertThat(forShortTime.bodyBytes()).as("not worth deflating").isEqualTo(OBJECT.length());
            assertThat(kept.body() instanceof SharedBody).isEqualTo(form == StorageForm.DECODED);
            assertThat(forShortTime.body() instanceof SharedBody).isEqualTo(form == StorageForm.DECODED);
        }
    }

    @Test
    void entryHasTheHeaderThatTheTransformMade() throws IOException {
        EntryReader.Factory factory = factory(KindCacheOptions.defaults()
                .withStorage(StorageForm.ENCODED)
                .withTransform(object -> ((Map<?, ?>) object.get("metadata")).remove("labels")));
        Entry entry = read(factory.create(true));
        assertThat(entry.labels()).isEmpty();
        assertThat(new String(entry.json(), UTF_8)).doesNotContain("labels").contains("long");
    }

    /** Without bodies, a transform of them fails, which is no news. */
    @Test
    void transformThatFailsIsNamedOnceWithoutTheContent() throws IOException {
        EntryReader.Factory factory = factory(
                KindCacheOptions.defaults().withStorage(StorageForm.ENCODED).withTransform(object -> {
                    throw new IllegalStateException("s3cr3t of " + object);
                }));
        try (CapturedLog log = CapturedLog.of(EntryReader.class.getName())) {
            assertThat(read(factory.create(false)).hasBody()).isFalse();
            assertThat(log.lines(Level.WARN)).isEmpty();
            EntryReader reader = factory.create(true);
            for (int i = 0; i < 3; i++) {
                assertThat(new String(read(reader).json(), UTF_8)).isEqualTo(OBJECT);
            }
            assertThat(log.lines(Level.WARN))
                    .containsExactly("WARN Transform of configmaps failed with java.lang.IllegalStateException;"
                            + " such objects are kept as they were received");
        }
    }

    @Test
    void transformThatRenamesAnObjectIsNamedWithTheReason() throws IOException {
        EntryReader.Factory factory =
                factory(KindCacheOptions.defaults().withTransform(object -> object.remove("metadata")));
        try (CapturedLog log = CapturedLog.of(EntryReader.class.getName())) {
            assertThat(read(factory.create(true)).name()).isEqualTo("n");
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("it changed name, namespace, uid or resourceVersion");
        }
    }

    /** The interrupt would end the watch that the object came with. */
    @Test
    void transformThatInterruptsItsThreadDoesNotInterruptTheReader() throws IOException {
        EntryReader.Factory factory = factory(KindCacheOptions.defaults()
                .withTransform(object -> Thread.currentThread().interrupt()));
        assertThat(read(factory.create(true)).name()).isEqualTo("n");
        assertThat(Thread.interrupted()).isFalse();
    }
}
