package io.github.reconciler4j.test.server.internal.exchange;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A response: a complete body or a stream. */
public sealed interface Response permits Response.Whole, Response.Stream {
    /** The media type of nearly everything. */
    String JSON = "application/json";

    int status();

    /** Return the headers besides those about the body; a name may come several times. */
    List<Map.Entry<String, String>> headers();

    Response withHeader(String name, String value);

    /**
     * A response whose body is known.
     *
     * @param body the parts of the body, one after the other
     */
    record Whole(int status, String contentType, List<Map.Entry<String, String>> headers, List<byte[]> body)
            implements Response {
        @Override
        public Whole withHeader(String name, String value) {
            return new Whole(status, contentType, plus(headers, name, value), body);
        }
    }

    /** A response that continues until one side ends it. */
    record Stream(int status, String contentType, List<Map.Entry<String, String>> headers, StreamSource source)
            implements Response {
        @Override
        public Stream withHeader(String name, String value) {
            return new Stream(status, contentType, plus(headers, name, value), source);
        }
    }

    static Whole json(int status, JsonNode tree) {
        return new Whole(status, JSON, List.of(), List.of(Json.bytes(tree), new byte[] {'\n'}));
    }

    static Whole text(int status, String text) {
        return new Whole(
                status, "text/plain; charset=utf-8", List.of(), List.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    static Whole error(StatusException error) {
        Whole response = json(error.code(), error.toStatus());
        long seconds = Json.number(error.toStatus(), 0, "details", "retryAfterSeconds");
        return seconds > 0 ? response.withHeader("Retry-After", Long.toString(seconds)) : response;
    }

    private static List<Map.Entry<String, String>> plus(
            List<Map.Entry<String, String>> headers, String name, String value) {
        List<Map.Entry<String, String>> more = new ArrayList<>(headers);
        more.add(Map.entry(name, value));
        return List.copyOf(more);
    }
}
