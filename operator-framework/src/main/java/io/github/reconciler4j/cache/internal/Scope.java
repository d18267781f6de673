package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.cache.StorageForm;
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
 * What one reflector lists and watches, as requests.
 *
 * @param namespace the namespace, {@code ""} for all but the excluded ones
 * @param selector what to watch there
 * @param excluded namespaces to leave out, in order; empty unless the namespace is
 * @param headersOnly whether to ask for metadata only
 */
record Scope(KindInfo info, String namespace, ObjectSelector selector, List<String> excluded, boolean headersOnly) {

    /** An API server that has to read a long list from its storage takes its time until the first byte. */
    private static final Duration LIST_TIMEOUT = Duration.ofMinutes(2);

    private static final String METADATA_LIST =
            "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
    private static final String METADATA_WATCH =
            "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

    /**
     * The scopes that cover what the settings of a kind say.
     *
     * @param followed the namespaces whose labels match
     */
    static List<Scope> of(KindInfo info, KindCacheOptions options, CachedNamespaces namespaces, Set<String> followed) {
        boolean headersOnly = options.storage() == StorageForm.METADATA;
        if (!info.namespaced()) {
            return List.of(new Scope(info, "", options.selector(), List.of(), headersOnly));
        }
        Set<String> single = new TreeSet<>(namespaces.named());
        single.addAll(followed);
        single.removeAll(namespaces.excluded());
        List<Scope> scopes = new ArrayList<>();
        if (namespaces.others()) {
            Set<String> excluded = new TreeSet<>(namespaces.excluded());
            excluded.addAll(single);
            scopes.add(new Scope(info, "", options.selector(), List.copyOf(excluded), headersOnly));
        }
        for (String namespace : single) {
            ObjectSelector selector = namespaces.selectors().getOrDefault(namespace, options.selector());
            scopes.add(new Scope(info, namespace, selector, List.of(), headersOnly));
        }
        return scopes;
    }

    /** Whether objects of a namespace come with this scope. */
    boolean covers(String objectNamespace) {
        return namespace.isEmpty() ? !excluded.contains(objectNamespace) : namespace.equals(objectNamespace);
    }

    /** Whether an object belongs to the part that is wanted; what the server was asked for need not be all it does. */
    boolean isOfShard(String uid) {
        return selector.shard().isEmpty() || selector.shard().get().contains(uid);
    }

    /** {@code pods}, or {@code pods in namespace x}. */
    @Override
    public String toString() {
        return namespace.isEmpty() ? info.resource() : info.resource() + " in namespace " + namespace;
    }

    /**
     * A list request.
     *
     * @param version the version the answer must not be older than; {@code "0"} for whatever the server has at hand,
     *     {@code ""} for the newest
     * @param limit the size of a page, 0 for everything at once
     * @param next where to go on, {@code ""} for the first page
     */
    ApiRequest list(String version, int limit, String next) {
        Map<String, List<String>> query = selectors();
        if (limit > 0) {
            query.put("limit", List.of(Integer.toString(limit)));
        }
        if (!next.isEmpty()) {
            query.put("continue", List.of(next));
        } else if (!version.isEmpty()) {
            query.put("resourceVersion", List.of(version));
            query.put("resourceVersionMatch", List.of("NotOlderThan"));
        }
        return request("list", query, METADATA_LIST).withTimeout(LIST_TIMEOUT);
    }

    /** A request for the list of what is watched of one name, as it is now. */
    ApiRequest list(ObjectKey key) {
        Map<String, List<String>> query = selectors();
        query.merge(
                "fieldSelector",
                List.of("metadata.name=" + key.name()),
                (fields, name) -> List.of(name.get(0) + "," + fields.get(0)));
        return request("list", key.namespace(), query, METADATA_LIST);
    }

    /** A watch request that goes on after a version. */
    ApiRequest watch(String version, long seconds) {
        return request("watch", watchQuery(version, seconds), METADATA_WATCH);
    }

    /** A watch request that begins with everything there is, not older than a version; {@code ""} for the newest. */
    ApiRequest watchList(String version, long seconds) {
        Map<String, List<String>> query = watchQuery(version, seconds);
        query.put("sendInitialEvents", List.of("true"));
        query.put("resourceVersionMatch", List.of("NotOlderThan"));
        return request("watch", query, METADATA_WATCH);
    }

    private Map<String, List<String>> watchQuery(String version, long seconds) {
        Map<String, List<String>> query = selectors();
        query.put("watch", List.of("true"));
        query.put("allowWatchBookmarks", List.of("true"));
        query.put("timeoutSeconds", List.of(Long.toString(seconds)));
        if (!version.isEmpty()) {
            query.put("resourceVersion", List.of(version));
        }
        return query;
    }

    private Map<String, List<String>> selectors() {
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
        selector.shard().ifPresent(shard -> query.put("shardSelector", List.of(shard.selector())));
        return query;
    }

    private ApiRequest request(String verb, Map<String, List<String>> query, String metadataType) {
        return request(verb, namespace, query, metadataType);
    }

    private ApiRequest request(String verb, String in, Map<String, List<String>> query, String metadataType) {
        ApiRequest request = ApiRequest.of(verb, "GET", info.path(in)).withQuery(query);
        return headersOnly ? request.withAccept(metadataType) : request;
    }
}
