package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.test.KubernetesServer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random objects of which the class knows a part, random changes of them, and random changes of others at the same time: what others
 * wrote stays, the changes arrive, and nothing else changes. More cases: {@code -Dcontent.cases=20000}.
 */
@Timeout(3600)
class ContentRandomTests {

    private static final int CASES = Integer.getInteger("content.cases", 300);
    private static final long FIRST = Long.getLong("content.first", 1);
    private static final KindName PARCEL = KindName.of("client.test.reconciler4j.io/v1", "Parcel");

    private final KubernetesServer server = KubernetesServer.start();
    private final ApiConnection connection = ApiConnection.open(server.clientConfig());
    private final Client others = Client.create(connection, Scheme.create(), ClientOptions.defaults());
    private final Cache cache = Cache.create(
            connection,
            Scheme.create(),
            CacheOptions.defaults()
                    .withKind(Kind.of(PARCEL), KindCacheOptions.defaults().withTransform(ContentRandomTests::forget)));
    private final Client client = Client.create(
            connection, Scheme.create(), cache, ClientOptions.defaults().withInterceptors(List.of(this::interfere)));

    /** What others do before the next patch is sent. */
    private Runnable interference = () -> {};

    /** A change of an object, and the same change of its JSON. */
    private record Edit(String name, Consumer<Parcel.Body> typed, Consumer<ObjectNode> raw) {}

    private ApiResponse interfere(ClientCall call, ClientInterceptor.Next next) {
        if (call.verb() == ClientCall.Verb.PATCH) {
            interfere();
        }
        return next.proceed(call);
    }

    private void interfere() {
        Runnable now = interference;
        interference = () -> {};
        now.run();
    }

    @AfterEach
    void close() {
        cache.close();
        connection.close();
        server.close();
    }

    @Test
    void writesKeepWhatOthersWroteAndTheClassDoesNotKnow() {
        client.create(KubernetesJson.readYaml(Parcel.CRD, GenericKubernetesResource.class));
        cache.start();
        for (long seed = FIRST; seed < FIRST + CASES; seed++) {
            try {
                run(new Random(seed), "p" + seed);
            } catch (Throwable e) {
                throw new AssertionError("-Dcontent.cases=1 -Dcontent.first=" + seed, e);
            }
        }
    }

    /** The cache keeps what the class does not know of the object, but not of what is in it. */
    private static void forget(Map<String, Object> object) {
        for (String part : List.of("spec", "status")) {
            if (object.get(part) instanceof Map<?, ?> body) {
                body.values().forEach(ContentRandomTests::forgetHidden);
            }
        }
    }

    private static void forgetHidden(Object value) {
        if (value instanceof List<?> items) {
            items.forEach(ContentRandomTests::forgetHidden);
        } else if (value instanceof Map<?, ?> item) {
            item.remove("hidden");
        }
    }

    private void run(Random random, String name) {
        ObjectKey key = ObjectKey.of("default", name);
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setApiVersion(PARCEL.apiVersion());
        object.setKind(PARCEL.kind());
        object.setMetadata(new io.fabric8.kubernetes.api.model.ObjectMetaBuilder()
                .withNamespace("default")
                .withName(name)
                .build());
        boolean ofStatus = random.nextBoolean();
        String part = ofStatus ? "status" : "spec";
        ObjectNode content = content(random);
        client.create(object);
        patch(client, object, ofStatus, content);
        Reader reader = random.nextBoolean() ? client : client.live();
        Parcel read = reader.get(Parcel.class, key).orElseThrow();
        List<Edit> edits = edits(random, content);
        boolean concurrent = random.nextInt(3) == 0;
        Consumer<Parcel> change =
                parcel -> edits.forEach(edit -> edit.typed.accept(ofStatus ? parcel.getStatus() : parcel.getSpec()));
        if (concurrent) {
            ObjectNode theirs = content.deepCopy();
            others(theirs);
            interference = () -> patch(others, object, ofStatus, theirs);
            if (random.nextBoolean()) {
                interfere(); // otherwise between a read of the client and its write
            }
        }
        write(random.nextBoolean(), concurrent, read, change, ofStatus);
        interfere(); // the client has sent nothing
        check(key, part, content, edits, concurrent);
        client.delete(object);
    }

    private static void patch(Client writer, GenericKubernetesResource object, boolean ofStatus, ObjectNode body) {
        ObjectPatch patch = ObjectPatch.merge(Map.of(ofStatus ? "status" : "spec", body));
        GenericKubernetesResource patched =
                ofStatus ? writer.status().patch(object, patch) : writer.patch(object, patch);
        assertThat(patched).isNotNull();
    }

    private void write(boolean locked, boolean concurrent, Parcel read, Consumer<Parcel> change, boolean ofStatus) {
        if (concurrent && locked) {
            change.accept(read);
            assertThatThrownBy(() -> update(read, ofStatus)).isExactlyInstanceOf(ConflictException.class);
            client.retryOnConflict(
                    Parcel.class, ObjectKey.of("default", read.getMetadata().getName()), now -> {
                        change.accept(now);
                        return update(now, ofStatus);
                    });
        } else if (locked) {
            change.accept(read);
            update(read, ofStatus);
        } else if (ofStatus) {
            client.status().edit(read, change);
        } else {
            Parcel after = KubernetesJson.mapper().convertValue(read, Parcel.class);
            change.accept(after);
            client.patch(read, ObjectPatch.between(read, after));
        }
    }

    private void check(ObjectKey key, String part, ObjectNode content, List<Edit> edits, boolean concurrent) {
        ObjectNode expected = content.deepCopy();
        edits.forEach(edit -> edit.raw.accept(expected));
        if (concurrent) {
            others(expected);
        }
        JsonNode now = KubernetesJson.mapper()
                .valueToTree(client.live().get(Kind.of(PARCEL), key).orElseThrow());
        assertThat(comparable(now.path(part), concurrent))
                .as("%s of %s by %s", edits.stream().map(Edit::name).toList(), content, part)
                .isEqualTo(comparable(expected, concurrent));
    }

    private Parcel update(Parcel parcel, boolean ofStatus) {
        return ofStatus ? client.status().update(parcel) : client.update(parcel);
    }

    /** With two writers, the order of added items is that of neither. */
    private static Object comparable(JsonNode node, boolean anyOrder) {
        if (node.isObject()) {
            Set<Object> members = new HashSet<>();
            node.properties()
                    .forEach(member -> members.add(List.of(member.getKey(), comparable(member.getValue(), anyOrder))));
            return members;
        }
        if (node.isArray()) {
            List<Object> items = new ArrayList<>();
            node.forEach(item -> items.add(comparable(item, anyOrder)));
            return anyOrder ? new HashSet<>(items) : items;
        }
        return node.isNumber() ? node.decimalValue().stripTrailingZeros() : node;
    }

    /** What others write meanwhile. */
    private static void others(ObjectNode body) {
        body.put("theirs", 7);
        if (body.path("parts") instanceof ArrayNode parts) {
            parts.addObject().put("name", "theirs").put("hidden", "t");
        }
        if (body.path("words") instanceof ArrayNode words) {
            words.add("theirs");
        }
        if (body.path("steps") instanceof ArrayNode steps) {
            steps.addObject().put("run", "theirs").put("hidden", "t");
        }
        if (body.path("detail") instanceof ObjectNode detail) {
            detail.put("theirs", true);
        }
    }

    private static ObjectNode content(Random random) {
        ObjectNode body = KubernetesJson.mapper().createObjectNode();
        body.put("unknown", random.nextInt(9)).put("assigned", "by the server").put("text", "t");
        body.put("at", "2024-02-03T04:05:06+0" + random.nextInt(10) + ":00").put("size", random.nextInt(5));
        body.putObject("detail")
                .put("known", "k")
                .put("hidden", random.nextInt(9))
                .put("size", 1);
        body.putObject("map").put("a", "x").put("b", "y");
        ArrayNode parts = body.putArray("parts");
        ArrayNode steps = body.putArray("steps");
        ArrayNode words = body.putArray("words");
        ArrayNode tags = body.putArray("tags");
        ArrayNode numbers = body.putArray("numbers");
        for (int i = 0; i <= random.nextInt(4); i++) {
            parts.addObject()
                    .put("name", "n" + i)
                    .put("count", i)
                    .put("hidden", i)
                    .put("assigned", "s" + i);
            ObjectNode step =
                    steps.addObject().put("run", "r" + i).put("level", i).put("hidden", i);
            step.putObject("detail").put("known", "k").put("hidden", i);
            words.add("w" + i);
            tags.addObject().put("text", "t" + random.nextInt(100) + "-" + i).put("hidden", i);
            numbers.add(i);
        }
        return body;
    }

    private static List<Edit> edits(Random random, ObjectNode content) {
        int size = content.path("parts").size();
        int at = random.nextInt(size);
        int value = random.nextInt(1000) + 10;
        List<Edit> all = new ArrayList<>();
        addPlain(all, value);
        addParts(all, at, value);
        addSteps(all, at, value);
        String tag = content.path("tags").get(at).path("text").asText();
        addOthers(all, at, value, tag);
        List<Edit> chosen = new ArrayList<>();
        Set<String> fields = new HashSet<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            Edit edit = all.get(random.nextInt(all.size()));
            if (fields.add(edit.name.substring(0, 3))) { // one change of each field
                chosen.add(edit);
            }
        }
        return chosen;
    }

    private static void addPlain(List<Edit> all, int value) {
        all.add(edit("text", (body, n) -> body.text = "" + n, (raw, n) -> raw.put("text", "" + n), value));
        all.add(edit("text gone", (body, n) -> body.text = null, (raw, n) -> raw.remove("text"), value));
        all.add(edit("size", (body, n) -> body.size = n + 0.5, (raw, n) -> raw.put("size", n + 0.5), value));
        all.add(edit(
                "detail",
                (body, n) -> body.detail.known = "" + n,
                (raw, n) -> raw.withObjectProperty("detail").put("known", "" + n),
                value));
        all.add(edit(
                "map",
                (body, n) -> body.map.remove("a"),
                (raw, n) -> raw.withObjectProperty("map").remove("a"),
                value));
    }

    private static void addParts(List<Edit> all, int at, int value) {
        all.add(edit(
                "part",
                (body, n) -> body.parts.get(at).count = n,
                (raw, n) -> item(raw, "parts", at).put("count", n),
                value));
        all.add(edit(
                "part gone",
                (body, n) -> body.parts.remove(at),
                (raw, n) -> list(raw, "parts").remove(at),
                value));
        all.add(edit(
                "part added",
                (body, n) -> body.parts.add(at, part(n)),
                (raw, n) ->
                        list(raw, "parts").insertObject(at).put("name", "new").put("count", n),
                value));
        all.add(edit(
                "parts reversed",
                (body, n) -> java.util.Collections.reverse(body.parts),
                (raw, n) -> reverse(list(raw, "parts")),
                value));
    }

    private static void addSteps(List<Edit> all, int at, int value) {
        all.add(edit(
                "step",
                (body, n) -> body.steps.get(at).level = n,
                (raw, n) -> item(raw, "steps", at).put("level", n),
                value));
        all.add(edit(
                "step within",
                (body, n) -> body.steps.get(at).detail.known = "" + n,
                (raw, n) -> item(raw, "steps", at).withObjectProperty("detail").put("known", "" + n),
                value));
        all.add(edit(
                "step gone",
                (body, n) -> body.steps.remove(at),
                (raw, n) -> list(raw, "steps").remove(at),
                value));
    }

    private static void addOthers(List<Edit> all, int at, int value, String tag) {
        all.add(edit(
                "word",
                (body, n) -> body.words.add("" + n),
                (raw, n) -> list(raw, "words").add("" + n),
                value));
        all.add(edit(
                "word gone",
                (body, n) -> body.words.remove(at),
                (raw, n) -> list(raw, "words").remove(at),
                value));
        all.add(edit(
                "number",
                (body, n) -> body.numbers.add(n * 1.0),
                (raw, n) -> list(raw, "numbers").add(n),
                value));
        all.add(edit(
                "tag gone",
                (body, n) -> body.tags.removeIf(t -> t.text.equals(tag)),
                (raw, n) -> list(raw, "tags").remove(at),
                value));
    }

    private static Edit edit(
            String name, BiConsumer<Parcel.Body, Integer> typed, BiConsumer<ObjectNode, Integer> raw, int value) {
        return new Edit(name, body -> typed.accept(body, value), tree -> raw.accept(tree, value));
    }

    private static ArrayNode list(ObjectNode raw, String name) {
        return (ArrayNode) raw.get(name);
    }

    private static ObjectNode item(ObjectNode raw, String name, int at) {
        return (ObjectNode) list(raw, name).get(at);
    }

    private static void reverse(ArrayNode list) {
        for (int i = list.size() - 2; i >= 0; i--) {
            list.add(list.remove(i));
        }
    }

    private static Parcel.Part part(int count) {
        Parcel.Part part = new Parcel.Part();
        part.name = "new";
        part.count = count;
        return part;
    }
}
