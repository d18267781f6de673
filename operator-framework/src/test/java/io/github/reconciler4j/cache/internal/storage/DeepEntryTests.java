package io.github.reconciler4j.cache.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.cache.internal.Json;
import io.github.reconciler4j.cache.internal.json.ByteBuilder;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cached objects whose values are nested are read, or set aside with the reason, on threads with a small stack too. */
@Timeout(60)
class DeepEntryTests {

    private static final KindInfo KIND = new KindInfo(KindName.of("deep.example.com/v1", "Deep"), "deeps", true);

    @ParameterizedTest
    @CsvSource({"50,262144", "500,1048576", "900,131072", "1001,1048576", "20000,262144"})
    void objectWhenNestedIsReadOrSetAsideWithTheReason(int depth, int stack) throws Exception {
        String json = "{\"apiVersion\":\"deep.example.com/v1\",\"kind\":\"Deep\",\"spec\":" + "{\"a\":".repeat(depth)
                + "1" + "}".repeat(depth) + "}";
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        ByteBuilder text = new ByteBuilder(16);
        text.append(bytes, 0, bytes.length);
        Entry entry = BodyEncoder.PLAIN.encode(Json.header("ns", "deep", 1, "5", ""), text);
        List<UndecodableObjectException> failures = new ArrayList<>();
        ObjectDecoder<GenericKubernetesResource> decoder = new ObjectDecoder<>(
                KIND, GenericKubernetesResource.class, (failed, exception) -> failures.add(exception));
        CompletableFuture<String> outcome = new CompletableFuture<>();
        new Thread(null, () -> outcome.complete(read(decoder, entry)), "deep", stack).start();
        String message = outcome.get(60, TimeUnit.SECONDS);
        if (depth <= 500 || depth < 1000 && message.isEmpty()) {
            assertThat(message).isEmpty();
        } else {
            assertThat(message).contains("Deep ns/deep", "nested").hasSizeLessThan(300);
            assertThat(failures).hasSize(1);
        }
    }

    private static String read(ObjectDecoder<GenericKubernetesResource> decoder, Entry entry) {
        try {
            decoder.decode(entry);
            return "";
        } catch (UndecodableObjectException e) {
            return String.valueOf(e.getMessage());
        } catch (Throwable e) {
            return e.toString();
        }
    }
}
