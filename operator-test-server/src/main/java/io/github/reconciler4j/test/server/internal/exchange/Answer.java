package io.github.reconciler4j.test.server.internal.exchange;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the server sends back: a whole body or a stream.
 *
 * @since 0.1.0
 */
public sealed interface Answer permits Answer.Whole, Answer.Stream {
    /** The media type of nearly everything. */
    String JSON = "application/json";

    /** The HTTP status code. */
    int status();

    /** The headers besides those about the body; a name may come several times. */
    List<Map.Entry<String, String>> headers();

    /** The same answer with one more header. */
    Answer withHeader(String name, String value);

    /**
     * An answer whose body is known.
     *
     * @param status the HTTP status code
     * @param contentType the media type
     * @param headers further headers
     * @param body the parts of the body, one after the other
     */
    record Whole(int status, String contentType, List<Map.Entry<String, String>> headers, List<byte[]> body)
            implements Answer {
        @Override
        public Whole withHeader(String name, String value) {
            return new Whole(status, contentType, plus(headers, name, value), body);
        }
    }

    /**
     * An answer that goes on until one side ends it.
     *
     * @param status the HTTP status code
     * @param contentType the media type
     * @param headers further headers
     * @param source what fills it
     */
    record Stream(int status, String contentType, List<Map.Entry<String, String>> headers, StreamSource source)
            implements Answer {
        @Override
        public Stream withHeader(String name, String value) {
            return new Stream(status, contentType, plus(headers, name, value), source);
        }
    }

    /** A JSON document. */
    static Whole json(int status, JsonNode tree) {
        return new Whole(status, JSON, List.of(), List.of(Json.bytes(tree), new byte[] {'\n'}));
    }

    /** A line of text. */
    static Whole text(int status, String text) {
        return new Whole(
                status, "text/plain; charset=utf-8", List.of(), List.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** An error as a {@code Status} object. */
    static Whole error(StatusException error) {
        return json(error.code(), error.toStatus());
    }

    private static List<Map.Entry<String, String>> plus(
            List<Map.Entry<String, String>> headers, String name, String value) {
        List<Map.Entry<String, String>> more = new ArrayList<>(headers);
        more.add(Map.entry(name, value));
        return List.copyOf(more);
    }
}
