package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.exchange.Answer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Answers for clients that want YAML. Stateless; safe for use by many threads. */
final class Yaml {
    private static final ObjectMapper MAPPER = YAMLMapper.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .build();

    private Yaml() {}

    /** The same answer as YAML. */
    static Answer of(Answer.Whole answer) {
        try {
            ByteArrayOutputStream json = new ByteArrayOutputStream();
            for (byte[] part : answer.body()) {
                json.write(part);
            }
            byte[] yaml = MAPPER.writeValueAsBytes(Json.parse(json.toByteArray()));
            return new Answer.Whole(answer.status(), "application/yaml", answer.headers(), List.of(yaml));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
