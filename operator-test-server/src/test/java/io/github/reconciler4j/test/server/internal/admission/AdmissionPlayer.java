package io.github.reconciler4j.test.server.internal.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.BothServers;
import io.github.reconciler4j.test.server.internal.apimachinery.RealApi;
import io.github.reconciler4j.test.server.internal.apimachinery.RealApi.Answer;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Sends the same requests to a real server and to ours, and compares the answers and what webhooks were asked. */
final class AdmissionPlayer {
    /** What Go and Java word differently: reasons of failed calls, of patches that do not fit, and of expressions. */
    private static final Pattern FOREIGN = Pattern.compile(
            "(failed to call webhook: |undecodable patch in webhook response: |resulted in error: |compilation failed: "
                    + "|JSON Patch: |conversion webhook for [^ ]*, Kind=[A-Za-z]* failed: Post |Internal error occurred: "
                    + "(?!failed calling|admission webhook)).*",
            Pattern.DOTALL);

    private static final String INTERNAL = "Internal error occurred: ";

    /** Examples and regular expressions in the errors of names, and of URLs that cannot be parsed. */
    private static final Pattern EXAMPLES =
            Pattern.compile("\\s*\\(e\\.g\\. .*?'\\)|(?<=url must be a valid URL: ).*?(?=; desired)");

    private final BothServers servers;
    private final @Nullable ScriptedWebhooks webhooks;

    AdmissionPlayer(BothServers servers, ScriptedWebhooks webhooks) {
        this(webhooks, servers);
    }

    private AdmissionPlayer(@Nullable ScriptedWebhooks webhooks, BothServers servers) {
        this.servers = servers;
        this.webhooks = webhooks;
    }

    /** Compares the answers, but not what webhooks were asked. */
    static AdmissionPlayer ofAnswers(BothServers servers) {
        return new AdmissionPlayer(null, servers);
    }

    void create(String title, String path, String body) {
        play(title, "POST", path, TestJson.of(body).toString(), "application/json");
    }

    void merge(String title, String path, String body) {
        play(title, "PATCH", path, TestJson.of(body).toString(), "application/merge-patch+json");
    }

    void apply(String title, String path, String body) {
        play(title, "PATCH", path, TestJson.of(body).toString(), "application/apply-patch+yaml");
    }

    void delete(String title, String path, @Nullable String options) {
        play(
                title,
                "DELETE",
                path,
                options == null ? null : TestJson.of(options).toString(),
                "application/json");
    }

    /** Sends a request to both; returns the real answer. */
    Answer play(String title, String method, String path, @Nullable String body, String type) {
        return play(
                title + "\n  " + method + " " + path + " " + body,
                api -> api.send(method, path, body, type, "application/json"));
    }

    Answer play(String title, Function<RealApi, Answer> request) {
        reviews();
        Answer real = request.apply(servers.real());
        List<JsonNode> realReviews = reviews();
        Answer ours = request.apply(servers.ours());
        List<JsonNode> ourReviews = reviews();
        List<String> lines = new ArrayList<>();
        if (real.status() != ours.status()) {
            lines.add("status " + real.status() + " / " + ours.status());
        }
        if (!message(real).equals(message(ours))) {
            lines.add("message\n    real: " + real.message() + "\n    ours: " + ours.message());
        }
        String difference = BothServers.difference(body(real), body(ours));
        if (!difference.isEmpty()) {
            lines.add("body " + difference);
        }
        if (!warnings(real).equals(warnings(ours))) {
            lines.add("warnings\n    real: " + real.warnings() + "\n    ours: " + ours.warnings());
        }
        if (!realReviews.equals(ourReviews)) {
            lines.add("reviews " + reviewDifference(realReviews, ourReviews));
        }
        if (!lines.isEmpty()) {
            servers.differ(title + "\n  " + String.join("\n  ", lines));
        }
        return real;
    }

    private static Set<String> warnings(Answer answer) {
        Set<String> warnings = new TreeSet<>();
        answer.warnings().forEach(warning -> warnings.add(plain(warning)));
        return warnings;
    }

    private static String message(Answer answer) {
        return plain(answer.message());
    }

    /** The text without what the two word differently. */
    private static String plain(String text) {
        String same = FOREIGN.matcher(text).replaceFirst("$1");
        return EXAMPLES.matcher(same)
                .replaceAll("")
                .replaceAll("gen-[a-z0-9]{5}", "gen-<>")
                .replaceAll("revision=\\d+", "revision=<>")
                .replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "<uid>");
    }

    private static JsonNode body(Answer answer) {
        JsonNode copy = answer.body().deepCopy();
        vary(copy);
        if (copy.path("kind").asText().equals("ValidatingAdmissionPolicyBinding")) {
            ((ObjectNode) copy.path("metadata")).remove("managedFields"); // of a required list that may be left out
        }
        if (copy instanceof ObjectNode object && copy.path("kind").asText().equals("Status")) {
            object.remove("message");
            String prefix = answer.message().startsWith(INTERNAL) ? INTERNAL : "";
            for (JsonNode cause : copy.at("/details/causes")) {
                String text = prefix + cause.path("message").asText();
                ((ObjectNode) cause).put("message", plain(text));
            }
            if (object.path("details") instanceof ObjectNode details) {
                details.remove("uid");
            }
        }
        return copy;
    }

    private static String reviewDifference(List<JsonNode> real, List<JsonNode> ours) {
        if (real.size() != ours.size()) {
            return "\n    real: " + paths(real) + "\n    ours: " + paths(ours);
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < real.size(); i++) {
            text.append(BothServers.difference(real.get(i), ours.get(i)));
        }
        return text.toString();
    }

    private static List<String> paths(List<JsonNode> reviews) {
        return reviews.stream().map(review -> review.path("path").asText()).toList();
    }

    /** What was asked: mutating webhooks in order, validating ones by name, without what varies. */
    private List<JsonNode> reviews() {
        if (webhooks == null) {
            return List.of();
        }
        List<JsonNode> mutating = new ArrayList<>();
        List<JsonNode> others = new ArrayList<>();
        for (ObjectNode review : webhooks.take()) {
            normalize(review);
            (review.path("path").asText().contains("mutating") ? mutating : others).add(review);
        }
        others.sort((one, other) ->
                one.path("path").asText().compareTo(other.path("path").asText()));
        mutating.addAll(others);
        return mutating;
    }

    private static void normalize(ObjectNode review) {
        if (review.path("request") instanceof ObjectNode request) {
            request.remove(List.of("uid", "userInfo"));
            vary(request);
        }
    }

    private static String order(JsonNode manager) {
        return manager.path("manager").asText()
                + manager.path("operation").asText()
                + manager.path("subresource").asText()
                + manager.path("apiVersion").asText();
    }

    private static void vary(JsonNode node) {
        if (node instanceof ObjectNode object) {
            for (String field : List.of("uid", "resourceVersion", "creationTimestamp", "deletionTimestamp", "time")) {
                if (object.hasNonNull(field)) {
                    object.put(field, "<" + field + ">");
                }
            }
            for (String field : List.of("name", "continue")) {
                if (object.path(field).asText().matches("gen-.*|eyJ.*")) {
                    object.put(field, "<" + field + ">");
                }
            }
            if (object.path("managedFields") instanceof ArrayNode managers) {
                managers.forEach(manager -> ((ObjectNode) manager).remove("time"));
                List<JsonNode> sorted = new ArrayList<>();
                managers.forEach(sorted::add);
                sorted.sort((one, other) -> order(one).compareTo(order(other)));
                managers.removeAll();
                managers.addAll(sorted);
            }
            object.properties().forEach(field -> vary(field.getValue()));
        } else if (node instanceof ArrayNode list) {
            list.forEach(AdmissionPlayer::vary);
        }
    }
}
