package io.github.reconciler4j.installer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;

/** What an API server stores, read past it. */
final class Etcd {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path socket;

    Etcd(Path socket) {
        this.socket = socket;
    }

    /** Returns the version of each object of a group that is stored, by its name. */
    Map<String, String> versions(String group) {
        String prefix = "/registry/" + group + "/";
        String end = "/registry/" + group + "0"; // the character after the slash
        JsonNode answer =
                post("/v3/kv/range", "{\"key\": \"" + base64(prefix) + "\", \"range_end\": \"" + base64(end) + "\"}");
        Map<String, String> versions = new TreeMap<>();
        for (JsonNode entry : answer.path("kvs")) {
            JsonNode object = parse(
                    new String(Base64.getDecoder().decode(entry.path("value").asText()), StandardCharsets.UTF_8));
            String apiVersion = object.path("apiVersion").asText();
            versions.put(
                    object.path("metadata").path("name").asText(), apiVersion.substring(apiVersion.indexOf('/') + 1));
        }
        return versions;
    }

    /** Let etcd refuse all writes for want of space, or accept them again. */
    void refuseWrites(boolean refused) {
        post(
                "/v3/maintenance/alarm",
                "{\"action\": \"" + (refused ? "ACTIVATE" : "DEACTIVATE")
                        + "\", \"memberID\": \"0\", \"alarm\": \"NOSPACE\"}");
    }

    private JsonNode post(String path, String body) {
        String request = "POST " + path + " HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: " + body.length() + "\r\n\r\n" + body;
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            Channels.newOutputStream(channel).write(request.getBytes(StandardCharsets.UTF_8));
            String answer = new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
            if (!answer.startsWith("HTTP/1.0 200")) {
                throw new IllegalStateException("etcd answers " + answer);
            }
            return parse(answer.substring(answer.indexOf("\r\n\r\n")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
