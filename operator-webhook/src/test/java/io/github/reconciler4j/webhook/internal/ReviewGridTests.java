package io.github.reconciler4j.webhook.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.webhook.Operation;
import io.github.reconciler4j.webhook.fixtures.Widget;
import io.github.reconciler4j.webhook.internal.Endpoint.BadReviewException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Each node of a review is removed, and replaced by each hostile value. The endpoint must answer, deny or refuse the review, and
 * never fail. To add a value, add it to {@link #VALUES}.
 */
class ReviewGridTests {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final KindInfo WIDGETS = new KindInfo(KindName.of(Widget.class), "widgets", true);

    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "0",
            "-1",
            "1e999",
            "1e-999",
            "123456789012345678901234567890",
            "1.5",
            "\"\"",
            "\" \"",
            "\"\\u0000\"",
            "\"\\ud83d\\ude00\"",
            "\"\\ud800\"",
            "\"a\\r\\nb\"",
            "\"../..\"",
            "\"a/b/c\"",
            "\"/\"",
            "\"UPDATE\"",
            "\"webhook.example.com/v1\"",
            "\"" + "x".repeat(70_000) + "\"",
            "[]",
            "[[]]",
            "[null]",
            "[{}]",
            "{}",
            "{\"\":\"\"}",
            "{\"a\":null}",
            "{\"$ref\":\"#\"}",
            "[".repeat(900) + "]".repeat(900));

    private final Map<String, String> violations = new TreeMap<>();
    private int cases;

    private static Map<String, Endpoint> endpoints() {
        Map<String, Endpoint> endpoints = new LinkedHashMap<>();
        endpoints.put(
                "validating", AdmissionEndpoint.validating("/validate", Widget.class, WIDGETS, (widget, validation) -> {
                    if (widget.getSpec() != null && "bad".equals(widget.getSpec().image)) {
                        validation.forbidden("spec.image", "is bad");
                    }
                }));
        endpoints.put("mutating", AdmissionEndpoint.mutating("/default", Widget.class, WIDGETS, (widget, request) -> {
            if (widget.getSpec() != null && widget.getSpec().replicas == null) {
                widget.getSpec().replicas = 1;
            }
        }));
        return endpoints;
    }

    private static Endpoint conversion() {
        KindConversion<Widget> kind = new KindConversion<>(KindName.of(Widget.class), Widget.class);
        kind.add(KindName.of(Widget.Beta.class), Widget.Beta.class, new Careful());
        return new ConversionEndpoint(List.of(kind));
    }

    /** Converts objects without a specification, too. */
    private static final class Careful extends Widget.BetaConverter {

        @Override
        public Widget toHub(Widget.Beta beta) {
            return beta.getSpec() == null ? new Widget() : super.toHub(beta);
        }

        @Override
        public Widget.Beta fromHub(Widget widget) {
            return widget.getSpec() == null ? new Widget.Beta() : super.fromHub(widget);
        }
    }

    private static ObjectNode widget(String version) {
        ObjectNode widget =
                Reviews.widget("{'image':'a','imageName':'a','ports':[{'name':'p','port':1}],'extra':{'x':[1]}}");
        widget.put("apiVersion", "webhook.example.com/" + version);
        widget.withObject("/metadata/annotations").put("a", "b");
        return widget;
    }

    @Test
    void admissionWhenANodeIsHostileIsAnsweredOrRefused(TestReporter reporter) throws Exception {
        for (Map.Entry<String, Endpoint> endpoint : endpoints().entrySet()) {
            for (Operation operation : List.of(Operation.CREATE, Operation.UPDATE, Operation.DELETE)) {
                ObjectNode object = widget("v1");
                check(
                        endpoint.getKey() + " " + operation,
                        endpoint.getValue(),
                        Reviews.admission(operation, object, object));
            }
        }
        assertNoViolations(reporter);
    }

    @Test
    void conversionWhenANodeIsHostileIsAnsweredOrRefused(TestReporter reporter) throws Exception {
        for (String desired : List.of("v1", "v1beta1")) {
            ObjectNode review = Reviews.tree("{'apiVersion':'apiextensions.k8s.io/v1','kind':'ConversionReview',"
                    + "'request':{'uid':'u-2','desiredAPIVersion':'webhook.example.com/" + desired + "'}}");
            ObjectNode object = widget(desired.equals("v1") ? "v1beta1" : "v1");
            object.withObject("/metadata/annotations")
                    .put("reconciler4j.io/conversion-data", "{\"" + desired + "\":{\"spec\":{\"size\":2}}}");
            review.withObject("/request").putArray("objects").add(object).add(widget("v1"));
            check("to " + desired, conversion(), review);
        }
        assertNoViolations(reporter);
    }

    private void assertNoViolations(TestReporter reporter) {
        reporter.publishEntry("reviews", cases + ", with violations: " + violations.size());
        assertThat(violations).isEmpty();
        assertThat(cases).isGreaterThan(1000);
    }

    private void check(String name, Endpoint endpoint, ObjectNode review) throws Exception {
        List<List<Object>> paths = new ArrayList<>();
        collect(review, List.of(), paths);
        for (List<Object> path : paths) {
            ObjectNode without = review.deepCopy();
            remove(without, path);
            checkOne(name + " without " + path, endpoint, without);
            for (String value : VALUES) {
                ObjectNode changed = review.deepCopy();
                replace(changed, path, JSON.readTree(value));
                String shown = value.length() > 40 ? value.substring(0, 40) + "..." : value;
                checkOne(name + " with " + path + " = " + shown, endpoint, changed);
            }
        }
    }

    private static void collect(JsonNode node, List<Object> path, List<List<Object>> paths) {
        if (!path.isEmpty()) {
            paths.add(path);
        }
        node.properties().forEach(field -> collect(field.getValue(), with(path, field.getKey()), paths));
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            collect(node.get(i), with(path, i), paths);
        }
    }

    private static List<Object> with(List<Object> path, Object last) {
        List<Object> longer = new ArrayList<>(path);
        longer.add(last);
        return longer;
    }

    private static JsonNode parent(JsonNode root, List<Object> path) {
        JsonNode node = root;
        for (Object step : path.subList(0, path.size() - 1)) {
            node = step instanceof Integer index ? node.get(index) : node.get((String) step);
        }
        return node;
    }

    private static void remove(ObjectNode root, List<Object> path) {
        Object last = path.get(path.size() - 1);
        if (parent(root, path) instanceof ArrayNode list) {
            list.remove((Integer) last);
        } else {
            ((ObjectNode) parent(root, path)).remove((String) last);
        }
    }

    private static void replace(ObjectNode root, List<Object> path, JsonNode value) {
        Object last = path.get(path.size() - 1);
        if (parent(root, path) instanceof ArrayNode list) {
            list.set((Integer) last, value);
        } else {
            ((ObjectNode) parent(root, path)).set((String) last, value);
        }
    }

    private void checkOne(String what, Endpoint endpoint, ObjectNode review) {
        cases++;
        try {
            byte[] sent = JSON.writeValueAsString(review).getBytes(StandardCharsets.UTF_8);
            ObjectNode answer = endpoint.respond(Endpoint.parse(sent));
            JsonNode response = JSON.readTree(Endpoint.encode(answer)).path("response");
            JsonNode uid = JSON.readTree(sent).at("/request/uid");
            boolean answered =
                    response.has("uid") && response.get("uid").asText().equals(uid.asText());
            String message = response.at("/result/message")
                    .asText(response.at("/status/message").asText());
            if (!answered || message.contains("internal error")) {
                violations.putIfAbsent(what, response.toString());
            }
        } catch (BadReviewException e) {
            if (String.valueOf(e.getMessage()).length() > 1100) {
                violations.putIfAbsent(what, "a message of " + e.getMessage().length() + " characters");
            }
        } catch (Exception | StackOverflowError e) {
            violations.putIfAbsent(what, e.toString());
        }
    }
}
