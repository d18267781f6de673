package io.github.reconciler4j.test.server.internal.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.JsonValues;
import io.github.reconciler4j.test.server.internal.apimachinery.RealApi;
import io.github.reconciler4j.test.server.internal.apimachinery.RealApi.Answer;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.internal.apimachinery.patch.MergePatch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests for one object to the real server, runs our functions on it, and records where
 * they differ.
 */
final class ApplyDifferences {

    private final RealApi api;
    private final String path;
    private final String apiVersion;
    private final TypeSchema type;
    private final List<List<String>> resetFields;
    private final List<List<String>> statusResetFields;
    private final List<String> found = new ArrayList<>();
    private final UnaryOperator<JsonNode> defaults;
    private @Nullable JsonNode live;
    private int accepted;

    ApplyDifferences(
            RealApi api,
            String path,
            String apiVersion,
            TypeSchema type,
            List<List<String>> resetFields,
            List<List<String>> statusResetFields,
            UnaryOperator<JsonNode> defaults) {
        this.api = api;
        this.path = path;
        this.apiVersion = apiVersion;
        this.type = type;
        this.resetFields = resetFields;
        this.statusResetFields = statusResetFields;
        this.defaults = defaults;
    }

    List<String> found() {
        return found;
    }

    /** Returns how many requests the server accepted. */
    int accepted() {
        return accepted;
    }

    @Nullable
    JsonNode live() {
        return live;
    }

    /** Applies an object to the main or the status endpoint. */
    void apply(String manager, boolean force, String subresource, JsonNode applied) {
        Answer answer = api.apply(path + suffix(subresource) + "?fieldManager=" + manager + "&force=" + force, applied);
        String step = "apply by " + manager + (force ? " with force " : " ") + subresource + " " + applied;
        try {
            ApplyRequest request = request(manager, force, subresource, answer);
            ApplyResult ours = ServerSideApply.apply(live, applied, request, type);
            compare(step, answer, ours.object());
            boolean changed = live == null
                    || !live.at("/metadata/resourceVersion")
                            .equals(answer.body().at("/metadata/resourceVersion"));
            if (answer.status() < 300 && changed != ours.changed()) {
                found.add(step + "\n  changed on the server: " + changed + ", here: " + ours.changed());
            }
        } catch (StatusException e) {
            compareError(step, answer, e);
        }
        remember(answer);
    }

    /** Creates an object. */
    void create(String manager, JsonNode object) {
        String collection = path.substring(0, path.lastIndexOf('/'));
        Answer answer = api.create(collection + "?fieldManager=" + manager, object);
        String step = "create by " + manager + " " + object;
        JsonNode after = answer.status() < 300 ? without(answer.body(), NullNode.getInstance()) : object;
        compareManagers(step, answer, ServerSideApply.update(null, after, request(manager, false, "", answer), type));
        remember(answer);
    }

    /** Merge patches the object at the main or the status endpoint. */
    void mergePatch(String manager, String subresource, JsonNode patch) {
        Answer answer = api.patch(path + suffix(subresource) + "?fieldManager=" + manager, "merge", patch);
        String step = "merge patch by " + manager + " " + subresource + " " + patch;
        if (live != null && answer.status() < 300) {
            JsonNode merged = MergePatch.apply(live, patch);
            JsonNode after = without(answer.body(), merged.at("/metadata/managedFields"));
            compareManagers(
                    step,
                    answer,
                    ServerSideApply.update(live, after, request(manager, false, subresource, answer), type));
        }
        remember(answer);
    }

    private static String suffix(String subresource) {
        return subresource.isEmpty() ? "" : "/" + subresource;
    }

    /** Makes the request that was answered; its time is the latest that the server wrote down. */
    private ApplyRequest request(String manager, boolean force, String subresource, Answer answer) {
        Instant time = Instant.EPOCH;
        for (JsonNode entry : managers(answer.body())) {
            Instant written = Instant.parse(entry.path("time").asText("1970-01-01T00:00:00Z"));
            time = written.isAfter(time) ? written : time;
        }
        ApplyRequest request = new ApplyRequest(manager, force, apiVersion, subresource, time);
        return request.withResetFields(subresource.isEmpty() ? resetFields : statusResetFields);
    }

    private static JsonNode without(JsonNode object, JsonNode managedFields) {
        ObjectNode copy = object.deepCopy();
        ObjectNode metadata = (ObjectNode) copy.get("metadata");
        metadata.remove("managedFields");
        if (managedFields.isArray()) {
            metadata.set("managedFields", managedFields);
        }
        return copy;
    }

    private void remember(Answer answer) {
        if (answer.status() < 300) {
            accepted++;
            live = answer.body();
        }
    }

    private void compareError(String step, Answer answer, StatusException ours) {
        boolean same = answer.status() == ours.code()
                && (answer.status() != 409 || sortedLines(answer.message()).equals(sortedLines(ours.getMessage())))
                && answer.body().path("reason").asText().equals(ours.reason());
        if (!same) {
            found.add(step + "\n  server: " + answer.status() + " " + answer.message() + "\n  ours:   " + ours.code()
                    + " " + ours.getMessage());
        }
    }

    private static List<String> sortedLines(String text) {
        return text.lines().sorted(Comparator.naturalOrder()).toList();
    }

    private void compare(String step, Answer answer, JsonNode ours) {
        if (answer.status() == 422 && answer.message().contains(" is invalid: ")) {
            return; // refused by validation, which is compared elsewhere
        }
        if (answer.status() >= 300) {
            found.add(step + "\n  server: " + answer.status() + " " + answer.message() + "\n  ours:   " + ours);
            return;
        }
        compareManagers(step, answer, ours);
        JsonNode expected = contents(answer.body());
        JsonNode actual = contents(defaults.apply(ours));
        if (!JsonValues.equalByValue(expected, actual)) {
            found.add(step + "\n  live:   " + (live == null ? null : contents(live)) + "\n  server: " + expected
                    + "\n  ours:   " + actual);
        }
    }

    private void compareManagers(String step, Answer answer, JsonNode ours) {
        if (answer.status() >= 300) {
            return; // refused by validation, which is compared elsewhere
        }
        JsonNode expected = managers(answer.body());
        if (!expected.equals(managers(ours))) {
            found.add(step + "\n  before: " + (live == null ? null : managers(live)) + "\n  server: " + expected
                    + "\n  ours:   " + managers(ours));
        }
    }

    private static JsonNode managers(JsonNode object) {
        return object.at("/metadata/managedFields");
    }

    /** Returns spec, status, labels and annotations without nulls. */
    private static JsonNode contents(JsonNode object) {
        ObjectNode copy = object.deepCopy();
        ObjectNode metadata = (ObjectNode) copy.get("metadata");
        metadata.retain(List.of("labels", "annotations", "finalizers", "ownerReferences"));
        copy.remove(List.of("apiVersion", "kind"));
        dropNulls(copy);
        return copy;
    }

    private static void dropNulls(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.properties().removeIf(field -> field.getValue().isNull());
        }
        node.forEach(ApplyDifferences::dropNulls);
    }
}
