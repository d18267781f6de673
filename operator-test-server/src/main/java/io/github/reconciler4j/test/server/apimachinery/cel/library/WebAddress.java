package io.github.reconciler4j.test.server.apimachinery.cel.library;

import io.github.reconciler4j.test.server.apimachinery.GoFormat;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An absolute address, or a path, as the server reads them: more lenient than the standard. Immutable.
 *
 * @param scheme before the colon, in lower case; empty for a path
 * @param host with the port, without who asks
 * @param path as it was written
 * @param query after the question mark
 */
record WebAddress(String scheme, String host, String path, String query) {
    private static final Pattern SCHEME = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*):(.*)", Pattern.DOTALL);
    private static final Pattern BAD_HOST = Pattern.compile("[ \\\\^`{}|#%/?]");
    private static final Pattern BAD_ESCAPE = Pattern.compile("%(?![0-9a-fA-F]{2}).{0,2}");
    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x1f\\x7f]");
    private static final String KEPT_IN_PATHS = "-_.~$&+,/:;=@!'()*[]%";

    static WebAddress of(String text) {
        String whole = text.contains("#") ? text.substring(0, text.indexOf('#')) : text;
        Matcher matcher = SCHEME.matcher(whole);
        String scheme = matcher.matches() ? matcher.group(1).toLowerCase(java.util.Locale.ROOT) : "";
        String rest = scheme.isEmpty() ? whole : matcher.group(2);
        String query = rest.contains("?") ? rest.substring(rest.indexOf('?') + 1) : "";
        rest = rest.contains("?") ? rest.substring(0, rest.indexOf('?')) : rest;
        String authority = "";
        if (!scheme.isEmpty() && rest.startsWith("//")) {
            int end = rest.indexOf('/', 2);
            authority = rest.substring(2, end < 0 ? rest.length() : end);
            rest = end < 0 ? "" : rest.substring(end);
        }
        return new WebAddress(scheme, authority.substring(authority.lastIndexOf('@') + 1), rest, query);
    }

    /** What the server says of a text that is no address; null if it is one. */
    static @Nullable String problem(String text) {
        String problem = flaw(text);
        return problem == null ? null : "parse " + GoFormat.quoted(text) + ": " + problem;
    }

    private static @Nullable String flaw(String text) {
        if (CONTROL.matcher(text).find()) {
            return "net/url: invalid control character in URL";
        }
        if (text.isEmpty()) {
            return "empty url";
        }
        if (text.startsWith(":")) {
            return "missing protocol scheme";
        }
        Matcher scheme = SCHEME.matcher(text);
        String rest = scheme.matches() ? scheme.group(2) : text;
        if (!rest.startsWith("/")) {
            return scheme.matches() ? null : "invalid URI for request";
        }
        WebAddress address = of(text);
        String flaw = address.hostFlaw();
        if (flaw != null) {
            return flaw;
        }
        Matcher escape = BAD_ESCAPE.matcher(address.path);
        return escape.find() ? "invalid URL escape " + GoFormat.quoted(escape.group()) : null;
    }

    private @Nullable String hostFlaw() {
        int start = host.startsWith("[") ? host.indexOf(']') : 0;
        if (start < 0) {
            return "missing ']' in host";
        }
        int colon = host.indexOf(':', start);
        if (colon >= 0 && !host.substring(colon + 1).matches("[0-9]*")) {
            return "invalid port " + GoFormat.quoted(host.substring(host.lastIndexOf(':'))) + " after host";
        }
        Matcher bad = BAD_HOST.matcher(host);
        return bad.find() ? "invalid character " + GoFormat.quoted(bad.group()) + " in host name" : null;
    }

    String hostname() {
        if (host.startsWith("[")) {
            return host.substring(1, host.indexOf(']'));
        }
        return host.contains(":") ? host.substring(0, host.indexOf(':')) : host;
    }

    String port() {
        int colon = host.indexOf(':', Math.max(0, host.indexOf(']')));
        return colon < 0 ? "" : host.substring(colon + 1);
    }

    String escapedPath() {
        StringBuilder escaped = new StringBuilder();
        for (byte one : path.getBytes(StandardCharsets.UTF_8)) {
            char character = (char) (one & 0xff);
            boolean plain = character < 0x80 && Character.isLetterOrDigit(character);
            if (plain || KEPT_IN_PATHS.indexOf(character) >= 0) {
                escaped.append(character);
            } else {
                escaped.append(String.format("%%%02X", (int) character));
            }
        }
        return escaped.toString();
    }

    Map<String, List<String>> parameters() {
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (String part : query.split("&")) {
            if (!part.isEmpty()) {
                String[] pair = part.split("=", 2);
                values.computeIfAbsent(decoded(pair[0]), name -> new ArrayList<>())
                        .add(pair.length == 2 ? decoded(pair[1]) : "");
            }
        }
        return values;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
