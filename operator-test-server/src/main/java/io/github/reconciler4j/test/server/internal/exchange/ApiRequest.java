package io.github.reconciler4j.test.server.internal.exchange;

import java.util.Locale;
import java.util.Map;

/**
 * A request as it arrived.
 *
 * @param method the HTTP method, upper case
 * @param path the decoded path
 * @param query the decoded query
 * @param headers the headers by lower-case name; several of one name are joined with commas
 * @param body the body, empty when there is none
 * @since 0.1.0
 */
public record ApiRequest(String method, String path, Query query, Map<String, String> headers, byte[] body) {
    /** A header's value, or an empty string. */
    public String header(String name) {
        return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }

    /** The media type of the body without parameters, lower case; empty when not told. */
    public String contentType() {
        String type = header("content-type");
        int parameters = type.indexOf(';');
        return (parameters < 0 ? type : type.substring(0, parameters)).trim().toLowerCase(Locale.ROOT);
    }
}
