package io.github.reconciler4j.client.internal.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.internal.write.ApplyTrees;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An apply changes nothing if the comparison says so; random objects. */
@Timeout(300)
abstract class ManagedFieldsComparisonPromises {

    private static final int ROUNDS = Integer.getInteger("managed.fields.rounds", 400);

    private static final String CRD = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: owneds.client.test.reconciler4j.io}
            spec:
              group: client.test.reconciler4j.io
              names: {kind: Owned, plural: owneds}
              scope: Cluster
              versions:
              - name: v1
                served: true
                storage: true
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        properties:
                          size: {type: integer, default: 3}
                          text: {type: string}
                          free: {type: object, additionalProperties: {type: string}}
                          whole: &whole
                            type: object
                            x-kubernetes-map-type: atomic
                            properties: {a: {type: string}, b: {type: string, default: "b"}}
                          tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}
                          rows: {type: array, x-kubernetes-list-type: atomic, items: *whole}
                          ports:
                            type: array
                            x-kubernetes-list-type: map
                            x-kubernetes-list-map-keys: [port, protocol]
                            items:
                              type: object
                              required: [port]
                              properties:
                                port: {type: integer}
                                protocol: {type: string, default: TCP}
                                name: {type: string}
                                free: {type: object, additionalProperties: {type: string}}
            """;

    private final ObjectMapper mapper = new ObjectMapper();
    private Random random = new Random();

    /** Return the connection to the server under test. */
    abstract ApiConnection connection();

    @Test
    void applyWhenComparisonSaysUnchangedChangesNothing() {
        Client client = Client.create(connection(), Scheme.create(), ClientOptions.defaults());
        client.applyUnconditionally(
                new KubernetesSerialization().unmarshal(CRD, GenericKubernetesResource.class), ApplyOptions.defaults());
        KindName kind = KindName.of("client.test.reconciler4j.io/v1", "Owned");
        await("the definition")
                .atMost(Duration.ofSeconds(30))
                .until(() -> client.discovery().find(kind).isPresent());
        int unchanged = 0;
        for (int seed = 0; seed < ROUNDS; seed++) {
            random = new Random(seed);
            unchanged += round(client, "x" + seed, "seed " + seed) ? 1 : 0;
        }
        assertThat(unchanged).as("applies that are said to change nothing").isBetween(ROUNDS / 10, ROUNDS * 9 / 10);
    }

    private boolean round(Client client, String name, String seed) {
        Map<String, Object> previous = spec();
        previous.put("text", letter());
        client.withFieldManager("me").applyUnconditionally(object(name, previous), ApplyOptions.defaults());
        if (random.nextInt(3) == 0) {
            GenericKubernetesResource foreign = object(name, spec());
            Client other = client.withFieldManager("other");
            if (random.nextBoolean()) {
                other.applyUnconditionally(foreign, ApplyOptions.defaults());
            } else {
                other.patch(foreign, ObjectPatch.merge(Map.of("spec", spec())));
            }
        }
        GenericKubernetesResource wanted = object(name, random.nextBoolean() ? nearly(previous) : previous);
        JsonNode before = mapper.valueToTree(client.live()
                .get(Kind.of(wanted.getApiVersion(), wanted.getKind()), ObjectKey.ofName(name))
                .orElseThrow());
        ObjectNode tree = mapper.valueToTree(wanted);
        boolean unchanged = ManagedFieldsComparison.isApplied(tree, ApplyTrees.given(tree), before, "me");
        JsonNode after = applied(client.withFieldManager("me"), wanted);
        if (unchanged) {
            assertThat(after).as("%s: %s applied to %s", seed, tree, before).isEqualTo(before);
        }
        return unchanged;
    }

    /** Apply an object; return a missing node if the server refuses what defaulting made of it. */
    private JsonNode applied(Client client, GenericKubernetesResource wanted) {
        try {
            return mapper.valueToTree(client.applyUnconditionally(wanted, ApplyOptions.defaults()));
        } catch (ApiException e) {
            return MissingNode.getInstance();
        }
    }

    /** Return a copy with one thing removed, moved or changed. */
    private Map<String, Object> nearly(Map<String, Object> previous) {
        JsonNode copy = mapper.valueToTree(previous);
        List<JsonNode> containers = new ArrayList<>();
        collect(copy, containers);
        JsonNode chosen = containers.get(random.nextInt(containers.size()));
        if (chosen instanceof ArrayNode list) {
            if (random.nextBoolean()) {
                list.remove(random.nextInt(list.size()));
            } else {
                list.add(list.remove(0));
            }
        } else if (chosen instanceof ObjectNode object) {
            String member = object.properties().stream()
                    .toList()
                    .get(random.nextInt(object.size()))
                    .getKey();
            if (random.nextBoolean() || !object.get(member).isTextual()) {
                object.remove(member);
            } else {
                object.put(member, letter());
            }
        }
        return mapper.convertValue(copy, new TypeReference<Map<String, Object>>() {});
    }

    private static void collect(JsonNode node, List<JsonNode> containers) {
        if (!node.isEmpty()) {
            containers.add(node);
            node.forEach(child -> collect(child, containers));
        }
    }

    private static GenericKubernetesResource object(String name, Map<String, Object> spec) {
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setApiVersion("client.test.reconciler4j.io/v1");
        object.setKind("Owned");
        object.setMetadata(new ObjectMetaBuilder().withName(name).build());
        object.setAdditionalProperty("spec", spec);
        return object;
    }

    private Map<String, Object> spec() {
        Map<String, Object> spec = new LinkedHashMap<>();
        some(spec, "size", 1 + random.nextInt(3));
        some(spec, "text", letter());
        some(spec, "free", letters());
        some(spec, "whole", whole());
        some(spec, "tags", shuffled(List.of("a", "b", "c")));
        some(spec, "rows", random.nextBoolean() ? List.of(whole()) : List.of(whole(), whole()));
        List<Object> ports = new ArrayList<>();
        for (Object protocol : shuffled(List.of("", "TCP", "UDP"))) {
            Map<String, Object> port = new LinkedHashMap<>();
            port.put("port", protocol.equals("") ? 1 : 2);
            if (!protocol.equals("")) {
                port.put("protocol", protocol);
            }
            some(port, "name", letter());
            some(port, "free", letters());
            ports.add(port);
        }
        some(spec, "ports", ports);
        return spec;
    }

    private void some(Map<String, Object> into, String name, Object value) {
        if (random.nextInt(3) > 0) {
            into.put(name, value);
        }
    }

    private String letter() {
        return String.valueOf((char) ('a' + random.nextInt(2)));
    }

    private Map<String, Object> letters() {
        Map<String, Object> letters = new LinkedHashMap<>();
        some(letters, "k", letter());
        some(letters, "l", letter());
        return letters;
    }

    private Map<String, Object> whole() {
        Map<String, Object> whole = new LinkedHashMap<>();
        some(whole, "a", letter());
        some(whole, "b", letter());
        return whole;
    }

    private List<Object> shuffled(List<Object> all) {
        List<Object> list = new ArrayList<>(all);
        Collections.shuffle(list, random);
        return list.subList(0, random.nextInt(all.size() + 1));
    }
}
