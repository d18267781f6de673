package io.github.reconciler4j.test.server.differential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Random steps on a few objects of one kind. */
final class RandomSteps {
    /** A custom kind with a status of its own; see {@link #DEFINITION}. */
    static final Kind WIDGETS =
            new Kind("/apis/random.example.com/v1/namespaces/$ns/widgets", "random.example.com/v1", "Widget");

    static final Kind MAPS = new Kind("/api/v1/namespaces/$ns/configmaps", "v1", "ConfigMap");

    static final String DEFINITION = """
            {"metadata": {"name": "widgets.random.example.com"}, "spec": {"group": "random.example.com",
             "scope": "Namespaced", "names": {"plural": "widgets", "kind": "Widget"}, "versions": [{"name": "v1",
             "served": true, "storage": true, "subresources": {"status": {}}, "schema": {"openAPIV3Schema":
             {"type": "object", "properties": {
              "data": {"type": "object", "additionalProperties": {"type": "string"}},
              "status": {"type": "object", "additionalProperties": {"type": "string"}}}}}}]}}""";

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String MERGE = "merge";

    /** What the objects are. */
    record Kind(String path, String apiVersion, String name) {}

    /** What the chosen values of one step are; each kind of step uses some of them. */
    private record Choice(String object, String key, String value, String label, boolean held, String manager) {}

    private final Kind kind;

    private RandomSteps(Kind kind) {
        this.kind = kind;
    }

    /** Sequences of up to 25 steps between the opening and the reading of two watches. */
    static Arbitrary<List<Step>> sequences(Kind kind) {
        RandomSteps steps = new RandomSteps(kind);
        return steps.one().list().ofMinSize(3).ofMaxSize(25).map(steps::between);
    }

    private Arbitrary<List<Step>> one() {
        Arbitrary<String> verbs = Arbitraries.of(
                "create",
                "create",
                "update",
                "stale",
                "patch",
                "patch",
                "label",
                "hold",
                "apply",
                "apply",
                "force",
                "delete",
                "delete",
                "status",
                "json",
                "dry",
                "precondition",
                "collection",
                "list",
                "page",
                "next");
        Arbitrary<Choice> choices = Combinators.combine(
                        Arbitraries.of("a", "b"),
                        Arbitraries.of("k", "l"),
                        Arbitraries.of("1", "2"),
                        Arbitraries.of("on", "off"),
                        Arbitraries.of(true, false, false),
                        Arbitraries.of("one", "two"))
                .as(Choice::new);
        return Combinators.combine(verbs, choices).as(this::steps);
    }

    private List<Step> between(List<List<Step>> middle) {
        List<Step> steps = new ArrayList<>();
        ObjectNode list = step("GET", kind.path());
        list.putObject("save")
                .put("rv", "/metadata/resourceVersion")
                .put("old", "")
                .put("next", "/metadata/continue");
        steps.add(Step.of(list));
        steps.add(watch("all", ""));
        steps.add(watch("on", "&labelSelector=x%3Don"));
        middle.forEach(steps::addAll);
        ObjectNode end = step("POST", kind.path());
        end.set("body", object(new Choice("end", "k", "1", "on", false, "")));
        steps.add(Step.of(end));
        for (String name : List.of("all", "on")) {
            steps.add(Step.of(step("READ", name).put("end", "end")));
        }
        return steps;
    }

    private Step watch(String name, String query) {
        return Step.of(step("WATCH", kind.path() + "?watch=true&resourceVersion=${rv}" + query)
                .put("as", name));
    }

    private static ObjectNode step(String verb, String target) {
        return JSON.objectNode().put(verb, target);
    }

    private List<Step> steps(String verb, Choice choice) {
        String path = kind.path() + "/" + choice.object();
        return switch (verb) {
            case "create" -> List.of(with(step("POST", kind.path()), object(choice)));
            case "dry" -> List.of(with(step("POST", kind.path() + "?dryRun=All"), object(choice)));
            case "update" -> {
                ObjectNode get = step("GET", path);
                get.putObject("save").put(choice.object(), "");
                ObjectNode put = step("PUT", path).put("base", choice.object());
                put.set("with", changes(choice));
                yield List.of(Step.of(get), Step.of(put));
            }
            case "stale" -> {
                ObjectNode body = object(choice);
                ((ObjectNode) body.path("metadata")).put("resourceVersion", "${rv}");
                yield List.of(with(step("PUT", path), body));
            }
            case "patch" -> List.of(patch(path, MERGE, data(choice)));
            case "label" ->
                List.of(patch(path, MERGE, metadata("labels", JSON.objectNode().put("x", choice.label()))));
            case "hold" ->
                List.of(patch(
                        path,
                        MERGE,
                        metadata(
                                "finalizers",
                                choice.held() ? JSON.arrayNode().add("example.com/x") : JSON.arrayNode())));
            case "apply", "force" -> List.of(apply(path, choice, verb.equals("force")));
            case "delete" -> List.of(Step.of(step("DELETE", path)));
            case "precondition" -> List.of(deleteOfOldVersion(path));
            case "collection" -> List.of(Step.of(step("DELETE", kind.path() + "?labelSelector=x%3D" + choice.label())));
            case "status" -> List.of(status(path, choice));
            case "json" -> List.of(jsonPatch(path, choice));
            case "page" -> List.of(page());
            case "next" -> List.of(Step.of(step("GET", kind.path() + "?limit=1&continue=${next}")));
            default -> List.of(Step.of(step("GET", kind.path() + "?labelSelector=x%3D" + choice.label())));
        };
    }

    private static Step deleteOfOldVersion(String path) {
        ObjectNode body = JSON.objectNode();
        body.putObject("preconditions").put("resourceVersion", "${rv}");
        return with(step("DELETE", path), body);
    }

    private Step status(String path, Choice choice) {
        ObjectNode status = JSON.objectNode();
        status.putObject("status").put(choice.key(), choice.value());
        status.putObject("data").put("ignored", "yes");
        return patch(path + (kind == WIDGETS ? "/status" : ""), MERGE, status);
    }

    /** The first page of two; a later step may ask for the second. */
    private Step page() {
        ObjectNode list = step("GET", kind.path() + "?limit=1");
        list.putObject("save").put("next", "/metadata/continue");
        return Step.of(list);
    }

    private static Step with(ObjectNode step, ObjectNode body) {
        step.set("body", body);
        return Step.of(step);
    }

    private static Step patch(String path, String type, ObjectNode body) {
        return with(step("PATCH", path).put("type", type), body);
    }

    private Step apply(String path, Choice choice, boolean force) {
        ObjectNode body = object(choice);
        return patch(path + "?fieldManager=" + choice.manager() + (force ? "&force=true" : ""), "apply", body);
    }

    private static Step jsonPatch(String path, Choice choice) {
        ObjectNode step = step("PATCH", path).put("type", "json-patch");
        ObjectNode operation = step.putArray("body").addObject();
        operation.put("op", choice.held() ? "replace" : choice.value().equals("1") ? "remove" : "add");
        operation.put("path", "/data/" + choice.key()).put("value", choice.value());
        return Step.of(step);
    }

    private ObjectNode object(Choice choice) {
        ObjectNode object = changes(choice).put("apiVersion", kind.apiVersion()).put("kind", kind.name());
        ((ObjectNode) object.path("metadata")).put("name", choice.object());
        return object;
    }

    private static ObjectNode changes(Choice choice) {
        ObjectNode object = data(choice);
        ObjectNode metadata = object.putObject("metadata");
        metadata.putObject("labels").put("x", choice.label());
        if (choice.held()) {
            metadata.putArray("finalizers").add("example.com/x");
        }
        return object;
    }

    private static ObjectNode data(Choice choice) {
        ObjectNode object = JSON.objectNode();
        object.putObject("data").put(choice.key(), choice.value());
        return object;
    }

    private static ObjectNode metadata(String field, JsonNode value) {
        ObjectNode object = JSON.objectNode();
        object.putObject("metadata").set(field, value);
        return object;
    }
}
