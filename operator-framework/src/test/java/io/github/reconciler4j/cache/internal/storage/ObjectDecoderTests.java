package io.github.reconciler4j.cache.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.github.reconciler4j.cache.internal.Json;
import io.github.reconciler4j.cache.internal.json.ByteBuilder;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
                .withMessage("Pod ns/web does not fit " + Pod.class.getName() + ": see field '" + field + "'")
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
}
