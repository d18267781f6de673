package io.github.reconciler4j.generator.crd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.LocalServer;
import io.github.reconciler4j.support.KubernetesJson;
import java.util.Map;
import java.util.Optional;

/** Decides whether an API server keeps what the mapper of the framework writes, under the generated definition. */
final class WrittenOracle implements AutoCloseable {

    static final ObjectMapper MAPPER = KubernetesJson.mapper();

    private final LocalServer server = new LocalServer();

    /** Return why the generator refuses a kind; nothing if it does not, and the server keeps the object. */
    Optional<String> refusal(HasMetadata sample) throws Exception {
        Map<String, Object> definition;
        try {
            definition = CrdGenerator.checked(sample.getClass(), CrdOptions.defaults());
        } catch (GeneratorException e) {
            return Optional.of(e.getMessage());
        }
        LocalServer.Answer installed =
                server.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
        assertThat(installed.code()).as(() -> installed + " for " + definition).isEqualTo(201);
        sample.setMetadata(new ObjectMetaBuilder().withName("sample").build());
        ObjectNode written = (ObjectNode) MAPPER.readTree(MAPPER.writeValueAsBytes(sample));
        @SuppressWarnings("unchecked")
        Map<String, Object> object = MAPPER.convertValue(written, Map.class);
        LocalServer.Answer created =
                server.create("/apis/" + sample.getApiVersion() + "/" + sample.getPlural(), object);
        assertThat(created.code()).as(() -> created + " for " + written).isEqualTo(201);
        JsonNode kept = MAPPER.readTree(MAPPER.writeValueAsBytes(created.body()));
        assertThat(kept.path("spec")).as("kept by the server").isEqualTo(written.path("spec"));
        Object read = MAPPER.treeToValue(kept, sample.getClass());
        assertThat(MAPPER.readTree(MAPPER.writeValueAsBytes(read)).path("spec"))
                .as("read back")
                .isEqualTo(written.path("spec"));
        return Optional.empty();
    }

    static HasMetadata sample(CompiledSources classes, String kind) throws Exception {
        return (HasMetadata) classes.loadClass(WrittenSources.PACKAGE + "." + kind)
                .getMethod("sample")
                .invoke(null);
    }

    @Override
    public void close() {
        server.close();
    }
}
