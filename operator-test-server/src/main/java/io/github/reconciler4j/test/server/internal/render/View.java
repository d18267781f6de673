package io.github.reconciler4j.test.server.internal.render;

import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.exchange.ApiRequest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * In which form a client wants its response.
 *
 * @param form the whole object, a table, or metadata only
 * @param metaVersion the version of {@code meta.k8s.io} in which tables and metadata are wanted
 * @param yaml whether as YAML instead of JSON
 */
public record View(Form form, String metaVersion, boolean yaml) {
    /** The forms there are. */
    public enum Form {
        /** The object itself. */
        WHOLE,
        /** Rows and columns for people. */
        TABLE,
        /** The metadata alone. */
        METADATA
    }

    private static final String TYPES = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final List<String> PLAIN_TYPES = List.of("application/json", "application/yaml", PROTOBUF, "*/*");
    private static final List<String> JSON_TYPES = List.of("application/json", "application/*", "*/*");

    /** Read the {@code Accept} header: the first form of the list that this server has. */
    public static View of(ApiRequest request) {
        String accept = request.header("accept");
        if (accept.isBlank()) {
            return new View(Form.WHOLE, "v1", false);
        }
        for (String clause : accept.split(",")) {
            View view = of(clause);
            if (view != null) {
                return view;
            }
        }
        throw notAcceptable(
                accept.contains(PROTOBUF)
                        ? "the test server writes JSON and YAML, not protobuf"
                        : "only the following media types are accepted: " + TYPES);
    }

    private static StatusException notAcceptable(String message) {
        return new StatusException(406, "NotAcceptable", message, null);
    }

    /**
     * Reject a request whose answer could not be sent as the client wants it.
     *
     * @param goType the response's type as the real server's sources call it
     */
    public static void check(ApiRequest request, String verb) {
        String accept = request.header("accept");
        boolean possible = accept.isBlank()
                || Arrays.stream(accept.split(","))
                        .anyMatch(clause -> PLAIN_TYPES.contains(clause.split(";", 2)[0].trim()));
        if (!possible) {
            boolean streams = verb.equals("list") || verb.equals("watch");
            String more =
                    streams ? ", application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch" : "";
            throw new StatusException(
                    406,
                    "NotAcceptable",
                    "406: Not Acceptable\n\nAvailable representations: " + TYPES + more,
                    Json.object());
        }
        if (of(request).form() != Form.METADATA) {
            return;
        }
        boolean wantsList = accept.contains("as=PartialObjectMetadataList");
        if (verb.equals("list") && !wantsList) {
            throw notAcceptable("you requested PartialObjectMetadata, but the requested object is a list");
        }
        if (verb.equals("get") && wantsList) {
            throw notAcceptable("you requested PartialObjectMetadataList, but the requested object is not a list");
        }
    }

    private static @Nullable View of(String clause) {
        String[] parts = clause.split(";");
        Map<String, String> parameters = new HashMap<>();
        for (int i = 1; i < parts.length; i++) {
            String[] pair = parts[i].trim().split("=", 2);
            parameters.put(pair[0].trim(), pair.length == 2 ? pair[1].trim() : "");
        }
        return of(parts[0].trim().toLowerCase(Locale.ROOT), parameters);
    }

    private static @Nullable View of(String type, Map<String, String> parameters) {
        boolean yaml = type.equals("application/yaml");
        String version = parameters.getOrDefault("v", "v1");
        if (!yaml && !JSON_TYPES.contains(type)) {
            return null;
        }
        boolean known = parameters.getOrDefault("g", "meta.k8s.io").equals("meta.k8s.io")
                && (version.equals("v1") || version.equals("v1beta1"));
        return switch (parameters.getOrDefault("as", "")) {
            case "" -> new View(Form.WHOLE, "v1", yaml);
            case "Table" -> known ? new View(Form.TABLE, version, yaml) : null;
            case "PartialObjectMetadata", "PartialObjectMetadataList" ->
                known ? new View(Form.METADATA, version, yaml) : null;
            default -> null;
        };
    }
}
