package io.github.reconciler4j.test.server.apimachinery.cel.library;

import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import java.util.function.Function;

/** Addresses of the web and their parts. */
final class UrlFunctions {
    private UrlFunctions() {}

    static void addTo(FunctionTable functions) {
        functions.global(
                "url",
                "string_to_url",
                Types.URL,
                args -> {
                    String text = (String) args[0];
                    String problem = WebAddress.problem(text);
                    if (problem != null) {
                        throw new IllegalArgumentException("URL parse error during conversion from string: " + problem);
                    }
                    return WebAddress.of(text);
                },
                SimpleType.STRING);
        functions.global(
                "isURL",
                "is_url_string",
                SimpleType.BOOL,
                args -> WebAddress.problem((String) args[0]) == null,
                SimpleType.STRING);
        addPart(functions, "getScheme", "url_get_scheme", WebAddress::scheme);
        addPart(functions, "getHost", "url_get_host", WebAddress::host);
        addPart(functions, "getHostname", "url_get_hostname", WebAddress::hostname);
        addPart(functions, "getEscapedPath", "url_get_escaped_path", WebAddress::escapedPath);
        addPart(functions, "getPort", "url_get_port", WebAddress::port);
        functions.member(
                "getQuery",
                "url_get_query",
                MapType.create(SimpleType.STRING, Types.TEXTS),
                args -> ((WebAddress) args[0]).parameters(),
                Types.URL);
    }

    @SuppressWarnings("Immutable") // parts are methods of addresses
    private static void addPart(FunctionTable functions, String name, String id, Function<WebAddress, String> part) {
        functions.member(name, id, SimpleType.STRING, args -> part.apply((WebAddress) args[0]), Types.URL);
    }
}
