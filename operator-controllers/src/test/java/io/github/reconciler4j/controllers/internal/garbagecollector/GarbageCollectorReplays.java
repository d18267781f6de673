package io.github.reconciler4j.controllers.internal.garbagecollector;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.reconciler4j.controllers.upstream.Replays;
import io.github.reconciler4j.controllers.upstream.UpstreamCase;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.OwnerRef;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Repeats the cases of Kubernetes' tests of its garbage collector: each change of the graph, and each look at an object. */
public final class GarbageCollectorReplays {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Pattern ID = Pattern.compile("absent \\[(.*)/(\\w*), namespace: (.*), name: (.*), uid: (.*)]");

    private GarbageCollectorReplays() {}

    public static Replays all() {
        return new Replays()
                .replay("garbagecollector.GraphBuilder.processGraphChanges", GarbageCollectorReplays::change)
                .replay("garbagecollector.GarbageCollector.attemptToDeleteItem", GarbageCollectorReplays::collect)
                .replay("garbagecollector.getAlternateOwnerIdentity", GarbageCollectorReplays::alternative)
                .replay(
                        "garbagecollector.node.unblockOwnerReferencesStrategicMergePatch",
                        GarbageCollectorReplays::unblock);
    }

    static ObjectId id(JsonNode id) {
        return new ObjectId(
                id.path("apiVersion").asText(),
                id.path("kind").asText(),
                id.has("Namespace")
                        ? id.get("Namespace").asText()
                        : id.path("namespace").asText(),
                id.path("name").asText(),
                id.path("uid").asText());
    }

    static List<OwnerRef> owners(JsonNode references) {
        List<OwnerRef> owners = new ArrayList<>();
        references.forEach(each -> owners.add(new OwnerRef(
                each.path("apiVersion").asText(),
                each.path("kind").asText(),
                each.path("name").asText(),
                each.path("uid").asText(),
                each.path("controller").asBoolean())));
        return owners;
    }

    private static Set<String> blocked(JsonNode references) {
        Set<String> uids = new HashSet<>();
        references.forEach(each -> {
            if (each.path("blockOwnerDeletion").asBoolean()) {
                uids.add(each.path("uid").asText());
            }
        });
        return uids;
    }

    static JsonNode tree(byte[] json) {
        try {
            return MAPPER.readTree(json);
        } catch (IOException e) {
            throw RecordedApi.unreadable(e);
        }
    }

    static JsonNode tree(String json) {
        return tree(json.getBytes(StandardCharsets.UTF_8));
    }

    private static Node node(JsonNode node) {
        Node copy = new Node(id(node.get("id")));
        copy.owners = owners(node.path("owners"));
        copy.blockedOwners = blocked(node.path("owners"));
        copy.virtual = node.get("virtual").asBoolean();
        copy.beingDeleted = node.get("beingDeleted").asBoolean();
        copy.deletingDependents = node.get("deletingDependents").asBoolean();
        return copy;
    }

    private static Map<String, Node> nodes(JsonNode nodes) {
        Map<String, Node> byUid = new HashMap<>();
        nodes.forEach(each -> byUid.put(each.get("id").get("uid").asText(), node(each)));
        nodes.forEach(each -> each.get("dependents").forEach(uid -> {
            Node dependent = byUid.get(uid.asText());
            if (dependent != null) {
                byUid.get(each.get("id").get("uid").asText()).dependents.add(dependent);
            }
        }));
        return byUid;
    }

    /** All that is known about the nodes, in lines. */
    private static Set<String> lines(Map<String, Node> nodes) {
        Set<String> lines = new TreeSet<>();
        nodes.values()
                .forEach(node -> lines.add(node.id + " virtual=" + node.virtual + " beingDeleted=" + node.beingDeleted
                        + " deletingDependents=" + node.deletingDependents + " owners=" + node.owners + " dependents="
                        + new TreeSet<>(node.dependents.stream()
                                .map(dependent -> dependent.id.uid())
                                .toList())));
        return lines;
    }

    private static Set<ObjectId> ids(JsonNode list) {
        Set<ObjectId> ids = new HashSet<>();
        list.forEach(each -> ids.add(id(each)));
        return ids;
    }

    /** Collects what the graph leads to. */
    private static final class Effects implements GraphListener {

        private final Set<ObjectId> collected = new HashSet<>();
        private final Set<ObjectId> orphaned = new HashSet<>();
        private final Map<String, String> invalid = new HashMap<>();

        @Override
        public void collect(ObjectId object) {
            collected.add(object);
        }

        @Override
        public void collectLater(ObjectId object) {
            collected.add(object);
        }

        @Override
        public void orphan(ObjectId owner) {
            orphaned.add(owner);
        }

        @Override
        public void invalidNamespace(ObjectId dependent, OwnerRef owner) {
            invalid.put(
                    dependent.uid(), ObjectId.of(owner, dependent.namespace()).toString());
        }

        /** The queues of upstream have what is new, and an object that waits is not added again. */
        void assertEqual(UpstreamCase call) {
            assertQueue(collected, call, "collect");
            assertQueue(orphaned, call, "orphan");
            invalid.forEach((uid, owner) ->
                    assertThat(call.note("invalid " + uid).asText()).isEqualTo(owner));
        }

        private static void assertQueue(Set<ObjectId> added, UpstreamCase call, String queue) {
            if (!call.note(queue + "After").isArray()) {
                return; // a test with a queue that cannot be read
            }
            Set<ObjectId> after = ids(call.note(queue + "After"));
            assertThat(after).as(queue).containsAll(added);
            after.removeAll(ids(call.note(queue + "Before")));
            assertThat(added).as(queue).containsAll(after);
        }
    }

    private static ObjectState state(JsonNode event, JsonNode object) {
        return new ObjectState(
                new ObjectId(
                        event.get("apiVersion").asText(),
                        event.get("kind").asText(),
                        object.get("namespace").asText(),
                        object.get("name").asText(),
                        object.get("uid").asText()),
                owners(object.get("ownerReferences")),
                blocked(object.get("ownerReferences")),
                object.get("deleting").asBoolean(),
                UpstreamCase.readList(object.get("finalizers"), String.class));
    }

    private static void change(UpstreamCase call) {
        Map<String, Node> nodes = nodes(call.note("nodesBefore"));
        Graph graph = new Graph(new AbsentOwners(500), nodes);
        Effects effects = new Effects();
        JsonNode event = call.note("event");
        ObjectState state = state(event, event.get("object"));

        if (event.get("virtual").asBoolean()) {
            graph.absent(state.id(), effects);
        } else if (event.get("type").asText().equals("delete")) {
            graph.gone(state.id(), effects);
        } else {
            graph.present(event.has("oldObject") ? state(event, event.get("oldObject")) : null, state, effects);
        }

        assertThat(lines(nodes)).isEqualTo(lines(nodes(call.note("nodesAfter"))));
        effects.assertEqual(call);
    }

    private static AbsentOwners absent(UpstreamCase call) {
        AbsentOwners absent = new AbsentOwners(500);
        call.names().forEach(name -> {
            Matcher id = ID.matcher(name);
            if (id.matches() && call.note(name).asBoolean()) {
                absent.add(new ObjectId(id.group(1), id.group(2), id.group(3), id.group(4), id.group(5)));
            }
        });
        return absent;
    }

    private static void collect(UpstreamCase call) {
        Map<String, Node> nodes = withItem(call);
        Map<String, Node> expected = withItem(call);
        ObjectId item = id(call.in("item").get("id"));
        Effects effects = new Effects();
        if (!call.note("virtualDelete").isMissingNode()) {
            new Graph(new AbsentOwners(500), expected).absent(id(call.note("virtualDelete")), new Effects());
        }
        AbsentOwners absent = absent(call);
        RecordedApi api = new RecordedApi(call);
        Collector collector = new Collector(api, new Graph(absent, nodes), absent, () -> effects, () -> {});

        assertThat(outcome(collector, item)).isEqualTo(expectedOutcome(call));
        api.assertComplete();
        assertThat(lines(nodes)).isEqualTo(lines(expected));
        call.names().stream()
                .filter(name -> name.startsWith("added "))
                .map(name -> ID.matcher(name.replace("added ", "absent ")))
                .filter(Matcher::matches)
                .forEach(id -> assertThat(absent.contains(
                                new ObjectId(id.group(1), id.group(2), id.group(3), id.group(4), id.group(5))))
                        .isTrue());
    }

    /** Some tests look at a node that is in no graph. */
    private static Map<String, Node> withItem(UpstreamCase call) {
        Map<String, Node> nodes = nodes(call.note("nodesBefore"));
        nodes.putIfAbsent(id(call.in("item").get("id")).uid(), node(call.in("item")));
        return nodes;
    }

    private static String outcome(Collector collector, ObjectId item) {
        try {
            Result result = collector.reconcile(
                    new GarbageRequest.Collect(item), ReconcileContext.of(Request.of(ObjectKey.ofName("test"))));
            return result.next() == Result.Next.DONE ? "done" : "again";
        } catch (RuntimeException e) {
            return "again";
        }
    }

    private static String expectedOutcome(UpstreamCase call) {
        String error = call.out(0).isNull() ? "" : call.out(0).asText();
        boolean again = error.isEmpty()
                ? call.in("item").get("virtual").asBoolean()
                : !error.equals("enqueued virtual delete event")
                        && !error.equals("cluster-scoped objects cannot refer to namespaced owners");
        return again ? "again" : "done";
    }

    private static void alternative(UpstreamCase call) {
        List<Node> dependents = new ArrayList<>();
        call.in("deps").forEach(each -> dependents.add(node(each)));

        assertThat(Identities.alternative(dependents, id(call.note("absentId"))).orElse(null))
                .isEqualTo(call.out(0).isNull() ? null : id(call.out(0)));
    }

    private static void unblock(UpstreamCase call) {
        Node node = node(call.note("node"));
        List<OwnerRef> blocked = node.owners.stream()
                .filter(owner -> node.blockedOwners.contains(owner.uid()))
                .toList();

        JsonNode ours = tree(OwnerPatches.unblock(node.id.uid(), blocked).body());
        byte[] recorded = new byte[call.out(0).size()];
        for (int i = 0; i < recorded.length; i++) {
            recorded[i] = (byte) call.out(0).get(i).asInt();
        }
        JsonNode upstream = tree(recorded);
        assertThat(references(ours)).isEqualTo(references(upstream));
    }

    /** Only these fields matter: the uid names the reference that is changed. */
    private static List<String> references(JsonNode patch) {
        List<String> references = new ArrayList<>();
        patch.path("metadata")
                .path("ownerReferences")
                .forEach(each -> references.add(
                        each.path("uid").asText() + " " + each.path("name").asText() + " "
                                + each.path("blockOwnerDeletion").asText()));
        return references;
    }
}
