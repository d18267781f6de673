package io.github.reconciler4j.webhook.internal;

import static io.github.reconciler4j.webhook.internal.RandomWidgets.ANNOTATION_BYTES;
import static io.github.reconciler4j.webhook.internal.RandomWidgets.annotation;
import static io.github.reconciler4j.webhook.internal.RandomWidgets.damage;
import static io.github.reconciler4j.webhook.internal.RandomWidgets.parse;
import static io.github.reconciler4j.webhook.internal.RandomWidgets.pick;
import static io.github.reconciler4j.webhook.internal.RandomWidgets.widgets;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.CustomResource;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.webhook.Converter;
import io.github.reconciler4j.webhook.fixtures.Widget;
import io.github.reconciler4j.webhook.internal.Dispatcher.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Random reviews of conversions, as bytes: objects of random shape, annotations that users have damaged, converters that return or
 * throw anything, bodies that are no reviews. Each review gets a valid review as its answer, with the objects in their order and with
 * their metadata, and the way back gives what was sent. More: {@code -Dconversion.cases=20000}, one:
 * {@code -Dconversion.seed=17 -Dconversion.cases=1}.
 */
class ConversionRandomTests {

    private static final int CASES = Integer.getInteger("conversion.cases", 300);
    private static final int FIRST = Integer.getInteger("conversion.seed", 1);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String V1 = "webhook.example.com/v1";
    private static final String BETA = "webhook.example.com/v1beta1";
    private static final List<String> VERSIONS = List.of(V1, BETA);
    /** A converter for this case alone. */
    private static Dispatcher dispatcher(Converter<Widget, Widget.Beta> converter) {
        KindConversion<Widget> conversion = new KindConversion<>(KindName.of(Widget.class), Widget.class);
        conversion.add(KindName.of(Widget.Beta.class), Widget.Beta.class, converter);
        return new Dispatcher(List.of(new ConversionEndpoint(List.of(conversion))), OperatorMetrics.NONE, false);
    }

    private interface Case {
        void run(Random random) throws Exception;
    }

    private static void each(Case test) throws Exception {
        for (int seed = FIRST; seed < FIRST + CASES; seed++) {
            try {
                test.run(new Random(seed));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("-Dconversion.seed=" + seed + ": " + e.getMessage(), e);
            }
        }
    }

    /** Halves of characters are escaped, because they have no bytes. */
    private static Answer send(Dispatcher dispatcher, String text) throws Exception {
        StringBuilder body = new StringBuilder();
        for (char each : text.toCharArray()) {
            body.append(Character.isSurrogate(each) ? String.format("\\u%04x", (int) each) : each);
        }
        return send(dispatcher, body);
    }

    private static Answer send(Dispatcher dispatcher, StringBuilder body) throws Exception {
        return dispatcher.dispatch(
                ConversionEndpoint.PATH, Duration.ZERO, body.toString().getBytes(UTF_8));
    }

    /** Return the response of a valid answer. */
    private static JsonNode response(Answer answer, JsonNode review) throws Exception {
        assertThat(answer.status()).as(new String(answer.body(), UTF_8)).isEqualTo(200);
        JsonNode tree = JSON.readTree(answer.body());
        assertThat(tree.path("apiVersion").asText()).isEqualTo("apiextensions.k8s.io/v1");
        assertThat(tree.path("kind").asText()).isEqualTo("ConversionReview");
        JsonNode response = tree.path("response");
        assertThat(response.path("uid")).as("uid").isEqualTo(review.at("/request/uid"));
        assertThat(response.path("uid").isTextual()).as("uid is a text").isTrue();
        assertThat(response.path("convertedObjects").isArray()).isTrue();
        String status = response.at("/result/status").asText();
        if (status.equals("Failure")) {
            assertThat(response.path("convertedObjects")).isEmpty();
            assertThat(response.at("/result/message").asText())
                    .isNotBlank()
                    .hasSizeLessThanOrEqualTo(Texts.MESSAGE)
                    .doesNotContain("secret");
        } else {
            assertThat(status).isEqualTo("Success");
            checkObjects(review.path("request"), response.path("convertedObjects"));
        }
        return response;
    }

    /** The rules of the API server, and that all metadata stays. */
    private static void checkObjects(JsonNode request, JsonNode converted) {
        JsonNode objects = request.path("objects");
        assertThat(converted).hasSize(objects.size());
        for (int i = 0; i < objects.size(); i++) {
            String desired = request.path("desiredAPIVersion").asText();
            assertThat(converted.get(i).path("apiVersion").asText()).isEqualTo(desired);
            assertThat(converted.get(i).path("kind")).isEqualTo(objects.get(i).path("kind"));
            assertThat(metadata(converted.get(i))).as("metadata of %s", i).isEqualTo(metadata(objects.get(i)));
            checkNumbers(converted.get(i));
            checkAnnotations(objects.get(i), converted.get(i));
        }
    }

    private static void checkNumbers(JsonNode tree) {
        if (tree.isNumber()) {
            assertThat(tree.doubleValue()).isFinite();
        }
        tree.forEach(ConversionRandomTests::checkNumbers);
    }

    /** The API server checks annotations that have changed. */
    private static void checkAnnotations(JsonNode sent, JsonNode converted) {
        JsonNode annotations = converted.at("/metadata/annotations");
        if (!annotations.equals(sent.at("/metadata/annotations"))) {
            int bytes = 0;
            for (var annotation : annotations.properties()) {
                bytes += annotation.getKey().length()
                        + annotation.getValue().asText().getBytes(UTF_8).length;
            }
            assertThat(bytes).isLessThanOrEqualTo(ANNOTATION_BYTES);
        }
    }

    /** Without the annotation of conversions. No metadata is the same as empty metadata. */
    private static JsonNode metadata(JsonNode object) {
        JsonNode metadata = object.path("metadata").deepCopy();
        if (metadata.isMissingNode() || metadata.isNull()) {
            return JSON.createObjectNode();
        }
        if (metadata.get("annotations") instanceof ObjectNode annotations) {
            annotations.remove(Converter.DATA_ANNOTATION);
            if (annotations.isEmpty()) {
                ((ObjectNode) metadata).remove("annotations");
            }
        } else if (metadata.path("annotations").isNull()) {
            ((ObjectNode) metadata).remove("annotations");
        }
        return metadata;
    }

    private static ObjectNode review(Random random, String desired, List<? extends JsonNode> objects) {
        ObjectNode review = Reviews.tree("{'apiVersion':'apiextensions.k8s.io/v1','kind':'ConversionReview'}");
        ObjectNode request = review.putObject("request");
        request.put("uid", "u-" + random.nextInt()).put("desiredAPIVersion", desired);
        request.putArray("objects").addAll(objects);
        return review;
    }

    @Test
    void objectsWhenConvertedThereAndBackAreWhatWasSent() throws Exception {
        try (Dispatcher dispatcher = dispatcher(new Widget.BetaConverter())) {
            each(random -> {
                List<ObjectNode> sent = widgets(random);
                List<JsonNode> objects = new ArrayList<>(sent);
                for (int i = 1 + random.nextInt(4); i > 0; i--) {
                    objects = success(dispatcher, random, pick(random, VERSIONS), objects);
                }
                for (int i = 0; i < sent.size(); i++) {
                    ObjectNode original = sent.get(i);
                    String version = original.get("apiVersion").asText();
                    JsonNode back = success(dispatcher, random, version, List.of(objects.get(i)))
                            .get(0);
                    assertThat(back).isEqualTo(parse(original.toString()));
                }
            });
        }
    }

    private static List<JsonNode> success(
            Dispatcher dispatcher, Random random, String desired, List<? extends JsonNode> objects) throws Exception {
        ObjectNode review = review(random, desired, objects);
        JsonNode response = response(send(dispatcher, review.toString()), review);
        assertThat(response.path("result")).hasToString("{\"status\":\"Success\"}");
        List<JsonNode> converted = new ArrayList<>();
        response.get("convertedObjects").forEach(converted::add);
        return converted;
    }

    /** Each user who may write an object may write the annotation, and must not hide the other objects of a list by it. */
    @Test
    void annotationWhateverItIsHidesNoObject() throws Exception {
        try (Dispatcher dispatcher = dispatcher(new Widget.BetaConverter())) {
            each(random -> {
                List<ObjectNode> sent = widgets(random);
                for (ObjectNode object : sent) {
                    object.withObject("/metadata/annotations").put(Converter.DATA_ANNOTATION, annotation(random));
                }
                List<JsonNode> objects = success(dispatcher, random, pick(random, VERSIONS), sent);
                ObjectNode again = review(random, pick(random, VERSIONS), objects);
                JsonNode response = response(send(dispatcher, again.toString()), again);
                assertThat(response.at("/result/message").asText("what v1beta1 cannot express, would have"))
                        .contains("cannot express, would have"); // it was restored, and is too large to be kept again
            });
        }
    }

    @Test
    void objectsWhateverTheyAreGetAValidReview() throws Exception {
        try (Dispatcher dispatcher = dispatcher(new Widget.BetaConverter())) {
            each(random -> {
                List<ObjectNode> sent = widgets(random);
                for (ObjectNode object : sent) {
                    damage(random, object);
                }
                ObjectNode review = review(random, pick(random, VERSIONS), sent);
                response(send(dispatcher, review.toString()), parse(review.toString()));
            });
        }
    }

    @Test
    void bodyWhateverItIsGetsAValidReviewOrARefusal() throws Exception {
        try (Dispatcher dispatcher = dispatcher(new Widget.BetaConverter())) {
            each(random -> {
                ObjectNode review = review(random, pick(random, VERSIONS), widgets(random));
                damage(random, review);
                String body = review.toString();
                if (random.nextInt(4) == 0) {
                    int place = random.nextInt(body.length());
                    String noise = pick(random, List.of("", "{", "]", "\"", "\u0000", "[".repeat(2000)));
                    body = body.substring(0, place) + noise + body.substring(place + random.nextInt(2));
                }
                Answer answer = send(dispatcher, body);
                if (answer.status() == 400) {
                    assertThat(new String(answer.body(), UTF_8)).isNotBlank().hasSizeLessThan(1100);
                } else {
                    response(answer, parse(body));
                }
            });
        }
    }

    @Test
    void converterWhateverItDoesGetsAValidReview() throws Exception {
        each(random -> {
            UnaryOperator<Widget> toHub = deed(random);
            UnaryOperator<Widget.Beta> fromHub = deed(random);
            Converter<Widget, Widget.Beta> converter = new Converter<>() {
                @Override
                public Widget toHub(Widget.Beta beta) {
                    return toHub.apply(new Widget.BetaConverter().toHub(beta));
                }

                @Override
                public Widget.Beta fromHub(Widget widget) {
                    return fromHub.apply(new Widget.BetaConverter().fromHub(widget));
                }
            };
            try (Dispatcher dispatcher = dispatcher(converter)) {
                ObjectNode review = review(random, pick(random, VERSIONS), widgets(random));
                response(send(dispatcher, review.toString()), parse(review.toString()));
            }
        });
    }

    /** What a converter does to its result. */
    private static <T extends CustomResource<?, ?>> UnaryOperator<T> deed(Random random) {
        String text = pick(random, List.of("x", "", "\ud800", "a\udc00b", "\u0000", "y".repeat(9000)));
        return switch (random.nextInt(9)) {
            case 0 -> object -> null;
            case 1 -> throwing(new IllegalArgumentException(text));
            case 2 -> throwing(new Quiet());
            case 3 -> throwing(new Overflow());
            case 4 -> object -> set(object, () -> object.getMetadata().setName(text));
            case 5 -> object -> set(object, () -> object.setMetadata(null));
            case 6 ->
                object -> set(object, () -> {
                    if (object instanceof Widget widget) {
                        widget.getSpec().image = text;
                    } else if (object instanceof Widget.Beta beta) {
                        beta.getSpec().color = text;
                    }
                });
            case 7 -> object -> set(object, () -> object.getMetadata().setLabels(Map.of(text, text)));
            default -> UnaryOperator.identity();
        };
    }

    /** Without a stack trace, which the log would show each time. */
    private static final class Quiet extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Quiet() {
            super("secret", null, false, false);
        }
    }

    private static final class Overflow extends Error {

        private static final long serialVersionUID = 1L;

        Overflow() {
            super("secret", null, false, false);
        }
    }

    private static <T> T set(T object, Runnable change) {
        change.run();
        return object;
    }

    private static <T> UnaryOperator<T> throwing(Throwable failure) {
        return object -> {
            if (failure instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failure;
        };
    }
}
