package io.github.reconciler4j.cache.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.reconciler4j.cache.ObjectTransform;
import io.github.reconciler4j.cache.internal.Json;
import io.github.reconciler4j.cache.internal.json.HeaderReader;
import io.github.reconciler4j.cache.internal.json.ItemReader;
import io.github.reconciler4j.cache.internal.json.JsonReader;
import io.github.reconciler4j.cache.internal.json.StringInterner;
import io.github.reconciler4j.cache.internal.storage.EntryReader.Transformer;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** What is kept of an object: all but what is to be left out, as the transform left it, or as it came if that failed. */
class IntakePropertyTests {

    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
    private static final KindInfo KIND = new KindInfo(KindName.of("v1", "ConfigMap"), "configmaps", true);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Transforms of users, good and bad ones. */
    enum Transform implements ObjectTransform {
        NOTHING {
            @Override
            public void transform(Map<String, Object> object) {}
        },
        CONTENT {
            @Override
            public void transform(Map<String, Object> object) {
                object.remove("data");
                object.put("added", List.of(1, "\"", Map.of()));
            }
        },
        METADATA {
            @Override
            public void transform(Map<String, Object> object) {
                metadata(object).put("labels", Map.of("only", "this"));
                metadata(object).remove("annotations");
            }
        },
        PUTTING_BACK {
            @Override
            public void transform(Map<String, Object> object) {
                metadata(object).put("managedFields", List.of("again"));
                metadata(object).put("annotations", new LinkedHashMap<>(Map.of(LAST_APPLIED, "{}", "b", "c")));
            }
        },
        THROWING {
            @Override
            public void transform(Map<String, Object> object) {
                metadata(object).clear();
                throw new IllegalStateException("bad");
            }
        },
        BREAKING {
            @Override
            public void transform(Map<String, Object> object) {
                object.remove("data");
                throw new StackOverflowError();
            }
        },
        RENAMING {
            @Override
            public void transform(Map<String, Object> object) {
                metadata(object).put("uid", "other");
            }
        },
        WITHOUT_METADATA {
            @Override
            public void transform(Map<String, Object> object) {
                object.put("metadata", null);
            }
        },
        CLEARING {
            @Override
            public void transform(Map<String, Object> object) {
                object.clear();
            }
        },
        UNWRITABLE {
            @Override
            public void transform(Map<String, Object> object) {
                object.put("self", new Object());
            }
        };

        boolean isGood() {
            return ordinal() < THROWING.ordinal();
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> metadata(Map<String, Object> object) {
        return (Map<String, Object>) object.get("metadata");
    }

    @Provide
    Arbitrary<Map<String, Object>> objects() {
        Arbitrary<String> text =
                Arbitraries.strings().withChars("aü{}[]\",:\\ \n").ofMaxLength(6);
        Arbitrary<Map<String, String>> labels = Arbitraries.maps(Arbitraries.of("app", "l\u00fc", "metadata"), text)
                .ofMaxSize(3);
        Arbitrary<Map<String, String>> annotations = Arbitraries.maps(Arbitraries.of("note", "x/y", LAST_APPLIED), text)
                .ofMaxSize(3);
        Arbitrary<Map<String, Object>> content = Arbitraries.maps(
                        Arbitraries.of("key", "managedFields", "metadata"),
                        Arbitraries.oneOf(
                                text.asGeneric(), Arbitraries.integers().asGeneric(), labels.asGeneric()))
                .ofMaxSize(3);
        return Combinators.combine(
                        labels.injectNull(0.2), annotations.injectNull(0.2), content, Arbitraries.of(true, false))
                .as(IntakePropertyTests::object);
    }

    private static Map<String, Object> object(
            @Nullable Map<String, String> labels,
            @Nullable Map<String, String> annotations,
            Map<String, Object> content,
            boolean managed) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        if (managed) {
            metadata.put("managedFields", List.of(Map.of("manager", "m", "fieldsV1", content)));
        }
        metadata.put("name", "n");
        if (labels != null) {
            metadata.put("labels", labels);
        }
        metadata.put("namespace", "s");
        if (annotations != null) {
            metadata.put("annotations", annotations);
        }
        metadata.put("uid", Json.uid(1));
        metadata.put("resourceVersion", "7");
        Map<String, Object> object = new LinkedHashMap<>(Map.of("kind", "ConfigMap", "data", content));
        object.put("metadata", metadata);
        object.put("managedFields", "a field of the kind's own");
        return object;
    }

    @Property
    void entryHasWhatTheRulesLeave(
            @ForAll("objects") Map<String, Object> object,
            @ForAll Transform transform,
            @ForAll boolean transforms,
            @ForAll boolean dropLastApplied)
            throws IOException {
        Transformer transformer = transforms ? new Transformer(KIND, transform, MAPPER, true) : null;
        EntryReader reader = new EntryReader(
                new ItemReader(dropLastApplied),
                new HeaderReader(new StringInterner()),
                BodyEncoder.PLAIN,
                transformer);
        byte[] json = MAPPER.writeValueAsBytes(object);
        reader.read(new JsonReader(json, json.length));
        reader.header();

        Entry entry = reader.entry();

        Map<String, Object> expected = kept(object, dropLastApplied);
        if (transformer != null && transform.isGood()) {
            transform.transform(expected);
            expected = kept(expected, dropLastApplied);
        }
        assertThat((Object) MAPPER.readValue(entry.json(), Map.class)).isEqualTo(expected);
        assertThat(entry.labels()).isEqualTo(metadata(expected).getOrDefault("labels", Map.of()));
        assertThat(entry.annotations()).isEqualTo(metadata(expected).getOrDefault("annotations", Map.of()));
        assertThat(entry.key()).hasToString("s/n");
        assertThat(entry.uid()).isEqualTo(Json.uid(1));
        assertThat(entry.resourceVersion()).isEqualTo("7");
    }

    /** The rules, on a tree. */
    @SuppressWarnings("unchecked")
    private static Map<String, Object> kept(Map<String, Object> object, boolean dropLastApplied) throws IOException {
        Map<String, Object> copy = MAPPER.readValue(MAPPER.writeValueAsBytes(object), LinkedHashMap.class);
        metadata(copy).remove("managedFields");
        if (dropLastApplied && metadata(copy).get("annotations") instanceof Map<?, ?> annotations) {
            annotations.remove(LAST_APPLIED);
        }
        return copy;
    }
}
