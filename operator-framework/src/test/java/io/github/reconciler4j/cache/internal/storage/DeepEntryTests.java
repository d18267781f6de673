package io.github.reconciler4j.cache.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.cache.internal.Json;
import io.github.reconciler4j.cache.internal.json.ByteBuilder;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
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
        Entry entry = entry(depth);
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

    private static Entry entry(int depth) throws IOException {
        String json = "{\"apiVersion\":\"deep.example.com/v1\",\"kind\":\"Deep\",\"spec\":" + "{\"a\":".repeat(depth)
                + "1" + "}".repeat(depth) + "}";
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        ByteBuilder text = new ByteBuilder(16);
        text.append(bytes, 0, bytes.length);
        return BodyEncoder.PLAIN.encode(Json.header("ns", "deep", 1, "5", ""), text);
    }

    /** However much stack a value takes, it is read with less and less of it, until there is too little. */
    @Test
    void objectWhenTheStackEndsWithinItIsSetAsideWithTheReason() throws Exception {
        Entry entry = entry(900);
        ObjectDecoder<GenericKubernetesResource> decoder =
                new ObjectDecoder<>(KIND, GenericKubernetesResource.class, (failed, exception) -> {});
        read(decoder, entry(1001)); // loads all classes that it takes to fail
        CompletableFuture<String> outcome = new CompletableFuture<>();
        Runnable test = () -> {
            String message = "";
            for (int frames = 0; message.isEmpty(); frames += 20) {
                message = readBelow(frames, decoder, entry);
            }
            outcome.complete(message);
        };
        new Thread(null, test, "ever deeper", 1 << 20).start();
        assertThat(outcome.get(60, TimeUnit.SECONDS)).contains("Deep ns/deep", "nested");
    }

    private static String readBelow(int frames, ObjectDecoder<GenericKubernetesResource> decoder, Entry entry) {
        return frames == 0 ? read(decoder, entry) : readBelow(frames - 1, decoder, entry);
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
