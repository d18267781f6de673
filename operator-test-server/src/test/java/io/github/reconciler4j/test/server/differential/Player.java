package io.github.reconciler4j.test.server.differential;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.github.reconciler4j.test.server.ErrorShape;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Plays one transcript on one server and writes down what it sees. For one thread. */
final class Player {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final YAMLMapper YAML = new YAMLMapper();
    /** Much more than a server needs, for machines that do much else. */
    private static final int ATTEMPTS = 2400;

    private static final int PAUSE_MILLIS = 50;

    private final Map<String, ApiUser> users;
    private final Transcript transcript;
    private final Variables variables;
    private final Normalizer normalizer = new Normalizer();
    private final Map<String, Events> watches = new HashMap<>();

    Player(Map<String, ApiUser> users, Transcript transcript) {
        this.users = users;
        this.transcript = transcript;
        variables = new Variables(transcript.namespace());
    }

    /** What was seen at each step, without what varies. */
    List<JsonNode> play() throws IOException, InterruptedException {
        if (transcript.usesNamespace()) {
            makeNamespace();
        }
        List<JsonNode> seen = new ArrayList<>();
        try {
            for (Step step : transcript.steps()) {
                for (int i = 1; i <= step.option("times").asInt(1); i++) {
                    variables.put("i", Integer.toString(i));
                    seen.add(Selected.of(step, seen(step)));
                }
            }
        } catch (RuntimeException | IOException e) {
            seen.add(TextNode.valueOf("the transcript broke off after " + seen.size() + " answers: " + e));
        } finally {
            for (Events watch : watches.values()) {
                watch.close();
            }
        }
        return seen;
    }

    private void makeNamespace() throws IOException, InterruptedException {
        byte[] body = ("{\"metadata\":{\"name\":\"" + transcript.namespace() + "\"}}").getBytes(StandardCharsets.UTF_8);
        HttpResponse<byte[]> made =
                user("admin").send("POST", "/api/v1/namespaces", body, Map.of("Content-Type", "application/json"));
        if (made.statusCode() != 201) {
            throw new IOException("namespace " + transcript.namespace() + ": " + made.statusCode());
        }
    }

    private JsonNode seen(Step step) throws IOException, InterruptedException {
        return switch (step.verb()) {
            case "WATCH" -> open(step);
            case "READ" -> read(step);
            default -> request(step);
        };
    }

    private ApiUser user(String name) {
        return Objects.requireNonNull(users.get(name), name);
    }

    private JsonNode open(Step step) throws IOException, InterruptedException {
        Requests request = new Requests(step, variables);
        HttpResponse<InputStream> response = user(step.text("user", "admin")).open(request.path(), request.headers());
        if (response.statusCode() != 200) {
            try (InputStream body = response.body()) {
                return outcome(response, body.readAllBytes());
            }
        }
        watches.put(step.text("as", "watch"), new Events(response.body()));
        return JsonNodeFactory.instance.objectNode().put("status", 200);
    }

    private JsonNode read(Step step) throws InterruptedException {
        Events events = Objects.requireNonNull(watches.get(step.target()), "no open watch: " + step.target());
        ArrayNode seen = JsonNodeFactory.instance.arrayNode();
        String end = step.text("end", "");
        List<JsonNode> taken = end.isEmpty() ? events.take(step.option("count").asInt(1)) : events.takeUntil(end);
        for (JsonNode event : taken) {
            seen.add(normalizer.normalize(ErrorShape.of(event)));
            step.map("save").forEach((name, pointer) -> variables.put(name, event.at(pointer)));
        }
        return JsonNodeFactory.instance.objectNode().set("events", seen);
    }

    private JsonNode request(Step step) throws IOException, InterruptedException {
        Requests request = new Requests(step, variables);
        HttpResponse<byte[]> response = send(step, request);
        for (int i = 1; !isReached(step.option("until"), response); i++) {
            if (i == ATTEMPTS) {
                // Both servers would look the same, and what follows would be about nothing
                throw new AssertionError(transcript.id() + ": '" + step + "' never ends with " + step.option("until")
                        + ", but with " + new String(response.body(), StandardCharsets.UTF_8));
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            response = send(step, request);
        }
        JsonNode body = tree(response.body());
        step.map("save").forEach((name, pointer) -> variables.put(name, body.at(pointer)));
        ObjectNode outcome = outcome(response, response.body());
        if (step.verb().equals("PATCH") && response.statusCode() == HttpURLConnection.HTTP_NOT_FOUND) {
            // A real server tries the patch first on the object that its watch cache still holds, and warns about that
            outcome.remove("warnings");
        }
        return outcome;
    }

    private HttpResponse<byte[]> send(Step step, Requests request) throws IOException, InterruptedException {
        return user(step.text("user", "admin")).send(step.verb(), request.path(), request.body(), request.headers());
    }

    private static boolean isReached(JsonNode until, HttpResponse<byte[]> response) {
        if (until.isMissingNode()) {
            return true;
        }
        if (until.isInt()) {
            return response.statusCode() == until.asInt();
        }
        JsonNode body = tree(response.body());
        return until.properties().stream()
                .allMatch(wish -> isText(body, wish.getKey(), wish.getValue().asText()));
    }

    /** Whether the pointer leads to the text. A star in it stands for any element of a list. */
    private static boolean isText(JsonNode body, String pointer, String text) {
        int star = pointer.indexOf("/*");
        if (star < 0) {
            return body.at(pointer).asText().equals(text);
        }
        for (JsonNode element : body.at(pointer.substring(0, star))) {
            if (isText(element, pointer.substring(star + 2), text)) {
                return true;
            }
        }
        return false;
    }

    private ObjectNode outcome(HttpResponse<?> response, byte[] body) throws IOException {
        ObjectNode outcome = JsonNodeFactory.instance.objectNode();
        outcome.put("status", response.statusCode());
        outcome.put("type", response.headers().firstValue("Content-Type").orElse(""));
        response.headers().firstValue("Retry-After").ifPresent(seconds -> outcome.put("retryAfter", seconds));
        List<String> warnings = response.headers().allValues("Warning");
        if (!warnings.isEmpty()) {
            ArrayNode list = outcome.putArray("warnings");
            // A real server has some of them in the order of a hash table
            warnings.stream().sorted().forEach(warning -> list.add(normalizer.words(warning)));
        }
        JsonNode tree = outcome.path("type").asText().equals("application/yaml") ? YAML.readTree(body) : tree(body);
        if (!tree.isMissingNode()) {
            outcome.set("body", normalizer.normalize(ErrorShape.of(tree)));
        } else if (body.length > 0) {
            outcome.put("text", normalizer.words(new String(body, StandardCharsets.UTF_8)));
        }
        return outcome;
    }

    private static JsonNode tree(byte[] body) {
        try {
            return JSON.readTree(body);
        } catch (IOException e) {
            return MissingNode.getInstance();
        }
    }
}
