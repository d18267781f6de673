package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What one reflector lists and watches, and the requests for it. Immutable.
 *
 * @param info the kind
 * @param namespace the namespace, {@code ""} for all except the excluded ones
 * @param selector which objects
 * @param excluded namespaces to leave out, in order; empty unless the namespace is
 * @since 0.1.0
 */
public record Scope(KindInfo info, String namespace, ObjectSelector selector, List<String> excluded) {

    /** An API server that has to read a long list from its storage needs time until the first byte. */
    private static final Duration LIST_TIMEOUT = Duration.ofMinutes(2);

    private static final String METADATA_LIST =
            "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
    private static final String METADATA_WATCH =
            "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

    /**
     * What a request asks for of the objects of a scope.
     *
     * @param bodies whether to ask for whole objects, or for metadata
     * @param parts the selector of parts, {@code ""} for none
     * @since 0.1.0
     */
    public record Form(boolean bodies, String parts) {}

    /**
     * Return the scopes that cover a selection of namespaces. No two of them overlap. The one of all other namespaces is the
     * last.
     *
     * @param selector which objects, unless a namespace has a selector of its own
     * @param matching the namespaces whose labels match
     */
    public static List<Scope> of(
            KindInfo info, ObjectSelector selector, CachedNamespaces namespaces, Set<String> matching) {
        if (!info.namespaced()) {
            return List.of(new Scope(info, "", selector, List.of()));
        }
        Set<String> single = new TreeSet<>(namespaces.named());
        single.addAll(matching);
        single.removeAll(namespaces.excluded());
        List<Scope> scopes = new ArrayList<>();
        for (String namespace : single) {
            ObjectSelector own = namespaces.selectors().getOrDefault(namespace, selector);
            scopes.add(new Scope(info, namespace, own, List.of()));
        }
        if (namespaces.others()) {
            Set<String> excluded = new TreeSet<>(namespaces.excluded());
            excluded.addAll(single);
            scopes.add(new Scope(info, "", selector, List.copyOf(excluded)));
        }
        return scopes;
    }

    /** Return whether objects of a namespace belong to this scope. */
    public boolean covers(String objectNamespace) {
        return namespace.isEmpty() ? !excluded.contains(objectNamespace) : namespace.equals(objectNamespace);
    }

    /** Return {@code pods}, or {@code pods in namespace x}. */
    @Override
    public String toString() {
        return namespace.isEmpty() ? info.resource() : info.resource() + " in namespace " + namespace;
    }

    /**
     * Return a list request.
     *
     * @param version the version that the response must not be older than; {@code "0"} for any, {@code ""} for the newest
     * @param limit the page size, 0 for everything at once
     * @param next where to continue, {@code ""} for the first page
     */
    ApiRequest list(String version, int limit, String next, Form form) {
        Map<String, List<String>> query = selectors(form);
        if (limit > 0) {
            query.put("limit", List.of(Integer.toString(limit)));
        }
        if (!next.isEmpty()) {
            query.put("continue", List.of(next));
        } else if (!version.isEmpty()) {
            query.put("resourceVersion", List.of(version));
            query.put("resourceVersionMatch", List.of("NotOlderThan"));
        }
        return request("list", namespace, query, form.bodies() ? "" : METADATA_LIST)
                .withTimeout(LIST_TIMEOUT);
    }

    /** Return a request for a list of at most one object: what is watched under a name, as it is now. */
    public ApiRequest list(ObjectKey key, Form form) {
        Map<String, List<String>> query = selectors(form);
        query.merge(
                "fieldSelector",
                List.of(nameSelector(key.name())),
                (fields, name) -> List.of(name.get(0) + "," + fields.get(0)));
        return request("list", key.namespace(), query, form.bodies() ? "" : METADATA_LIST);
    }

    /** Return a field selector of one name. Names of roles may have the characters that separate terms of a selector. */
    public static String nameSelector(String name) {
        return "metadata.name=" + name.replaceAll("[\\\\,=]", "\\\\$0");
    }

    /** Return a watch request that continues after a version. */
    ApiRequest watch(String version, long seconds, Form form) {
        return request("watch", namespace, watchQuery(version, seconds, form), form.bodies() ? "" : METADATA_WATCH);
    }

    /**
     * Return a watch request that streams all objects first, in a state not older than a version; {@code ""} for the
     * newest.
     */
    ApiRequest watchList(String version, long seconds, Form form) {
        Map<String, List<String>> query = watchQuery(version, seconds, form);
        query.put("sendInitialEvents", List.of("true"));
        query.put("resourceVersionMatch", List.of("NotOlderThan"));
        return request("watch", namespace, query, form.bodies() ? "" : METADATA_WATCH);
    }

    private Map<String, List<String>> watchQuery(String version, long seconds, Form form) {
        Map<String, List<String>> query = selectors(form);
        query.put("watch", List.of("true"));
        query.put("allowWatchBookmarks", List.of("true"));
        query.put("timeoutSeconds", List.of(Long.toString(seconds)));
        if (!version.isEmpty()) {
            query.put("resourceVersion", List.of(version));
        }
        return query;
    }

    private Map<String, List<String>> selectors(Form form) {
        Map<String, List<String>> query = new LinkedHashMap<>();
        if (!selector.labels().isBlank()) {
            query.put("labelSelector", List.of(selector.labels()));
        }
        List<String> fields = new ArrayList<>();
        if (!selector.fields().isBlank()) {
            fields.add(selector.fields());
        }
        excluded.forEach(name -> fields.add("metadata.namespace!=" + name));
        if (!fields.isEmpty()) {
            query.put("fieldSelector", List.of(String.join(",", fields)));
        }
        if (!form.parts().isEmpty()) {
            query.put("shardSelector", List.of(form.parts()));
        }
        return query;
    }

    private ApiRequest request(String verb, String in, Map<String, List<String>> query, String accept) {
        ApiRequest request = ApiRequest.of(verb, "GET", info.path(in)).withQuery(query);
        return accept.isEmpty() ? request : request.withAccept(accept);
    }
}
