package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.connection.ConnectionOptions;
import io.github.reconciler4j.fixtures.ScriptedServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class CompressedResponseTests {

    private static final String BODY = "{\"items\":[" + "{\"kind\":\"ConfigMap\"},".repeat(5000) + "{}]}";

    private static byte[] answer() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(BODY.getBytes(StandardCharsets.UTF_8));
        }
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        answer.writeBytes(("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
                        + "Content-Length: " + packed.size() + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        answer.writeBytes(packed.toByteArray());
        return answer.toByteArray();
    }

    @Test
    void streamWhenAnswerIsCompressedReadsItAsIfItWereNot() throws IOException {
        byte[] answer = answer();
        ApiRequest list = ApiRequest.of("list", "GET", "/api/v1/configmaps");
        try (ScriptedServer server = ScriptedServer.start((request, out) -> out.write(answer));
                ApiConnection connection = ApiConnection.open(server.config(), ConnectionOptions.defaults());
                ApiStream stream = connection.stream(list.withGzip(true))) {
            assertThat(new String(stream.readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo(BODY);
            assertThat(server.requests().get(0).headers()).containsEntry("accept-encoding", "gzip");
        }
    }
}
