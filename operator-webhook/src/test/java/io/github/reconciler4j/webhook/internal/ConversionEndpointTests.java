package io.github.reconciler4j.webhook.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.webhook.Converter;
import io.github.reconciler4j.webhook.Webhooks;
import io.github.reconciler4j.webhook.fixtures.Widget;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ConversionEndpointTests {

    private static final String V1 = "webhook.example.com/v1";
    private static final String BETA = "webhook.example.com/v1beta1";

    private final Endpoint endpoint = endpoint(new Widget.BetaConverter());

    private static Endpoint endpoint(Converter<Widget, Widget.Beta> converter) {
        KindConversion<Widget> conversion = new KindConversion<>(KindName.of(Widget.class), Widget.class);
        conversion.add(KindName.of(Widget.Beta.class), Widget.Beta.class, converter);
        return new ConversionEndpoint(List.of(conversion));
    }

    private static ObjectNode review(String desired, List<? extends JsonNode> objects) {
        ObjectNode review = Reviews.tree(
                "{'apiVersion':'apiextensions.k8s.io/v1','kind':'ConversionReview','request':{'uid':'u-2'}}");
        ObjectNode request = (ObjectNode) review.get("request");
        request.put("desiredAPIVersion", desired);
        ArrayNode list = request.putArray("objects");
        objects.forEach(list::add);
        return review;
    }

    private JsonNode respond(String desired, JsonNode... objects) throws Exception {
        JsonNode answer = endpoint.respond(review(desired, List.of(objects)));
        assertThat(answer.path("kind").asText()).isEqualTo("ConversionReview");
        assertThat(answer.at("/response/uid").asText()).isEqualTo("u-2");
        return answer.get("response");
    }

    private JsonNode converted(String desired, JsonNode object) throws Exception {
        JsonNode response = respond(desired, object);
        assertThat(response.path("result")).hasToString("{\"status\":\"Success\"}");
        assertThat(response.path("convertedObjects")).hasSize(1);
        return response.at("/convertedObjects/0");
    }

    private static ObjectNode widget(String version, String spec) {
        ObjectNode widget = Reviews.widget(spec);
        widget.put("apiVersion", version);
        return widget;
    }

    @Test
    void objectWhenExpressibleInBothVersionsGetsNoAnnotation() throws Exception {
        JsonNode beta = converted(BETA, widget(V1, "{'image':'web','replicas':2,'ports':[]}"));

        assertThat(beta).isEqualTo(widget(BETA, "{'imageName':'web','size':2}"));
    }

    @Test
    void fieldsWhenTheSpokeDoesNotHaveThemSurviveTheWayBack() throws Exception {
        ObjectNode hub = widget(V1, "{'image':'web','extra':'e','ports':[{'name':'a','port':1,'note':'n'}]}");

        JsonNode beta = converted(BETA, hub);
        assertThat(beta.at("/metadata/annotations").has(Converter.DATA_ANNOTATION))
                .isTrue();
        assertThat(converted(V1, beta)).isEqualTo(hub);

        ((ObjectNode) beta.get("spec")).put("imageName", "changed").put("size", 3);
        JsonNode changed = converted(V1, beta);
        assertThat(changed)
                .isEqualTo(widget(
                        V1, "{'image':'changed','extra':'e','ports':[{'name':'a','port':1,'note':'n'}],'replicas':3}"));
    }

    @Test
    void fieldsWhenTheHubDoesNotHaveThemSurviveTheWayBack() throws Exception {
        ObjectNode beta = widget(BETA, "{'imageName':'web','color':'red'}");

        JsonNode hub = converted(V1, beta);
        ((ObjectNode) hub.get("spec")).put("extra", "e").put("replicas", 4);
        JsonNode back = converted(BETA, hub);

        assertThat(back.get("spec"))
                .isEqualTo(widget(BETA, "{'imageName':'web','color':'red','size':4}")
                        .get("spec"));
        assertThat(converted(V1, back).get("spec")).isEqualTo(hub.get("spec"));
    }

    @Test
    void annotationWhenDamagedIsIgnored() throws Exception {
        for (String damage : List.of("{", "[]", "{\"v1\":{\"spec\":[]}}", "{\"v1\":1}")) {
            ObjectNode beta = widget(BETA, "{'imageName':'web'}");
            beta.withObject("/metadata/annotations").put(Converter.DATA_ANNOTATION, damage);

            assertThat(converted(V1, beta).at("/spec/image").asText()).isEqualTo("web");
        }
    }

    /** Each user who may write an object may write the annotation. */
    @Test
    void annotationWhenItNamesOtherMetadataChangesContentOnly() throws Exception {
        ObjectNode beta = widget(BETA, "{'imageName':'web'}");
        JsonNode metadata = beta.get("metadata").deepCopy();
        beta.withObject("/metadata/annotations")
                .put(
                        Converter.DATA_ANNOTATION,
                        "{\"v1\":{\"metadata\":{\"name\":\"x\"},\"kind\":\"Other\",\"spec\":{\"extra\":\"e\"}}}");

        JsonNode hub = converted(V1, beta);

        assertThat(hub.get("kind").asText()).isEqualTo("Widget");
        assertThat(hub.get("metadata")).isEqualTo(metadata);
        assertThat(hub.at("/spec/extra").asText()).isEqualTo("e");
    }

    @Test
    void annotationWhenTheConverterRefusesItIsKeptAndTheObjectIsConverted() throws Exception {
        for (String refused :
                List.of("{\"v1beta1\":{}}", "{\"v1beta1\":{\"spec\":{\"imageName\":\"unconvertible\"}}}")) {
            ObjectNode hub = widget(V1, "{'image':'web','ports':[]}");
            hub.withObject("/metadata/annotations").put(Converter.DATA_ANNOTATION, refused);

            JsonNode beta = converted(BETA, hub);

            assertThat(beta.at("/spec/imageName").asText()).isEqualTo("web");
            assertThat(beta.at("/metadata/annotations/" + Converter.DATA_ANNOTATION.replace("/", "~1"))
                            .asText())
                    .isEqualTo(refused);
        }
    }

    /** The API server refuses the whole response, and names no object. */
    @Test
    void annotationWhenItsContentCannotBeSentIsKeptAndTheObjectIsConverted() throws Exception {
        String deep = "[".repeat(996) + "]".repeat(996);
        for (String value : List.of(deep, "1e999", "9".repeat(400))) {
            String text = "{\"v1\":{\"spec\":{\"extra\":" + value + "}}}";
            ObjectNode beta = widget(BETA, "{'imageName':'web'}");
            beta.withObject("/metadata/annotations").put(Converter.DATA_ANNOTATION, text);

            JsonNode hub = converted(V1, beta);

            assertThat(hub.get("spec")).hasToString("{\"image\":\"web\",\"ports\":[]}");
            assertThat(hub.get("metadata")).isEqualTo(beta.get("metadata"));
        }
    }

    @Test
    void annotationWhenTooLargeLosesWhatNoVersionCanRestore() throws Exception {
        String rubbish = "x".repeat(262_080);
        for (String version : List.of("v2", "v1")) {
            ObjectNode beta = widget(BETA, "{'imageName':'web','color':'red'}");
            beta.withObject("/metadata/annotations")
                    .put(
                            Converter.DATA_ANNOTATION,
                            "{\"" + version + "\":{\"spec\":{\"image\":[\"" + rubbish + "\"]}}}");

            JsonNode hub = converted(V1, beta);

            assertThat(hub.at("/metadata/annotations").toString()).hasSizeLessThan(300);
            assertThat(converted(BETA, hub).get("spec")).isEqualTo(beta.get("spec"));
        }
    }

    @Test
    void objectWhenItsAnnotationsBecomeTooLargeIsNamedWithTheWayOut() throws Exception {
        ObjectNode hub = widget(V1, "{'image':'web'}");
        ((ObjectNode) hub.get("spec")).put("extra", "x".repeat(262_144));

        JsonNode result = respond(BETA, hub).get("result");

        assertThat(result.path("message").asText())
                .matches(
                        "could not convert Widget.webhook.example.com/v1 n/w to webhook.example.com/v1beta1: the annotations,"
                                + " with what v1beta1 cannot express, would have 262\\d{3} bytes, and the API server accepts 262144:"
                                + " use v1, or make the object or its annotations smaller \\(R4J-424\\)");
    }

    /** A converter does not convert metadata, but can read it. */
    @Test
    void converterWhenItReadsMetadataHasItForWhatTheAnnotationKeepsToo() throws Exception {
        Endpoint reading = endpoint(new Widget.BetaConverter() {
            @Override
            public Widget toHub(Widget.Beta beta) {
                Widget widget = super.toHub(beta);
                widget.getSpec().image = beta.getMetadata().getName().concat("-image");
                return widget;
            }
        });
        ObjectNode beta = widget(BETA, "{'imageName':'web','color':'red'}");

        JsonNode hub = reading.respond(review(V1, List.of(beta))).at("/response/convertedObjects/0");
        JsonNode back = reading.respond(review(BETA, List.of(hub))).at("/response/convertedObjects/0");

        assertThat(back.at("/spec/color").asText()).isEqualTo("red");
        assertThat(back.at("/spec/imageName").asText()).isEqualTo("web");
    }

    @Test
    void objectWhenItsNameHasLinesIsNamedInOneLine() throws Exception {
        ObjectNode widget = widget("webhook.example.com/v7", "{}");
        widget.withObject("/metadata").put("name", "a\nFORGED");
        assertThat(respond(V1, widget).at("/result/message").asText())
                .contains("a\\nFORGED")
                .doesNotContain("\n");
    }

    @Test
    void objectsWhenConvertedKeepTheirOrder() throws Exception {
        ObjectNode same = widget(V1, "{'image':'b'}");
        JsonNode response = respond(V1, widget(BETA, "{'imageName':'a'}"), same, widget(BETA, "{'imageName':'c'}"));

        assertThat(response.path("convertedObjects").findValuesAsText("image")).containsExactly("a", "b", "c");
        assertThat(response.at("/convertedObjects/1")).isEqualTo(same);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "webhook.example.com/v1|Widget|{'imageName':'unconvertible'}|spec.imageName: cannot be converted",
                "webhook.example.com/v1|Widget|{'size':'text'}|spec.size: cannot be decoded as Integer",
                "webhook.example.com/v2|Widget|{'imageName':'a'}|the operator has no converter for version v2",
                "other.example.com/v1|Widget|{'imageName':'a'}|the groups differ",
                "webhook.example.com/v1|Other|{'imageName':'a'}|the operator has no converter for the kind"
            })
    void objectWhenNotConvertibleFailsTheReviewAndIsNamed(String desired, String kind, String spec, String message)
            throws Exception {
        ObjectNode object = widget(BETA, spec);
        object.put("kind", kind);

        JsonNode response = respond(desired, widget(BETA, "{'imageName':'a'}"), object);

        assertThat(response.path("convertedObjects")).isEmpty();
        assertThat(response.at("/result/status").asText()).isEqualTo("Failure");
        assertThat(response.at("/result/message").asText()).contains("n/w").endsWith(message);
    }

    @Test
    void failureOfTheConverterWhenThrownIsReportedWithoutItsMessage() throws Exception {
        Endpoint failing = endpoint(new Widget.BetaConverter() {
            @Override
            public Widget toHub(Widget.Beta beta) {
                throw new IllegalStateException("secret");
            }
        });

        JsonNode answer = failing.respond(review(V1, List.of(widget(BETA, "{'imageName':'a'}"))));

        assertThat(answer.at("/response/result/message").asText())
                .matches(
                        "could not convert Widget.webhook.example.com/v1beta1 n/w to webhook.example.com/v1: internal error \\w{8}");
    }

    /** What a converter can do wrong, and what the message says. */
    private static Stream<Arguments> wrongConverters() {
        return Stream.of(
                arguments(
                        "null",
                        step(widget -> null),
                        "the converter returned null instead of Widget.v1.webhook.example.com"),
                arguments("other class", step(widget -> new Widget.Beta()), "instead of " + Widget.class.getName()),
                arguments("other kind", step(otherKind()), "an object with kind 'Other' instead of 'Widget'"),
                arguments("name", step(change(meta -> meta.setName("x"))), "metadata.name 'x' instead of 'w'"),
                arguments("namespace", step(change(meta -> meta.setNamespace("x"))), "metadata.namespace 'x'"),
                arguments("uid", step(change(meta -> meta.setUid("x"))), "metadata.uid 'x' instead of ''"),
                arguments("long name", step(change(meta -> meta.setName("x".repeat(5_000_000)))), "instead of 'w'"),
                arguments("error", step(failing(new AssertionError("secret"))), "internal error"),
                arguments("linkage", step(failing(new NoClassDefFoundError("secret"))), "internal error"),
                arguments("memory", step(failing(new OutOfMemoryError("secret"))), "internal error"),
                arguments("stack", step(failing(new StackOverflowError())), "internal error"),
                arguments("checked", step(failing(new Exception("secret"))), "internal error"),
                arguments("throwable", step(failing(new Throwable("secret"))), "internal error"),
                arguments("no message", step(failing(new IllegalArgumentException())), "IllegalArgumentException"),
                arguments("long message", step(failing(new IllegalArgumentException("m".repeat(5_000_000)))), "mmm"),
                arguments(
                        "message that throws",
                        step(failing(new IllegalArgumentException() {
                            @Override
                            public String getMessage() {
                                throw new IllegalStateException("secret");
                            }
                        })),
                        "could not convert"));
    }

    /** A class of another kind. */
    @Group("webhook.example.com")
    @Version("v1")
    @Kind("Other")
    static final class Other extends Widget {
        private static final long serialVersionUID = 1L;
    }

    private static UnaryOperator<Widget> otherKind() {
        return widget -> {
            Widget other = new Other();
            other.setSpec(widget.getSpec());
            return other;
        };
    }

    private static UnaryOperator<Widget> change(Consumer<ObjectMeta> change) {
        return widget -> {
            change.accept(widget.getMetadata());
            return widget;
        };
    }

    private static UnaryOperator<Widget> failing(Throwable failure) {
        return widget -> {
            ConversionEndpointTests.<RuntimeException>throwUnchecked(failure);
            return widget;
        };
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void throwUnchecked(Throwable failure) throws E {
        throw (E) failure;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Converter<Widget, Widget.Beta> step(Function result) {
        return (Converter) new Converter<HasMetadata, Widget.Beta>() {
            @Override
            public HasMetadata toHub(Widget.Beta beta) {
                Widget widget = new Widget();
                widget.getSpec().image = beta.getSpec().imageName;
                return (HasMetadata) result.apply(widget);
            }

            @Override
            public Widget.Beta fromHub(HasMetadata widget) {
                return new Widget.BetaConverter().fromHub((Widget) widget);
            }
        };
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongConverters")
    void resultOfAConverterWhenWrongFailsTheReviewAndTheObjectIsNamed(
            String name, Converter<Widget, Widget.Beta> converter, String message) throws Exception {
        for (ObjectNode object : List.of(widget(BETA, "{'imageName':'a'}"), widget(V1, "{'image':'a'}"))) {
            String desired = object.get("apiVersion").asText().equals(V1) ? BETA : V1;

            JsonNode response = endpoint(converter)
                    .respond(review(desired, List.of(object)))
                    .get("response");

            assertThat(response.at("/result/status").asText()).isEqualTo("Failure");
            assertThat(response.path("convertedObjects")).isEmpty();
            assertThat(response.at("/result/message").asText())
                    .startsWith("could not convert Widget."
                            + object.get("apiVersion").asText() + " n/w to " + desired)
                    .contains(message)
                    .doesNotContain("secret")
                    .hasSizeLessThanOrEqualTo(Texts.MESSAGE);
        }
    }

    @Test
    void convertersWhenInconsistentAreRefused() {
        Widget.BetaConverter converter = new Widget.BetaConverter();
        Webhooks.Builder builder = Webhooks.builder().converter(Widget.class, Widget.Beta.class, converter);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.converter(Widget.class, Widget.Beta.class, converter))
                .withMessageContaining("two converters");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.converter(Widget.Beta.class, Widget.Beta.class, null))
                .withMessageContaining("two hubs");
    }
}
