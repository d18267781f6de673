package io.github.reconciler4j.webhook.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.client.DryRunScope;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.webhook.AdmissionDeniedException;
import io.github.reconciler4j.webhook.AdmissionRequest;
import io.github.reconciler4j.webhook.Defaulter;
import io.github.reconciler4j.webhook.Operation;
import io.github.reconciler4j.webhook.Validator;
import io.github.reconciler4j.webhook.fixtures.Widget;
import io.github.reconciler4j.webhook.fixtures.WidgetRules;
import io.github.reconciler4j.webhook.internal.Endpoint.BadReviewException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdmissionEndpointTests {

    private static final NullNode NONE = NullNode.getInstance();

    private final Endpoint validator = validating(new WidgetRules());
    private final Endpoint defaulter = mutating(new WidgetRules.Defaults());

    private static Endpoint validating(Validator<Widget> validator) {
        return AdmissionEndpoint.validating("/v", Widget.class, Scheme.describe(Widget.class), validator);
    }

    private static Endpoint mutating(Defaulter<Widget> defaulter) {
        return AdmissionEndpoint.mutating("/m", Widget.class, Scheme.describe(Widget.class), defaulter);
    }

    private static JsonNode respond(Endpoint endpoint, Operation operation, JsonNode object, JsonNode old)
            throws Exception {
        JsonNode answer = endpoint.respond(Reviews.admission(operation, object, old));
        assertThat(answer.path("apiVersion").asText()).isEqualTo("admission.k8s.io/v1");
        assertThat(answer.path("kind").asText()).isEqualTo("AdmissionReview");
        assertThat(answer.path("response").path("uid").asText()).isEqualTo("u-1");
        return answer.path("response");
    }

    private static JsonNode patched(JsonNode object, JsonNode response) throws IOException {
        assertThat(response.path("patchType").asText()).isEqualTo("JSONPatch");
        JsonNode patch = new com.fasterxml.jackson.databind.ObjectMapper()
                .readTree(response.path("patch").binaryValue());
        return io.fabric8.zjsonpatch.JsonPatch.apply(patch, object);
    }

    @Test
    void validObjectWhenCreatedIsAllowedWithoutPatch() throws Exception {
        JsonNode response = respond(validator, Operation.CREATE, Reviews.widget("{'image':'web'}"), NONE);

        assertThat(response.toString()).isEqualTo("{\"uid\":\"u-1\",\"allowed\":true}");
    }

    @Test
    void invalidObjectWhenCreatedIsDeniedWithCauses() throws Exception {
        JsonNode response = respond(validator, Operation.CREATE, Reviews.widget("{'replicas':11}"), NONE);

        assertThat(response).isEqualTo(Reviews.tree("""
                {'uid':'u-1','allowed':false,'status':{'status':'Failure','code':422,'reason':'Invalid',
                'message':'Widget.webhook.example.com \\"w\\" is invalid: [spec.replicas: Invalid value: 11: must be at most 10, spec.image: Required value]',
                'details':{'name':'w','group':'webhook.example.com','kind':'Widget','causes':[
                {'reason':'FieldValueInvalid','message':'Invalid value: 11: must be at most 10','field':'spec.replicas'},
                {'reason':'FieldValueRequired','message':'Required value','field':'spec.image'}]}}}
                """));
    }

    @Test
    void deniedExceptionWhenThrownIsForbidden() throws Exception {
        JsonNode response = respond(validator, Operation.CREATE, Reviews.widget("{'image':'forbidden'}"), NONE);

        assertThat(response.path("status"))
                .isEqualTo(Reviews.tree(
                        "{'status':'Failure','code':403,'reason':'Forbidden','message':'the image is forbidden'}"));
    }

    @Test
    void warningsWhenTheyHaveLineBreaksArriveOnOneLine() throws Exception {
        JsonNode response = respond(validator, Operation.CREATE, Reviews.widget("{'image':'old'}"), NONE);

        assertThat(response.path("warnings")).hasToString("[\"spec.image: \\\"old\\\" is deprecated\"]");
        assertThat(response.path("allowed").asBoolean()).isTrue();
    }

    @Test
    void warningsWhenTooLongAreCutAsTheServerCutsThem() {
        assertThat(Warnings.fit(List.of("x".repeat(4000)))).containsExactly("x".repeat(4000));
        List<String> cut = Warnings.fit(java.util.Collections.nCopies(20, "\uD83D\uDE00".repeat(300)));
        assertThat(cut).hasSize(16).allMatch(line -> line.codePointCount(0, line.length()) == 256);
        assertThat(Warnings.fit(List.of(" \n", ""))).isEmpty();
    }

    @Test
    void textsWhenTheyAreHugeAreCut() throws Exception {
        String huge = "\uD83D\uDE00".repeat(2_500_000);
        JsonNode denied = respond(
                mutating((widget, request) -> {
                    throw new AdmissionDeniedException(huge);
                }),
                Operation.CREATE,
                Reviews.widget("{}"),
                NONE);
        JsonNode invalid = respond(
                validating((widget, validation) -> {
                    for (int i = 0; i < 5_000; i++) {
                        validation.invalid(huge, "v", "m" + i);
                    }
                    validation.invalid("a", huge, huge);
                    validation.warn(huge);
                }),
                Operation.CREATE,
                Reviews.widget("{}"),
                NONE);

        assertThat(denied.at("/status/message").asText())
                .hasSize(Texts.MESSAGE - 1)
                .endsWith("\uD83D\uDE00...");
        assertThat(invalid.at("/status/message").asText()).hasSizeLessThanOrEqualTo(Texts.MESSAGE);
        assertThat(invalid.at("/status/details/causes")).hasSize(100);
        assertThat(invalid.toString()).hasSizeLessThan(200_000);
    }

    @Test
    void problemsWhenTheyAreManyAreCounted() throws Exception {
        JsonNode response = respond(
                validating((widget, validation) -> {
                    for (int i = 0; i < 130; i++) {
                        validation.required("a", "");
                    }
                }),
                Operation.CREATE,
                Reviews.widget("{}"),
                NONE);

        assertThat(response.at("/status/message").asText()).endsWith("a: Required value, and 30 more]");
    }

    @Test
    void updateWhenValidatedSeesBothObjects() throws Exception {
        JsonNode response = respond(
                validator,
                Operation.UPDATE,
                Reviews.widget("{'image':'web'}"),
                Reviews.widget("{'image':'web','ports':[{'port':1}]}"));

        assertThat(response.at("/status/details/causes/0/message").asText()).isEqualTo("Forbidden: cannot be removed");
    }

    @Test
    void updateWhenTheStoredObjectDoesNotFitItsClassIsValidatedAsANewObject() throws Exception {
        JsonNode stored = Reviews.widget("{'replicas':'many'}");

        assertThat(respond(validator, Operation.UPDATE, Reviews.widget("{'image':'web'}"), stored)
                        .path("allowed")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void deletionWhenValidatedSeesTheOldObjectAndTheUser() throws Exception {
        JsonNode response = respond(validator, Operation.DELETE, NONE, Reviews.widget("{'image':'precious'}"));

        assertThat(response.at("/status/message").asText()).contains("cannot be deleted by alice");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'image':{}}", "{'ports':[{'port':'secret'}]}", "[]", "{'replicas':'secret'}"})
    void objectWhenUndecodableIsDeniedWithTheFieldAndWithoutItsContent(String spec) throws Exception {
        for (Endpoint endpoint : List.of(validator, defaulter)) {
            JsonNode response = respond(endpoint, Operation.CREATE, Reviews.widget(spec), NONE);
            assertThat(response.at("/status/code").asInt()).isEqualTo(400);
            assertThat(response.at("/status/message").asText())
                    .startsWith("cannot decode Widget: spec")
                    .doesNotContain("secret");
            assertThat(response.at("/status/details/causes/0/field").asText()).startsWith("spec");
        }
    }

    @Test
    void defaultsWhenAppliedKeepFieldsThatTheClassDoesNotHave() throws Exception {
        ObjectNode object = Reviews.widget("{'extra':'e','ports':[{'name':'a','note':'n'}],'more':null}");

        JsonNode result = patched(object, respond(defaulter, Operation.CREATE, object, NONE));

        ObjectNode expected = Reviews.widget("{'extra':'e','ports':[{'name':'a','note':'n','port':80}],'more':null}");
        ((ObjectNode) expected.get("spec")).put("replicas", 1);
        assertThat(result).isEqualTo(expected);
    }

    @Test
    void objectWhenUnchangedGetsNoPatch() throws Exception {
        ObjectNode object = Reviews.widget("{'extra':'e','replicas':2,'ports':[{'name':'a','port':1,'note':'n'}]}");

        assertThat(respond(defaulter, Operation.UPDATE, object, object).toString())
                .isEqualTo("{\"uid\":\"u-1\",\"allowed\":true}");
    }

    @ParameterizedTest
    @EnumSource(names = {"DELETE", "CONNECT"})
    void defaulterWhenNothingCanBeChangedIsNotCalled(Operation operation) throws Exception {
        Endpoint endpoint = mutating((widget, request) -> widget.getSpec().image = "changed");

        assertThat(respond(endpoint, operation, NONE, Reviews.widget("{}")).toString())
                .isEqualTo("{\"uid\":\"u-1\",\"allowed\":true}");
    }

    @Test
    void requestWhenReadHasUserAndKey() throws Exception {
        List<AdmissionRequest<Widget>> seen = new ArrayList<>();
        respond(
                mutating((widget, request) -> seen.add(request)),
                Operation.UPDATE,
                Reviews.widget("{}"),
                Reviews.widget("{'image':'before'}"));

        AdmissionRequest<Widget> request = seen.get(0);
        assertThat(request.user().name()).isEqualTo("alice");
        assertThat(request.user().groups()).containsExactly("developers");
        assertThat(request.user().extra()).containsEntry("k", List.of("v"));
        assertThat(request.key()).hasToString("n/w");
        assertThat(request.dryRun()).isFalse();
        assertThat(request.requestKind()).isEqualTo(request.kind());
        assertThat(request.oldObject().orElseThrow().getSpec().image).isEqualTo("before");
    }

    @Test
    void handlerWhenDryRunIsInTheScopeOfDryRuns() throws Exception {
        List<Boolean> seen = new ArrayList<>();
        Endpoint endpoint = mutating((widget, request) -> seen.add(request.dryRun() && DryRunScope.isActive()));
        ObjectNode review = Reviews.admission(Operation.CREATE, Reviews.widget("{}"), NONE);
        ((ObjectNode) review.get("request")).put("dryRun", true);

        endpoint.respond(review);

        assertThat(seen).containsExactly(true);
        assertThat(DryRunScope.isActive()).isFalse();
    }

    @Test
    void genericObjectWhenChangedKeepsAllFields() throws Exception {
        Endpoint endpoint = AdmissionEndpoint.mutating(
                "/m",
                GenericKubernetesResource.class,
                Scheme.describe(Widget.class),
                (object, request) -> object.getMetadata().getLabels().put("added", "yes"));
        ObjectNode object = Reviews.widget("{'anything':[{'a':1.50}],'empty':{}}");

        JsonNode result = patched(object, respond(endpoint, Operation.CREATE, object, NONE));

        ((ObjectNode) object.at("/metadata/labels")).put("added", "yes");
        assertThat(result).isEqualTo(object);
    }

    @Test
    void failureOfTheHandlerWhenThrownIsNotADenial() {
        assertThatThrownBy(() -> respond(validator, Operation.CREATE, Reviews.widget("{'image':'defect'}"), NONE))
                .isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'apiVersion':'admission.k8s.io/v1beta1','kind':'AdmissionReview','request':{'uid':'u'}}",
                "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview'}",
                "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','request':{'operation':'CREATE'}}",
                "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','request':{'uid':'u','operation':'PATCH'}}",
                "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','request':{'uid':'u','operation':'CREATE'}}",
                "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','request':{'uid':'u','operation':'CREATE',"
                        + "'kind':{'group':'apps','version':'v1','kind':'Deployment'},'object':{}}}",
                "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','request':{'uid':'u','operation':'CREATE',"
                        + "'kind':{'group':'webhook.example.com','version':'v1','kind':'Widget'}}}"
            })
    void reviewWhenOfAnotherShapeIsRefused(String review) {
        assertThatThrownBy(() -> validator.respond(Reviews.tree(review))).isInstanceOf(BadReviewException.class);
        assertThatThrownBy(() -> defaulter.respond(Reviews.tree(review))).isInstanceOf(BadReviewException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "[]", "{", "1"})
    void bodyWhenNotAJsonObjectIsRefused(String body) {
        assertThatThrownBy(() -> Endpoint.parse(body.getBytes(UTF_8))).isInstanceOf(BadReviewException.class);
    }
}
