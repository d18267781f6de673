package io.github.reconciler4j.test.server.internal.rest;

import io.github.reconciler4j.test.server.internal.exchange.ApiRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The subject of a request, from its path and method.
 *
 * @param isResource whether the path names a resource; else only path and verb mean something
 * @param verb {@code get}, {@code list}, ... or the lower-case method for other paths
 * @param group the API group, empty for the core group
 * @param namespace the namespace, empty for none
 * @param name the object's name, empty for collections
 * @param subresource the part of the object, empty for the whole
 */
public record RequestInfo(
        boolean isResource,
        String verb,
        String group,
        String version,
        String namespace,
        String resource,
        String name,
        String subresource,
        String path) {
    private static final List<String> NAMESPACE_PARTS = List.of("status", "finalize");

    public static RequestInfo of(ApiRequest request) {
        List<String> parts = Arrays.stream(request.path().split("/"))
                .filter(part -> !part.isEmpty())
                .toList();
        boolean core = !parts.isEmpty() && parts.get(0).equals("api");
        boolean named = !parts.isEmpty() && parts.get(0).equals("apis");
        int head = core ? 2 : 3;
        if (!core && !named || parts.size() <= head) {
            String verb = request.method().toLowerCase(Locale.ROOT);
            return new RequestInfo(false, verb, "", "", "", "", "", "", request.path());
        }
        String group = core ? "" : parts.get(1);
        return resource(request, group, parts.get(head - 1), parts.subList(head, parts.size()));
    }

    private static RequestInfo resource(ApiRequest request, String group, String version, List<String> all) {
        boolean watchPath = all.get(0).equals("watch") && all.size() > 1;
        List<String> parts = watchPath ? all.subList(1, all.size()) : all;
        String namespace = "";
        if (parts.get(0).equals("namespaces") && parts.size() > 1) {
            namespace = parts.get(1);
            if (parts.size() > 2 && !NAMESPACE_PARTS.contains(parts.get(2))) {
                parts = parts.subList(2, parts.size());
            }
        }
        String name = parts.size() > 1 ? parts.get(1) : "";
        String subresource = parts.size() > 2 ? String.join("/", parts.subList(2, parts.size())) : "";
        String verb = watchPath ? "watch" : verb(request, name);
        return new RequestInfo(true, verb, group, version, namespace, parts.get(0), name, subresource, request.path());
    }

    private static String verb(ApiRequest request, String name) {
        return switch (request.method()) {
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> name.isEmpty() ? "deletecollection" : "delete";
            case "GET" -> {
                if (!name.isEmpty()) {
                    yield "get";
                }
                yield request.query().isTrue("watch") ? "watch" : "list";
            }
            default -> "";
        };
    }
}
