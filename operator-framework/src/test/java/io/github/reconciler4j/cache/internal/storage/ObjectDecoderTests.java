package io.github.reconciler4j.cache.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.cache.internal.Json;
import io.github.reconciler4j.cache.internal.json.ByteBuilder;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a cached object becomes, and what is said of one that does not fit its class. */
class ObjectDecoderTests {

    private static final KindInfo PODS = new KindInfo(KindName.of("v1", "Pod"), "pods", true);

    private final List<UndecodableObjectException> failures = new ArrayList<>();

    private <T extends HasMetadata> T decode(Class<T> type, String json) throws Exception {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        ByteBuilder text = new ByteBuilder(16);
        text.append(bytes, 0, bytes.length);
        Entry entry = BodyEncoder.PLAIN.encode(Json.header("ns", "web", 1, "5", ""), text);
        return new ObjectDecoder<>(PODS, type, (failed, exception) -> failures.add(exception)).decode(entry);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"spec":{"containers":[{},{"ports":[{"containerPort":"hunter2"}]}]}} | spec.containers[1].ports[0].containerPort
            {"spec":"hunter2"}                                                   | spec
            {"spec":{"hostNetwork":["hunter2"]}}                                 | spec.hostNetwork
            """)
    void decodeWhenAFieldDoesNotFitNamesItAndNotItsValue(String json, String field) {
        assertThatExceptionOfType(UndecodableObjectException.class)
                .isThrownBy(() -> decode(Pod.class, json))
                .withMessage("Pod ns/web does not fit " + Pod.class.getName() + ": see field '" + field + "' (R4J-110)")
                .satisfies(failure -> assertThat(failures).containsExactly(failure));
    }

    @Test
    void decodeWhenAnItemHasNoKindNamesItsOwn() throws Exception {
        GenericKubernetesResource object = decode(GenericKubernetesResource.class, "{\"metadata\":{}}");
        assertThat(object.getKind()).isEqualTo("Pod");
        assertThat(object.getApiVersion()).isEqualTo("v1");
        assertThat(failures).isEmpty();
    }

    @Test
    void decodeWhenAnItemHasAKindKeepsIt() throws Exception {
        GenericKubernetesResource object =
                decode(GenericKubernetesResource.class, "{\"kind\":\"Own\",\"apiVersion\":\"own/v2\"}");
        assertThat(object.getKind()).isEqualTo("Own");
        assertThat(object.getApiVersion()).isEqualTo("own/v2");
    }

    /** Jackson's own message names the word that it did not expect. */
    @ParameterizedTest
    @ValueSource(strings = {"{\"spec\":hunter2}", "{\"spec\":{\"a\":\"\\hunter2\"}}", "{\"hunter2\" 1}"})
    void decodeWhenAnObjectIsNoJsonDoesNotSayWhatItHolds(String json) {
        assertThatExceptionOfType(UndecodableObjectException.class)
                .isThrownBy(() -> decode(Pod.class, json))
                .withMessageStartingWith("Pod ns/web does not fit " + Pod.class.getName())
                .withMessageNotContaining("hunter2")
                .satisfies(failure -> assertThat(failures).containsExactly(failure));
    }

    /** A number of a thousand digits is refused too, and is no matter of levels. */
    @Test
    void decodeWhenANumberIsTooLongDoesNotSpeakOfLevels() {
        assertThatExceptionOfType(UndecodableObjectException.class)
                .isThrownBy(
                        () -> decode(GenericKubernetesResource.class, "{\"spec\":{\"a\":" + "7".repeat(1001) + "}}"))
                .withMessageNotContaining("nested")
                .withMessageNotContaining("777");
        assertThat(failures).hasSize(1);
    }

    /** Who changes an object of a shared body changes it for all, which the form {@code DECODED} says. */
    @Test
    void decodeSharesTheObjectOfASharedBodyAndNoOther() {
        byte[] json = "{}".getBytes(StandardCharsets.UTF_8);
        ObjectDecoder<Pod> decoder = new ObjectDecoder<>(PODS, Pod.class, (failed, exception) -> {});
        Entry shared =
                new Entry(Json.header("ns", "web", 1, "5", ""), new SharedBody(json, BodyForm.PLAIN), BodyForm.SHARED);
        Pod first = decoder.decode(shared);
        assertThat(first.getApiVersion()).isEqualTo("v1");
        assertThat(decoder.decode(shared)).isSameAs(first);

        Entry plain = new Entry(Json.header("ns", "web", 1, "5", ""), json, BodyForm.PLAIN);
        Pod changed = decoder.decode(plain);
        changed.setKind("Changed");
        for (int reads = 0; reads < 4; reads++) {
            Pod next = decoder.decode(plain);
            assertThat(next.getKind()).isEqualTo("Pod");
            next.setKind("Changed");
        }
    }

    /** Fields that the class does not know, and types that Jackson alone does not read. */
    @Test
    void decodeReadsAnOwnClassAsTheClientDoes() throws Exception {
        Own own = decode(
                Own.class,
                "{\"kind\":\"Own\",\"spec\":{\"newField\":1,\"at\":\"2024-02-03T04:05:06Z\"},\"newPart\":{}}");
        assertThat(own.getSpec().at).isEqualTo(Instant.parse("2024-02-03T04:05:06Z"));
        assertThat(failures).isEmpty();
    }

    /** A kind of a user. */
    @Group("example.com")
    @Version("v1")
    static class Own extends CustomResource<Own.Spec, Void> {

        private static final long serialVersionUID = 1L;

        /** What is wanted. */
        public static class Spec {
            public @Nullable Instant at;
        }
    }
}
