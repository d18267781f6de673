package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.fixtures.ScriptedServer.Received;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Objects in which values are nested: what fits is read and written, and what does not is refused with a message that says so, on
 * threads with a small stack too.
 */
@Timeout(300)
class DeepObjectsTests {

    private static final int SMALL_STACK = 256 << 10; // as with -Xss256k
    private static final int LARGE_STACK = 1 << 20;

    /** What works on each thread, and what on threads with the usual stack; the readers and writers of JSON end at 1000. */
    private static final int DEEP = 100;

    private static final int DEEPEST = 500;

    private static final ObjectKey KEY = ObjectKey.of("ns", "deep");

    @Group("deep.example.com")
    @Version("v1")
    static class Deep extends CustomResource<Map<String, Object>, Map<String, Object>>
            implements io.fabric8.kubernetes.api.model.Namespaced {
        private static final long serialVersionUID = 1L;
    }

    @Group("deep.example.com")
    @Version("v1")
    static class DeepTree extends CustomResource<JsonNode, JsonNode>
            implements io.fabric8.kubernetes.api.model.Namespaced {
        private static final long serialVersionUID = 1L;
    }

    private volatile String stored = "";
    private final ScriptedServer server = ScriptedServer.start(this::answer);
    private final ApiConnection connection = ApiConnection.open(server.config());
    private final Client client = Client.create(connection, Scheme.create(), ClientOptions.defaults());

    private void answer(Received request, OutputStream out) throws Exception {
        if (request.target().endsWith("/apis/deep.example.com/v1")) {
            out.write(ScriptedServer.json(
                    200,
                    "{\"kind\":\"APIResourceList\",\"groupVersion\":\"deep.example.com/v1\",\"resources\":[{\"name\":\"deeps\","
                            + "\"kind\":\"Deep\",\"namespaced\":true,\"verbs\":[\"get\",\"list\",\"watch\"]}]}"));
        } else {
            boolean ofTree = request.target().contains("/deeptrees");
            out.write(ScriptedServer.json(
                    200, ofTree ? stored.replace("\"kind\":\"Deep\"", "\"kind\":\"DeepTree\"") : stored));
        }
    }

    @AfterEach
    void close() {
        connection.close();
        server.close();
    }

    private static String json(int depth, boolean arrays) {
        String value = arrays
                ? "[".repeat(depth) + "1" + "]".repeat(depth)
                : "{\"a\":".repeat(depth) + "1" + "}".repeat(depth);
        return "{\"apiVersion\":\"deep.example.com/v1\",\"kind\":\"Deep\",\"metadata\":{\"namespace\":\"ns\",\"name\":\"deep\","
                + "\"uid\":\"u\",\"resourceVersion\":\"5\"},\"spec\":{\"v\":" + value + "}}";
    }

    private static Map<String, Object> spec(int depth, boolean arrays, int leaf) {
        Object value = leaf;
        for (int i = 0; i < depth; i++) {
            value = arrays ? new java.util.ArrayList<>(List.of(value)) : new LinkedHashMap<>(Map.of("a", value));
        }
        return new LinkedHashMap<>(Map.of("v", value));
    }

    private static Deep typed(int depth, boolean arrays, int leaf) {
        Deep deep = new Deep();
        deep.getMetadata().setNamespace("ns");
        deep.getMetadata().setName("deep");
        deep.setSpec(spec(depth, arrays, leaf));
        return deep;
    }

    /** A call of a client. */
    @FunctionalInterface
    private interface Call {
        void run(int depth, boolean arrays) throws Exception;
    }

    private Map<String, Call> calls() {
        Map<String, Call> calls = new TreeMap<>();
        Kind<GenericKubernetesResource> generic = Kind.of(KindName.of("deep.example.com/v1", "Deep"));
        calls.put("get of maps", (depth, arrays) -> client.live().get(Deep.class, KEY));
        calls.put("get of a tree", (depth, arrays) -> client.live().get(DeepTree.class, KEY));
        calls.put("get of a generic object", (depth, arrays) -> client.live().get(generic, KEY));
        calls.put(
                "get of metadata",
                (depth, arrays) -> client.live().get(Kind.of(Deep.class).metadata(), KEY));
        calls.put("create", (depth, arrays) -> client.create(typed(depth, arrays, 1)));
        calls.put("apply", (depth, arrays) -> client.apply(typed(depth, arrays, 1)));
        calls.put("update of an object built by hand", (depth, arrays) -> client.update(typed(depth, arrays, 2)));
        calls.put("update", (depth, arrays) -> {
            Deep read = client.live().get(Deep.class, KEY).orElseThrow();
            read.setSpec(spec(depth, arrays, 2));
            client.update(read);
        });
        calls.put("update of a tree", (depth, arrays) -> {
            DeepTree read = client.live().get(DeepTree.class, KEY).orElseThrow();
            ((ObjectNode) read.getSpec()).put("other", 1);
            client.update(read);
        });
        calls.put(
                "patch",
                (depth, arrays) ->
                        client.patch(typed(1, arrays, 1), ObjectPatch.merge(Map.of("spec", spec(depth, arrays, 3)))));
        calls.put(
                "createOrUpdate",
                (depth, arrays) ->
                        client.createOrUpdate(typed(1, arrays, 1), deep -> deep.setSpec(spec(depth, arrays, 4))));
        return calls;
    }

    @ParameterizedTest
    @ValueSource(ints = {SMALL_STACK, LARGE_STACK})
    void callsWhenObjectsAreNestedWorkOrSayThatTheyAreNested(int stack) throws Exception {
        Map<String, String> wrong = new TreeMap<>();
        for (int depth : List.of(10, DEEP, DEEPEST, 990, 997, 1000, 1001, 1500, 20_000)) {
            for (boolean arrays : List.of(false, true)) {
                stored = json(depth, arrays);
                for (Map.Entry<String, Call> call : calls().entrySet()) {
                    String problem = problem(call.getValue(), depth, arrays, stack);
                    if (!problem.isEmpty()) {
                        wrong.put(call.getKey() + ", " + depth + (arrays ? " arrays" : " objects"), problem);
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static String problem(Call call, int depth, boolean arrays, int stack) throws Exception {
        CompletableFuture<String> problem = new CompletableFuture<>();
        new Thread(null, () -> problem.complete(tried(call, depth, arrays, stack)), "deep", stack).start();
        return problem.get(60, TimeUnit.SECONDS);
    }

    private static String tried(Call call, int depth, boolean arrays, int stack) {
        try {
            call.run(depth, arrays);
            return "";
        } catch (ApiException | IllegalArgumentException e) {
            boolean isClear = depth > (stack == SMALL_STACK ? DEEP : DEEPEST)
                    && String.valueOf(e.getMessage()).contains("nested");
            return isClear ? "" : e.toString();
        } catch (Throwable e) {
            return e + " at "
                    + Arrays.stream(e.getStackTrace())
                            .filter(frame -> frame.getClassName().startsWith("io.github.reconciler4j"))
                            .limit(3)
                            .toList();
        }
    }
}
