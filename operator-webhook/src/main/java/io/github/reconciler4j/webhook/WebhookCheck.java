package io.github.reconciler4j.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.webhook.internal.Endpoint;
import io.github.reconciler4j.webhook.internal.JsonPatch;
import io.github.reconciler4j.webhook.internal.SchemaObjects;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Random;

/**
 * Checks webhooks with objects drawn from the schema of a custom resource definition, for tests:
 *
 * <!-- snippet: WebhookUse -->
 * <pre>{@code
 * WebhookCheck check = WebhookCheck.of(webhooks, definition).withTries(1_000);
 * check.defaultersChangeNothingTwice();
 * check.conversionsLoseNothing();
 * }</pre>
 *
 * <p>The webhooks are called as the API server calls them, without a network. An object that fails is in the message, with the
 * seed that draws it again.
 *
 * <p>Immutable and thread-safe.
 *
 * @since 0.1.0
 */
public final class WebhookCheck {

    private static final int DEFAULT_TRIES = 100;

    private final Webhooks webhooks;
    private final JsonNode definition;
    private final int tries;
    private final long seed;

    private WebhookCheck(Webhooks webhooks, JsonNode definition, int tries, long seed) {
        this.webhooks = webhooks;
        this.definition = definition;
        this.tries = tries;
        this.seed = seed;
    }

    /** Create a check with 100 objects per webhook and a random seed. */
    public static WebhookCheck of(Webhooks webhooks, CustomResourceDefinition definition) {
        JsonNode tree = KubernetesJson.mapper().valueToTree(definition);
        return new WebhookCheck(webhooks, tree, DEFAULT_TRIES, new Random().nextLong());
    }

    /**
     * Return a copy of this check with the given number of objects per webhook.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public WebhookCheck withTries(int number) {
        if (number < 1) {
            throw new IllegalArgumentException("'tries' must be positive, was " + number);
        }
        return new WebhookCheck(webhooks, definition, number, seed);
    }

    /** Return a copy of this check with the given seed, which draws the same objects in each run. */
    public WebhookCheck withSeed(long value) {
        return new WebhookCheck(webhooks, definition, tries, value);
    }

    /**
     * Check that a defaulter that is applied to its own result changes nothing. The API server may call it again after other
     * webhooks.
     *
     * @throws AssertionError if a defaulter changes its result, or fails
     */
    public void defaultersChangeNothingTwice() {
        for (AdmissionWebhook webhook : webhooks.admission(AdmissionWebhook.Type.MUTATING)) {
            String apiVersion = webhook.kind().kind().apiVersion();
            if (!isOfDefinition(webhook.kind().resource())) {
                continue;
            }
            Endpoint endpoint = endpoint(webhook.path());
            Random random = new Random(seed);
            for (int i = 0; i < tries; i++) {
                ObjectNode object = draw(random, apiVersion);
                ObjectNode once = defaulted(endpoint, object);
                ObjectNode twice = defaulted(endpoint, once);
                if (!same(once, twice)) {
                    throw failure(
                            "The defaulter at " + webhook.path() + " changes its own result", object, once, twice);
                }
            }
        }
    }

    /**
     * Check that converting to another version and back restores the object, from the hub to each spoke and from each spoke
     * to the hub.
     *
     * @throws AssertionError if an object differs afterwards, or a conversion fails
     */
    public void conversionsLoseNothing() {
        for (Webhooks.ConvertedKind kind : webhooks.conversions()) {
            if (!isOfDefinition(kind.definition())) {
                continue;
            }
            String hub = kind.hub().kind().apiVersion();
            String group = hub.substring(0, hub.indexOf('/') + 1);
            for (String spoke : kind.spokes()) {
                roundTrips(hub, group + spoke);
                roundTrips(group + spoke, hub);
            }
        }
    }

    /** Return whether two objects are the same as text; the classes of their numbers do not count. */
    private static boolean same(ObjectNode one, ObjectNode other) {
        try {
            return Endpoint.parse(Endpoint.encode(one)).equals(Endpoint.parse(Endpoint.encode(other)));
        } catch (Endpoint.BadReviewException e) {
            throw new AssertionError(e);
        }
    }

    private void roundTrips(String from, String to) {
        Endpoint endpoint = webhooks.endpoints().stream()
                .filter(Endpoint::isConversion)
                .findFirst()
                .orElseThrow();
        Random random = new Random(seed);
        for (int i = 0; i < tries; i++) {
            ObjectNode object = draw(random, from);
            ObjectNode converted = convert(endpoint, object, to);
            ObjectNode back = convert(endpoint, converted, from);
            if (!same(object, back)) {
                throw failure("The conversion from " + from + " to " + to + " and back", object, converted, back);
            }
        }
    }

    private boolean isOfDefinition(String resource) {
        return definition.path("metadata").path("name").asText().equals(resource);
    }

    private Endpoint endpoint(String path) {
        return webhooks.endpoints().stream()
                .filter(endpoint -> endpoint.path().equals(path))
                .findFirst()
                .orElseThrow();
    }

    private ObjectNode draw(Random random, String apiVersion) {
        JsonNode spec = definition.path("spec");
        for (JsonNode version : spec.path("versions")) {
            if (apiVersion.equals(
                    spec.path("group").asText() + "/" + version.path("name").asText())) {
                return new SchemaObjects(random)
                        .draw(
                                apiVersion,
                                spec.path("names").path("kind").asText(),
                                version.path("schema").path("openAPIV3Schema"));
            }
        }
        throw new AssertionError("The definition has no version " + apiVersion);
    }

    private ObjectNode defaulted(Endpoint endpoint, ObjectNode object) {
        ObjectNode review = review("admission.k8s.io/v1", "AdmissionReview");
        ObjectNode request = review.putObject("request").put("uid", "1").put("operation", "CREATE");
        String apiVersion = object.path("apiVersion").asText();
        request.putObject("kind")
                .put("group", apiVersion.substring(0, apiVersion.indexOf('/')))
                .put("version", apiVersion.substring(apiVersion.indexOf('/') + 1))
                .put("kind", object.path("kind").asText());
        request.put("name", object.path("metadata").path("name").asText()).put("namespace", "default");
        request.putObject("userInfo").put("username", "test");
        request.set("object", object.deepCopy());
        request.set("oldObject", NullNode.getInstance());
        JsonNode response = answer(endpoint, review, object);
        String patch = response.path("patch").asText();
        if (!response.path("allowed").asBoolean()) {
            return object; // a defaulter may deny objects
        }
        try {
            return patch.isEmpty()
                    ? object
                    : (ObjectNode) JsonPatch.apply(
                            object,
                            KubernetesJson.mapper().readTree(Base64.getDecoder().decode(patch)));
        } catch (IOException e) {
            throw new AssertionError("The patch of " + endpoint.path() + " is not valid JSON", e);
        }
    }

    private ObjectNode convert(Endpoint endpoint, ObjectNode object, String apiVersion) {
        ObjectNode review = review("apiextensions.k8s.io/v1", "ConversionReview");
        ObjectNode request = review.putObject("request").put("uid", "1").put("desiredAPIVersion", apiVersion);
        request.putArray("objects").add(object.deepCopy());
        JsonNode response = answer(endpoint, review, object);
        if (!(response.path("convertedObjects").get(0) instanceof ObjectNode converted)) {
            throw failure(
                    "The conversion to " + apiVersion + " failed: "
                            + response.path("result").path("message").asText(),
                    object);
        }
        return converted;
    }

    private static ObjectNode review(String apiVersion, String kind) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("apiVersion", apiVersion)
                .put("kind", kind);
    }

    private JsonNode answer(Endpoint endpoint, ObjectNode review, ObjectNode object) {
        try {
            return endpoint.respond(review).path("response");
        } catch (Exception e) {
            AssertionError error = failure("The webhook at " + endpoint.path() + " failed", object);
            error.initCause(e);
            throw error;
        }
    }

    private AssertionError failure(String what, ObjectNode... objects) {
        StringBuilder text =
                new StringBuilder(what).append(" (seed ").append(seed).append("):");
        List.of(objects).forEach(object -> text.append("\n  ").append(object));
        return new AssertionError(text.toString());
    }
}
