package io.github.reconciler4j.cache.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.cache.StorageForm;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.OwnerRef;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.assertj.core.api.SoftAssertions;

/** Compares a cache with the server after all writes and faults have ended. */
final class RandomComparison {

    private static final Duration TIMEOUT = Duration.ofSeconds(Integer.getInteger("cache.interruptTimeout", 120));
    private static final Duration PAUSE = Duration.ofMillis(10);

    private final String name;
    private final Cache cache;
    private final Informer<HasMetadata> informer;
    private final RandomSelection selection;
    private final ApiConnection server;

    RandomComparison(
            String name, Cache cache, Informer<HasMetadata> informer, RandomSelection selection, ApiConnection server) {
        this.name = name;
        this.cache = cache;
        this.informer = informer;
        this.selection = selection;
        this.server = server;
    }

    /** Waits until the cache has, and every subscriber knows, what the server has. */
    void settle(List<DeliveredEvents> subscribers) {
        await(name + ": the cache has what the server has")
                .atMost(TIMEOUT)
                .pollInterval(PAUSE)
                .ignoreExceptionsMatching(e -> e instanceof CacheSyncTimeoutException // of a list that takes long
                        || e instanceof ApiException) // of a connection that was cut before
                .untilAsserted(() -> assertThat(cached(informer.list("")))
                        .as(this::whereItIs)
                        .isEqualTo(states(wanted())));
        for (DeliveredEvents subscriber : subscribers) {
            if (!subscriber.closed) {
                await(name + ": a subscriber knows what there is")
                        .atMost(TIMEOUT)
                        .pollInterval(PAUSE)
                        .untilAsserted(() ->
                                assertThat(new TreeMap<>(subscriber.known)).isEqualTo(states(wanted())));
            }
        }
    }

    private List<JsonNode> items(String path) {
        byte[] answer = server.send(ApiRequest.of("list", "GET", path)).body();
        List<JsonNode> items = new ArrayList<>();
        ServerTruth.parse(new String(answer, StandardCharsets.UTF_8))
                .path("items")
                .forEach(items::add);
        return items;
    }

    /** What the cache is to have, by key, as it is to have it. */
    private Map<String, JsonNode> wanted() {
        Map<String, Map<String, String>> namespaces = new HashMap<>();
        for (JsonNode namespace : items("/api/v1/namespaces")) {
            namespaces.put(namespace.at("/metadata/name").asText(), ServerTruth.labels(namespace));
        }
        Map<String, JsonNode> objects = new TreeMap<>();
        for (JsonNode object : items(selection.kind.path("", ""))) {
            String namespace = object.at("/metadata/namespace").asText();
            if (selection.covers(object, namespaces.getOrDefault(namespace, Map.of()))) {
                String key = namespace + "/" + object.at("/metadata/name").asText();
                objects.put(key, selection.keeps(object));
            }
        }
        return objects;
    }

    private static Map<String, String> states(Map<String, JsonNode> objects) {
        Map<String, String> states = new TreeMap<>();
        objects.forEach((key, object) -> states.put(
                key,
                object.path("metadata").path("uid").asText() + "@"
                        + object.path("metadata").path("resourceVersion").asText()));
        return states;
    }

    private Map<String, String> cached(List<ObjectSnapshot<HasMetadata>> snapshots) {
        Map<String, String> states = new TreeMap<>();
        for (ObjectSnapshot<HasMetadata> snapshot : snapshots) {
            String key = snapshot.key().namespace() + "/" + snapshot.key().name();
            assertThat(states.put(key, DeliveredEvents.state(snapshot.header())))
                    .as(name + " has " + key + " twice")
                    .isNull();
        }
        return states;
    }

    /** What the cache says of itself, and where its threads are. */
    private String whereItIs() {
        StringBuilder text = new StringBuilder(cache.kinds() + ", now in " + selection.places());
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            if (thread.getName().startsWith("reflector-")) {
                text.append("\n").append(thread.getName()).append(' ').append(List.of(stack));
            }
        });
        return text.toString();
    }

    /** All ways to read return what the server has; repeated if it was still deleting the content of a namespace. */
    void compare(List<DeliveredEvents> subscribers) {
        while (true) {
            settle(subscribers);
            long version = version();
            try {
                compare();
                return;
            } catch (AssertionError | NoSuchElementException e) {
                if (version == version()) {
                    throw e;
                }
            }
        }
    }

    private long version() {
        byte[] answer = server.send(ApiRequest.of("list", "GET", selection.kind.path("", "")))
                .body();
        return ServerTruth.parse(new String(answer, StandardCharsets.UTF_8))
                .at("/metadata/resourceVersion")
                .asLong();
    }

    private void compare() {
        Map<String, JsonNode> wanted = wanted();
        SoftAssertions all = new SoftAssertions();
        compareApps(all, wanted);
        for (int i = 0; i < 3; i++) {
            String uid = "owner" + i;
            all.assertThat(cached(informer.ownedBy(uid)))
                    .as("owned by " + uid)
                    .isEqualTo(states(filter(wanted, object -> uid.equals(owner(object)))));
        }
        for (String namespace : RandomPlaces.NAMESPACES) {
            all.assertThat(cached(informer.list(namespace)))
                    .as("namespace " + namespace)
                    .isEqualTo(states(filter(
                            wanted,
                            object -> namespace.equals(
                                    object.at("/metadata/namespace").asText()))));
        }
        KindStatus status = cache.kinds().stream()
                .filter(kind -> kind.kind().equals(informer.kind()))
                .findFirst()
                .orElseThrow();
        all.assertThat(status.content().objects()).as("size").isEqualTo(wanted.size());
        wanted.forEach((key, object) -> compareObject(all, object));
        try {
            all.assertAll();
        } catch (AssertionError e) {
            throw new AssertionError(name, e);
        }
    }

    private void compareApps(SoftAssertions all, Map<String, JsonNode> wanted) {
        for (String app : List.of("x", "y", "z", "none")) {
            Map<String, String> having = states(filter(
                    wanted, object -> app.equals(ServerTruth.labels(object).getOrDefault("app", "none"))));
            Selection byTerm = Selection.all().withFieldSelector("app=" + app);
            Selection byLabel = Selection.all().withLabelSelector(app.equals("none") ? "!app" : "app=" + app);
            all.assertThat(cached(informer.byIndex("app", app)))
                    .as("index of app " + app)
                    .isEqualTo(having);
            all.assertThat(cached(informer.list(byTerm))).as("by term " + app).isEqualTo(having);
            all.assertThat(cached(informer.list(byLabel))).as("by label " + app).isEqualTo(having);
        }
    }

    private static String owner(JsonNode object) {
        return object.at("/metadata/ownerReferences/0/uid").asText();
    }

    private static Map<String, JsonNode> filter(Map<String, JsonNode> objects, Predicate<JsonNode> wanted) {
        Map<String, JsonNode> left = new TreeMap<>(objects);
        left.values().removeIf(wanted.negate());
        return left;
    }

    private void compareObject(SoftAssertions all, JsonNode object) {
        String namespace = object.at("/metadata/namespace").asText();
        ObjectKey key = ObjectKey.of(namespace, object.at("/metadata/name").asText());
        ObjectSnapshot<HasMetadata> snapshot = informer.get(key).orElseThrow();
        all.assertThat(snapshot.header().labels()).as("labels of " + key).isEqualTo(ServerTruth.labels(object));
        all.assertThat(snapshot.header().annotations().keySet())
                .as("annotations of " + key)
                .containsExactlyInAnyOrderElementsOf(
                        () -> object.at("/metadata/annotations").fieldNames());
        all.assertThat(snapshot.header().ownerReferences().stream()
                        .map(OwnerRef::uid)
                        .findFirst()
                        .orElse(""))
                .isEqualTo(owner(object));
        if (selection.storage != StorageForm.METADATA) {
            compareContent(all, key, snapshot, selection.kind.value(object));
        }
    }

    private void compareContent(SoftAssertions all, ObjectKey key, ObjectSnapshot<HasMetadata> snapshot, String value) {
        try {
            HasMetadata read = snapshot.object();
            all.assertThat(read.getMetadata().getManagedFields()).isEmpty();
            all.assertThat(RandomKind.value(read)).isEqualTo(value);
            HasMetadata again = cache.get(selection.kind.type, key).orElseThrow();
            all.assertThat(again == cache.get(selection.kind.type, key).orElseThrow())
                    .as(key + " is shared")
                    .isEqualTo(selection.storage == StorageForm.DECODED);
            all.assertThat(cached(informer.byIndex("value", value))).containsKey(key.namespace() + "/" + key.name());
        } catch (UndecodableObjectException e) {
            all.assertThat(value).as("undecodable").isEqualTo("corrupt");
        }
    }
}
