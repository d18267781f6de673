package io.github.reconciler4j.client.internal;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Turns paths and queries into addresses. */
final class RequestUris {

    private static final String PLAIN_IN_PATH = "-._~!$&'()*+,;=:@/";
    private static final String PLAIN_IN_QUERY = "-._~/:,";
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    private RequestUris() {}

    static URI of(String base, String path, Map<String, List<String>> query) {
        StringBuilder uri = new StringBuilder(base.endsWith("/") ? base.substring(0, base.length() - 1) : base);
        encode(path, PLAIN_IN_PATH, uri);
        char separator = '?';
        for (Map.Entry<String, List<String>> parameter : query.entrySet()) {
            for (String value : parameter.getValue()) {
                uri.append(separator);
                encode(parameter.getKey(), PLAIN_IN_QUERY, uri);
                uri.append('=');
                encode(value, PLAIN_IN_QUERY, uri);
                separator = '&';
            }
        }
        return URI.create(uri.toString());
    }

    private static void encode(String text, String plain, StringBuilder to) {
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xFF);
            if (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || plain.indexOf(c) >= 0) {
                to.append(c);
            } else {
                to.append('%').append(HEX[c >> 4]).append(HEX[c & 15]);
            }
        }
    }
}
