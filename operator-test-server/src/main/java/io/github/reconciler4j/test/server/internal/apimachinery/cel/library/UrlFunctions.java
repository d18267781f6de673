package io.github.reconciler4j.test.server.internal.apimachinery.cel.library;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** URLs and their parts. A URL is absolute, or a path. */
final class UrlFunctions {
    private static final Pattern START = Pattern.compile("(?s)(/|[a-zA-Z][a-zA-Z0-9+.-]*:).*");
    private static final Pattern HOST = Pattern.compile("(\\[[^\\]]*]|[^:\\[\\]]*)(:[0-9]*)?");
    /** Characters that a URL may contain although {@link URI} rejects them. */
    private static final Pattern ESCAPED = Pattern.compile("[ \"<>\\\\^`{|}]");

    /** A URL. */
    record Url(URI uri) {
        String host() {
            String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
            return authority.substring(authority.lastIndexOf('@') + 1);
        }

        String hostname() {
            String host = host().replaceFirst(":[0-9]*$", "");
            return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        }

        String port() {
            String host = host();
            int colon = host.indexOf(':', host.indexOf(']') + 1);
            return colon < 0 ? "" : host.substring(colon + 1);
        }

        Map<String, List<String>> parameters() {
            Map<String, List<String>> values = new LinkedHashMap<>();
            for (String part : text(uri.getRawQuery()).split("&")) {
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

    private UrlFunctions() {}

    static void addTo(KubernetesFunctions functions) {
        functions.global("url", "string -> url", args -> {
            Url url = parse((String) args[0]);
            if (url == null) {
                throw new IllegalArgumentException(
                        "URL parse error during conversion from string: \"" + args[0] + "\"");
            }
            return url;
        });
        functions.global("isURL", "string -> bool", args -> isUrl((String) args[0]));
        addPart(functions, "getScheme", url -> text(url.uri().getScheme()).toLowerCase(Locale.ROOT));
        addPart(functions, "getHost", Url::host);
        addPart(functions, "getHostname", Url::hostname);
        addPart(functions, "getEscapedPath", url -> text(url.uri().getRawPath()));
        addPart(functions, "getPort", Url::port);
        functions.member("getQuery", "url -> map(string list(string))", args -> ((Url) args[0]).parameters());
    }

    @SuppressWarnings("Immutable") // parts are methods of URLs
    private static void addPart(KubernetesFunctions functions, String name, Function<Url, String> part) {
        functions.member(name, "url -> string", args -> part.apply((Url) args[0]));
    }

    static boolean isUrl(String text) {
        return parse(text) != null;
    }

    private static @Nullable Url parse(String text) {
        if (!START.matcher(text).matches()) {
            return null;
        }
        try {
            String escaped = ESCAPED.matcher(text)
                    .replaceAll(found -> "%%%02X".formatted((int) found.group().charAt(0)));
            Url url = new Url(new URI(escaped));
            return HOST.matcher(url.host()).matches() && !url.host().contains("%") ? url : null;
        } catch (URISyntaxException e) {
            return null;
        }
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }
}
