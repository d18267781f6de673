package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.reconciler4j.test.kubernetes.NewestKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import io.github.reconciler4j.test.server.internal.apimachinery.RealApi;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

@RealKubernetesTest(
        dedicated = true,
        components = {})
@NewestKubernetes
class BuiltInTypesIntegrationTests {

    /** The folder in which to renew the recorded data first; {@code dev/built-in-types} sets it. */
    private static final String FOLDER = System.getProperty("built-in-types.folder");

    @Test
    void recordedDataWhenComparedWithTheServerIsTheSame(RealKubernetes kubernetes) throws IOException {
        try (RealApi api = new RealApi(kubernetes)) {
            for (Map.Entry<String, byte[]> file :
                    BuiltInTypesRecorder.record(api).entrySet()) {
                if (FOLDER != null) {
                    Files.write(Path.of(FOLDER).resolve(file.getKey()), file.getValue());
                    continue;
                }
                try (InputStream recorded = BuiltInTypes.class.getResourceAsStream(file.getKey())) {
                    assertThat(unpack(recorded.readAllBytes()))
                            .as("%s; run dev/built-in-types to renew it", file.getKey())
                            .isEqualTo(unpack(file.getValue()));
                }
            }
        }
    }

    private static JsonNode unpack(byte[] packed) throws IOException {
        try (GZIPInputStream stream = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            return JsonMapper.builder().build().readTree(stream);
        }
    }
}
