package io.github.reconciler4j.test.server.internal.exchange;

import java.util.Locale;
import java.util.Map;

/**
 * A request as it arrived.
 *
 * @param method the HTTP method, upper case
 * @param headers the headers by lower-case name; several of one name are joined with commas
 * @param body the body, may be empty
 */
public record ApiRequest(String method, String path, Query query, Map<String, String> headers, byte[] body) {
    /** Return a header's value, or an empty string. */
    public String header(String name) {
        return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }

    /** Return the media type of the body without parameters, lower case, may be empty. */
    public String contentType() {
        String type = header("content-type");
        int parameters = type.indexOf(';');
        return (parameters < 0 ? type : type.substring(0, parameters)).trim().toLowerCase(Locale.ROOT);
    }
}
