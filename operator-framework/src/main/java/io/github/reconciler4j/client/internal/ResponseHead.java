package io.github.reconciler4j.client.internal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The head of an HTTP/1.1 answer. Immutable.
 *
 * @param code the status
 * @param headers the values by lower-case name
 * @param persistent whether the connection stays open after it
 */
record ResponseHead(int code, Map<String, List<String>> headers, boolean persistent) {

    private static final int LONGEST = 256 * 1024;

    /** Reads the next head that is not an interim one. */
    static ResponseHead read(HttpSocket socket) throws IOException {
        ResponseHead head = readAny(socket);
        while (head.code >= 100 && head.code < 200) {
            head = readAny(socket);
        }
        return head;
    }

    private static ResponseHead readAny(HttpSocket socket) throws IOException {
        String status = socket.line(LONGEST);
        if (!status.startsWith("HTTP/1.") || status.length() < 12) {
            throw new IOException("The answer is not HTTP/1.1");
        }
        int code;
        try {
            code = Integer.parseInt(status.substring(9, 12));
        } catch (NumberFormatException e) {
            throw new IOException("The answer has no status", e);
        }
        Map<String, List<String>> headers = headers(socket);
        boolean persistent = status.startsWith("HTTP/1.1")
                && headers.getOrDefault("connection", List.of()).stream()
                        .noneMatch(value -> value.toLowerCase(Locale.ROOT).contains("close"));
        return new ResponseHead(code, headers, persistent);
    }

    /** The same as the last one on its connection. */
    ResponseHead last() {
        return new ResponseHead(code, headers, false);
    }

    /** Reads header lines up to the empty one; also after a chunked body. */
    static Map<String, List<String>> headers(HttpSocket socket) throws IOException {
        Map<String, List<String>> headers = new HashMap<>();
        int length = 0;
        for (String line = socket.line(LONGEST); !line.isEmpty(); line = socket.line(LONGEST)) {
            length += line.length();
            int colon = line.indexOf(':');
            if (colon <= 0 || length > LONGEST) {
                throw new IOException("The head of the answer is malformed");
            }
            headers.computeIfAbsent(line.substring(0, colon).toLowerCase(Locale.ROOT), name -> new ArrayList<>(1))
                    .add(line.substring(colon + 1).strip());
        }
        return headers;
    }
}
