package io.github.reconciler4j.controllers.internal.support;

import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.UnexpectedResponseException;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All resources that an API server serves, each in the version that the server prefers. Immutable.
 *
 * @param resources the resources without subresources
 * @param failures the groups and versions that cannot be read at the moment, for example {@code metrics.k8s.io/v1beta1},
 *     with the reason
 * @since 0.1.0
 */
public record ServedResources(List<Resource> resources, Map<String, String> failures) {

    private static final String AGGREGATED =
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";

    /**
     * A resource. Immutable.
     *
     * @param kind its kind, plural and scope
     * @param verbs what can be done with its objects
     */
    public record Resource(KindInfo kind, Set<String> verbs) {

        /** Copy the verbs. */
        public Resource {
            verbs = Set.copyOf(verbs);
        }
    }

    /** Copy the collections. */
    public ServedResources {
        resources = List.copyOf(resources);
        failures = Map.copyOf(failures);
    }

    /**
     * Request the resources: with two requests, or from an old API server with one for each group and version.
     *
     * @throws ApiException if the groups cannot be read
     */
    public static ServedResources request(ApiConnection connection) {
        Discovered discovered = new Discovered(connection);
        discovered.read("/api", "APIVersions");
        discovered.read("/apis", "APIGroupList");
        return new ServedResources(discovered.preferred(), discovered.failures);
    }

    /** Return the resources whose objects support all these verbs. */
    public List<Resource> supporting(Collection<String> verbs) {
        return resources.stream()
                .filter(resource -> resource.verbs().containsAll(verbs))
                .toList();
    }

    /** Return one line about all failures, {@code ""} if there are none. */
    public String failureText() {
        return failures.isEmpty()
                ? ""
                : new TreeMap<>(failures)
                        .entrySet().stream()
                                .map(failure -> failure.getKey() + ": " + failure.getValue())
                                .collect(Collectors.joining(
                                        ", ", "unable to retrieve the complete list of server APIs: ", ""));
    }

    /** The resources that have been found so far, by group and plural. */
    private static final class Discovered {

        private final ApiConnection connection;
        private final Map<List<String>, Resource> resources = new LinkedHashMap<>();
        private final Map<String, String> failures = new LinkedHashMap<>();

        Discovered(ApiConnection connection) {
            this.connection = connection;
        }

        List<Resource> preferred() {
            return new ArrayList<>(resources.values());
        }

        void read(String path, String oldKind) {
            Map<String, Object> document = document(path, AGGREGATED);
            if ("APIGroupDiscoveryList".equals(document.get("kind"))) {
                list(document, "items").forEach(this::readAggregated);
            } else if (!oldKind.equals(document.get("kind"))) {
                throw new UnexpectedResponseException("discover " + path + ": the response is not an " + oldKind);
            } else if (path.equals("/api")) {
                list(document, "versions").forEach(version -> readVersion("", String.valueOf(version), false));
            } else {
                list(document, "groups").forEach(this::readGroup);
            }
        }

        /** The first version in the list is the preferred one. */
        private void readAggregated(Object item) {
            String group = text(map(map(item).get("metadata")), "name");
            boolean preferred = true;
            for (Object each : list(map(item), "versions")) {
                Map<String, Object> version = map(each);
                String name = text(version, "version");
                if (text(version, "freshness").equals("Stale")) {
                    failures.put(apiVersion(group, name), "stale GroupVersion discovery: " + apiVersion(group, name));
                }
                for (Object resource : list(version, "resources")) {
                    add(
                            new KindInfo(
                                    new KindName(
                                            group, name, text(map(map(resource).get("responseKind")), "kind")),
                                    text(map(resource), "resource"),
                                    text(map(resource), "scope").equals("Namespaced")),
                            map(resource),
                            preferred);
                }
                preferred = false;
            }
        }

        private void readGroup(Object item) {
            String group = text(map(item), "name");
            String preferred = text(map(map(item).get("preferredVersion")), "version");
            for (Object each : list(map(item), "versions")) {
                String version = text(map(each), "version");
                readVersion(group, version, version.equals(preferred));
            }
        }

        private void readVersion(String group, String version, boolean preferred) {
            String path = group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
            try {
                for (Object each : list(document(path, ApiRequest.JSON), "resources")) {
                    Map<String, Object> resource = map(each);
                    String plural = text(resource, "name");
                    if (plural.indexOf('/') < 0) {
                        KindName kind = new KindName(group, version, text(resource, "kind"));
                        boolean namespaced = Boolean.TRUE.equals(resource.get("namespaced"));
                        add(new KindInfo(kind, plural, namespaced), resource, preferred);
                    }
                }
            } catch (ApiException e) {
                failures.put(apiVersion(group, version), String.valueOf(e.getMessage()));
            }
        }

        /** Another version of a resource counts only if it is the preferred one. */
        private void add(KindInfo kind, Map<String, Object> resource, boolean preferred) {
            List<String> name = List.of(kind.kind().group(), kind.plural());
            if (preferred || !resources.containsKey(name)) {
                Set<String> verbs =
                        list(resource, "verbs").stream().map(String::valueOf).collect(Collectors.toSet());
                resources.put(name, new Resource(kind, verbs));
            }
        }

        private Map<String, Object> document(String path, String accept) {
            try {
                return KubernetesJson.readMap(connection
                        .send(ApiRequest.of("discover", "GET", path).withAccept(accept))
                        .body());
            } catch (IOException e) {
                throw new UnexpectedResponseException("discover " + path + ": the response is not JSON");
            }
        }

        private static String apiVersion(String group, String version) {
            return group.isEmpty() ? version : group + "/" + version;
        }

        private static String text(Map<String, Object> object, String name) {
            return object.get(name) instanceof String text ? text : "";
        }

        private static List<?> list(Map<String, Object> object, String name) {
            return object.get(name) instanceof List<?> list ? list : List.of();
        }

        @SuppressWarnings("unchecked") // objects of JSON have names as keys
        private static Map<String, Object> map(@Nullable Object value) {
            return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
        }
    }
}
