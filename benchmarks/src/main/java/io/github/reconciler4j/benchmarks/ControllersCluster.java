package io.github.reconciler4j.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.NotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;

/** What a user of the benchmark's cluster writes and reads. The pods of each Service are a group. */
final class ControllersCluster {

    private static final int THREADS = 8;
    private static final String NAMESPACE = "load";
    private static final String CORE = "/api/v1";
    private static final String APPS = "/apis/apps/v1";
    private static final String DISCOVERY = "/apis/discovery.k8s.io/v1";

    private final ApiConnection connection;
    private final int groups;
    private final ObjectMapper mapper = new ObjectMapper();

    ControllersCluster(ApiConnection connection, int groups) {
        this.connection = connection;
        this.groups = groups;
    }

    void createDeployments(int count, int replicas) throws InterruptedException, ExecutionException {
        forEach(count, i -> create(APPS, "deployments", """
                {"metadata": {"name": "d%1$d"},
                 "spec": {"replicas": %2$d, "selector": {"matchLabels": {"app": "d%1$d"}},
                  "template": {"metadata": {"labels": {"app": "d%1$d", "group": "s%3$d"}},
                   "spec": {"terminationGracePeriodSeconds": 0,
                    "containers": [{"name": "main", "image": "app:1", "ports": [{"containerPort": 8080}]}]}}}}
                """.formatted(i, replicas, i % groups)));
    }

    void setImages(int count, String image) throws InterruptedException, ExecutionException {
        String patch = "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"main\",\"image\":\"" + image
                + "\"}]}}}}";
        forEach(
                count,
                i -> connection.send(ApiRequest.of("patch", "PATCH", path(APPS, "deployments") + "/d" + i)
                        .withBody("application/strategic-merge-patch+json", patch.getBytes(StandardCharsets.UTF_8))));
    }

    void createServices(int count) throws InterruptedException, ExecutionException {
        forEach(count, i -> create(CORE, "services", """
                {"metadata": {"name": "s%1$d"}, "spec": {"selector": {"group": "s%1$d"}, "ports": [{"port": 8080}]}}
                """.formatted(i)));
    }

    void deletePods(List<String> names) throws InterruptedException, ExecutionException {
        forEach(names.size(), i -> delete(CORE, "pods", names.get(i)));
    }

    void deleteAll(int deployments, int services) throws InterruptedException, ExecutionException {
        forEach(services, i -> delete(CORE, "services", "s" + i));
        forEach(deployments, i -> delete(APPS, "deployments", "d" + i));
    }

    boolean isEmpty() {
        return list(APPS, "deployments").isEmpty()
                && list(APPS, "replicasets").isEmpty()
                && list(CORE, "pods").isEmpty()
                && list(CORE, "endpoints").isEmpty()
                && list(DISCOVERY, "endpointslices").isEmpty();
    }

    Map<String, List<String>> podsByGroup() {
        return list(CORE, "pods").stream()
                .filter(ControllersCluster::isReady)
                .collect(Collectors.groupingBy(
                        ControllersCluster::group,
                        Collectors.mapping(pod -> pod.at("/metadata/name").asText(), Collectors.toList())));
    }

    Map<String, List<String>> addressesByGroup() {
        Map<String, List<String>> addresses = new TreeMap<>();
        list(CORE, "pods").stream()
                .filter(ControllersCluster::isReady)
                .forEach(pod ->
                        add(addresses, group(pod), pod.at("/status/podIP").asText()));
        return sorted(addresses);
    }

    Map<String, List<String>> addressesInSlices() {
        Map<String, List<String>> addresses = new TreeMap<>();
        for (JsonNode slice : list(DISCOVERY, "endpointslices")) {
            for (JsonNode endpoint : slice.path("endpoints")) {
                add(
                        addresses,
                        slice.at("/metadata/labels/kubernetes.io~1service-name").asText(),
                        endpoint.at("/addresses/0").asText());
            }
        }
        return sorted(addresses);
    }

    Map<String, List<String>> addressesInEndpoints() {
        Map<String, List<String>> addresses = new TreeMap<>();
        for (JsonNode endpoints : list(CORE, "endpoints")) {
            for (JsonNode subset : endpoints.path("subsets")) {
                subset.path("addresses")
                        .forEach(address -> add(
                                addresses,
                                endpoints.at("/metadata/name").asText(),
                                address.path("ip").asText()));
            }
        }
        return sorted(addresses);
    }

    private static void add(Map<String, List<String>> addresses, String group, String address) {
        addresses.computeIfAbsent(group, g -> new ArrayList<>()).add(address);
    }

    private static Map<String, List<String>> sorted(Map<String, List<String>> addresses) {
        addresses.values().forEach(Collections::sort);
        return addresses;
    }

    private static String group(JsonNode pod) {
        return pod.at("/metadata/labels/group").asText();
    }

    private static boolean isReady(JsonNode pod) {
        if (pod.at("/metadata").has("deletionTimestamp")) {
            return false;
        }
        for (JsonNode condition : pod.at("/status/conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                return condition.path("status").asText().equals("True");
            }
        }
        return false;
    }

    /** Return all objects of a resource, as the API server has them in its cache. */
    List<JsonNode> list(String group, String resource) {
        ApiRequest request =
                ApiRequest.of("list", "GET", path(group, resource)).withQuery(Map.of("resourceVersion", List.of("0")));
        try {
            List<JsonNode> items = new ArrayList<>();
            mapper.readTree(connection.send(request).body()).path("items").forEach(items::add);
            return items;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void create(String group, String resource, String json) {
        connection.send(ApiRequest.of("create", "POST", path(group, resource))
                .withBody(ApiRequest.JSON, json.getBytes(StandardCharsets.UTF_8)));
    }

    private void delete(String group, String resource, String name) {
        try {
            connection.send(ApiRequest.of("delete", "DELETE", path(group, resource) + "/" + name));
        } catch (NotFoundException e) {
            // A controller was faster.
        }
    }

    private static String path(String group, String resource) {
        return group + "/namespaces/" + NAMESPACE + "/" + resource;
    }

    static void forEach(int count, IntConsumer action) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            all.add(threads.submit(() -> action.accept(number)));
        }
        threads.shutdown();
        for (Future<?> one : all) {
            one.get();
        }
    }
}
