package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.github.reconciler4j.client.OperationResult.Outcome;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.test.KubernetesServer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Drawn objects that an operator applies again and again while others change, delete and create them: an apply that sends nothing
 * leaves what one that is sent would leave, and an apply after one that was sent sends nothing.
 */
@Timeout(3600)
class ApplyRandomTests {

    private static final int CASES = Integer.getInteger("apply.cases", 300);
    private static final int FIRST = Integer.getInteger("apply.seed", 0);
    private static final ApplyOptions OPTIONS = ApplyOptions.defaults().withFieldManager("drawn");
    private static final List<String> KEYS = List.of("a", "b", "c");

    private final KubernetesServer server = KubernetesServer.start();
    private final ApiConnection connection = ApiConnection.open(server.clientConfig());
    private final Client others = client();
    private Client operator = client();
    private Random random = new Random();

    /** The version of the object after the last apply. */
    private String applied = "";

    @AfterEach
    void close() {
        connection.close();
        server.close();
    }

    /** A client remembers what it has applied; a new one is that of an operator that has started again. */
    private Client client() {
        return Client.create(connection, Scheme.create(), ClientOptions.defaults());
    }

    @Test
    void applyWhateverOthersDoLeavesWhatWasApplied() {
        others.create(KubernetesJson.readYaml(Parcel.CRD, GenericKubernetesResource.class));
        for (int seed = FIRST; seed < FIRST + CASES; seed++) {
            random = new Random(seed);
            try {
                run("o" + seed);
            } catch (RuntimeException | Error e) {
                throw new AssertionError("-Dapply.seed=" + seed + " -Dapply.cases=1: " + e.getMessage(), e);
            }
        }
    }

    private void run(String name) {
        String kind = List.of("ConfigMap", "Secret", "Parcel").get(random.nextInt(3));
        HasMetadata wanted = draw(kind, name);
        StringBuilder trace = new StringBuilder(kind);
        for (int step = 0; step < 4; step++) {
            if (random.nextInt(4) == 0) {
                wanted = draw(kind, name);
                trace.append(", another object is wanted");
            }
            if (step > 0) {
                trace.append(", ").append(disturb(wanted));
            }
            check(wanted, trace.toString());
        }
        others.delete(wanted);
    }

    private <T extends HasMetadata> void check(T wanted, String trace) {
        boolean hasChanged = !version(wanted).equals(applied);
        OperationResult<T> result = operator.applyWithOutcome(wanted, OPTIONS);
        String what = trace + ": " + result.outcome();
        JsonNode now = content(find(wanted).orElseThrow());
        assertThat(content(result.object())).as(what).isEqualTo(now);
        assertThat(now).as(what).isEqualTo(content(others.applyUnconditionally(wanted, OPTIONS.asDryRun())));
        if (result.outcome() != Outcome.UNCHANGED) {
            assertThat(operator.applyWithOutcome(wanted, OPTIONS).outcome())
                    .as(what)
                    .isEqualTo(Outcome.UNCHANGED);
        } else {
            assertThat(hasChanged && KubernetesJson.mapper().valueToTree(wanted).has("status"))
                    .as("%s: a change of what the server does not return would be missed", what)
                    .isFalse();
        }
        applied = version(wanted);
    }

    private String version(HasMetadata object) {
        return find(object)
                .map(now -> now.getMetadata().getUid() + now.getMetadata().getResourceVersion())
                .orElse("");
    }

    private Optional<GenericKubernetesResource> find(HasMetadata object) {
        return others.live()
                .get(
                        Kind.of(object.getApiVersion(), object.getKind()),
                        ObjectKey.of("default", object.getMetadata().getName()));
    }

    /** Everything but what each write changes, and an empty map, which a server leaves out when it removes the last entry. */
    private static JsonNode content(HasMetadata object) {
        ObjectNode tree = KubernetesJson.mapper().valueToTree(object);
        tree.withObjectProperty("metadata").remove(List.of("managedFields", "resourceVersion", "generation"));
        tree.withObjectProperty("metadata").properties().removeIf(field -> isEmptyMap(field.getValue()));
        tree.properties().removeIf(field -> isEmptyMap(field.getValue()));
        return tree;
    }

    private static boolean isEmptyMap(JsonNode value) {
        return value.isObject() && value.isEmpty();
    }

    private HasMetadata draw(String kind, String name) {
        ObjectNode object = KubernetesJson.mapper().createObjectNode();
        boolean isParcel = kind.equals("Parcel");
        object.put("apiVersion", isParcel ? "client.test.reconciler4j.io/v1" : "v1")
                .put("kind", kind);
        ObjectNode metadata = object.putObject("metadata").put("name", name).put("namespace", "default");
        if (random.nextBoolean()) {
            drawEntries(metadata.putObject(random.nextBoolean() ? "labels" : "annotations"), false);
        }
        if (isParcel) {
            drawEntries(object.putObject("spec"), false);
            if (random.nextInt(3) == 0) {
                object.putObject("status").put("text", "the server does not take this");
            }
        } else {
            drawEntries(object.putObject("data"), kind.equals("Secret"));
            if (kind.equals("Secret") && random.nextInt(3) > 0) {
                drawEntries(object.putObject("stringData"), false);
            }
        }
        Class<? extends HasMetadata> type = random.nextBoolean() || isParcel
                ? GenericKubernetesResource.class
                : kind.equals("Secret") ? Secret.class : ConfigMap.class;
        return KubernetesJson.mapper().convertValue(object, type);
    }

    private void drawEntries(ObjectNode target, boolean encoded) {
        for (String key : KEYS) {
            if (random.nextInt(3) > 0) {
                target.put(key, value(encoded));
            }
        }
    }

    private String value(boolean encoded) {
        String value = random.nextInt(6) == 0 ? "" : "v" + random.nextInt(100);
        return encoded ? Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)) : value;
    }

    /** Returns what has happened. */
    private String disturb(HasMetadata wanted) {
        switch (random.nextInt(8)) {
            case 0 -> {
                return "nothing";
            }
            case 1 -> {
                operator = client();
                return "restart";
            }
            case 2 -> {
                others.delete(wanted);
                return "deleted";
            }
            case 3 -> {
                others.delete(wanted);
                others.create(draw(wanted.getKind(), wanted.getMetadata().getName()));
                return "created again";
            }
            default -> {
                Map<String, Object> patch = change(wanted.getKind());
                others.patch(wanted, ObjectPatch.merge(patch));
                return "patch " + patch;
            }
        }
    }

    private Map<String, Object> change(String kind) {
        String key = random.nextInt(4) == 0 ? "theirs" : KEYS.get(random.nextInt(KEYS.size()));
        boolean isRemoved = random.nextInt(4) == 0;
        if (random.nextInt(4) == 0) {
            String part = random.nextBoolean() ? "labels" : "annotations";
            return Map.of("metadata", Map.of(part, entry(key, isRemoved, false)));
        }
        String part = kind.equals("Parcel") ? "spec" : "data";
        return Map.of(part, entry(key, isRemoved, kind.equals("Secret")));
    }

    private Map<String, Object> entry(String key, boolean isRemoved, boolean encoded) {
        Map<String, Object> entry = new HashMap<>();
        entry.put(key, isRemoved ? null : value(encoded));
        return entry;
    }
}
