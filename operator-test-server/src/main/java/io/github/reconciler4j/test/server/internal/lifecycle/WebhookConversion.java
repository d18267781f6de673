package io.github.reconciler4j.test.server.internal.lifecycle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.Names;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.registry.Conversion;
import io.github.reconciler4j.test.server.internal.webhook.WebhookCaller;
import io.github.reconciler4j.test.server.internal.webhook.WebhookFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Converts objects by the conversion webhook of a CustomResourceDefinition. Immutable; safe for use by multiple threads. */
final class WebhookConversion implements Conversion {
    private static final String GROUP = "apiextensions.k8s.io/";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final WebhookCaller caller;
    private final JsonNode webhook;

    private WebhookConversion(WebhookCaller caller, JsonNode webhook) {
        this.caller = caller;
        this.webhook = webhook;
    }

    /** Return the conversion of a definition; null if its versions differ in name only. */
    static @Nullable Conversion of(ObjectNode definition, WebhookCaller caller) {
        JsonNode conversion = definition.path("spec").path("conversion");
        return conversion.path("strategy").asText().equals("Webhook")
                ? new WebhookConversion(caller, conversion.path("webhook"))
                : null;
    }

    @Override
    public List<ObjectNode> convert(List<ObjectNode> objects, String apiVersion) {
        String failed = "conversion webhook for " + kind(objects.get(0));
        String uid = UUID.randomUUID().toString();
        List<JsonNode> converted;
        try {
            String version = version();
            ObjectNode review = review(version, uid, objects, apiVersion);
            ObjectNode answer = caller.call(webhook.path("clientConfig"), review, TIMEOUT, false);
            converted = converted(answer, version, uid);
        } catch (WebhookFailure e) {
            throw StatusException.unclassified(failed + " failed: " + e.getMessage());
        }
        if (converted.size() != objects.size()) {
            throw StatusException.unclassified(
                    failed + " returned " + converted.size() + " objects, expected " + objects.size());
        }
        List<ObjectNode> results = new ArrayList<>();
        for (int i = 0; i < objects.size(); i++) {
            try {
                results.add(Checks.result(objects.get(i), converted.get(i), apiVersion));
            } catch (WebhookFailure e) {
                throw StatusException.unclassified(failed + " returned invalid " + e.getMessage());
            }
        }
        return results;
    }

    private static String kind(ObjectNode object) {
        return Json.text(object, "apiVersion") + ", Kind=" + Json.text(object, "kind");
    }

    private String version() throws WebhookFailure {
        for (String version : Json.texts(webhook, "conversionReviewVersions")) {
            if (version.equals("v1") || version.equals("v1beta1")) {
                return GROUP + version;
            }
        }
        throw new WebhookFailure("no supported conversion review versions");
    }

    private static ObjectNode review(String version, String uid, List<ObjectNode> objects, String apiVersion) {
        ObjectNode review = Json.object().put("kind", "ConversionReview").put("apiVersion", version);
        ObjectNode request = review.putObject("request").put("uid", uid).put("desiredAPIVersion", apiVersion);
        request.putArray("objects").addAll(objects);
        ObjectNode response = review.putObject("response").put("uid", "").putNull("convertedObjects");
        response.putObject("result").putObject("metadata");
        return review;
    }

    private static List<JsonNode> converted(ObjectNode answer, String version, String uid) throws WebhookFailure {
        JsonNode response = answer.path("response");
        boolean strict = version.equals(GROUP + "v1");
        String given = Json.text(answer, "apiVersion") + ", Kind=" + Json.text(answer, "kind");
        if (strict && !given.equals(version + ", Kind=ConversionReview")) {
            throw new WebhookFailure(
                    "expected webhook response of " + version + ", Kind=ConversionReview, got " + given);
        }
        if (!response.isObject()) {
            throw new WebhookFailure("no response provided");
        }
        if (strict && !Json.text(response, "uid").equals(uid)) {
            throw new WebhookFailure(
                    "expected response.uid=\"" + uid + "\", got \"" + Json.text(response, "uid") + "\"");
        }
        String status = Json.text(response, "result", "status");
        if (!status.equals("Success")) {
            String message = Json.text(response, "result", "message");
            throw new WebhookFailure(
                    message.isEmpty() ? "response.result.status was '" + status + "', not 'Success'" : message);
        }
        return Json.items(response, "convertedObjects");
    }

    /** Checks converted objects. Stateless; safe for use by multiple threads. */
    private static final class Checks {
        private Checks() {}

        static ObjectNode result(ObjectNode original, JsonNode converted, String apiVersion) throws WebhookFailure {
            String version = Json.text(converted, "apiVersion");
            if (!version.equals(apiVersion)) {
                throw new WebhookFailure("object at index 0: invalid groupVersion (expected " + apiVersion
                        + ", received " + version + ")");
            }
            String kind = Json.text(converted, "kind");
            if (!kind.equals(Json.text(original, "kind")) || !(converted instanceof ObjectNode result)) {
                throw new WebhookFailure("object at index 0: invalid kind (expected " + Json.text(original, "kind")
                        + ", received " + kind + ")");
            }
            for (String field : List.of("name", "namespace", "uid")) {
                String is = Json.text(result, "metadata", field);
                String was = Json.text(original, "metadata", field);
                if (!is.equals(was)) {
                    String shown = field.equals("uid") ? "UID" : field;
                    throw new WebhookFailure("object: must have the same " + shown + ": " + was + " != " + is);
                }
            }
            return restored(original, result);
        }

        /** Return the object with the metadata of the original, but for labels and annotations. */
        private static ObjectNode restored(ObjectNode original, ObjectNode converted) throws WebhookFailure {
            if (!(converted.get("metadata") instanceof ObjectNode given)) {
                throw new WebhookFailure("metadata: missing metadata in converted object");
            }
            ObjectNode metadata = Json.metadata(original).deepCopy();
            for (String field : List.of("labels", "annotations")) {
                JsonNode value = Json.at(given, field);
                if (value != null && !value.isObject()) {
                    throw new WebhookFailure("metadata: invalid metadata." + field + " in converted object");
                }
                if (value != null) {
                    checkTexts(field, value);
                    if (!value.equals(metadata.get(field))) {
                        checkNames(field, Json.stringMap(given, field));
                    }
                }
                Json.setOrRemove(metadata, field, value);
            }
            converted.set("metadata", metadata);
            return converted;
        }

        private static void checkTexts(String field, JsonNode values) throws WebhookFailure {
            for (Map.Entry<String, JsonNode> entry : values.properties()) {
                JsonNode value = entry.getValue();
                String type = switch (value.getNodeType()) {
                    case NUMBER -> value.isIntegralNumber() ? "int64" : "float64";
                    case BOOLEAN -> "bool";
                    case OBJECT -> "map[string]interface {}";
                    case ARRAY -> "[]interface {}";
                    case NULL -> "<nil>";
                    default -> "";
                };
                if (!type.isEmpty()) {
                    throw new WebhookFailure("metadata: metadata." + field + "[" + entry.getKey()
                            + "] must be a string, but is " + type + " in converted object");
                }
            }
        }

        private static void checkNames(String field, Map<String, String> values) throws WebhookFailure {
            FieldErrors errors = new FieldErrors();
            boolean labels = field.equals("labels");
            String path = labels ? "metadata.labels" : "metadata.annotation";
            values.forEach((key, value) -> {
                errors.invalid(path, key, Names.labelKey(labels ? key : key.toLowerCase(Locale.ROOT)));
                errors.invalid(path, value, labels ? Names.labelValue(value) : List.of());
            });
            if (!errors.isEmpty()) {
                throw new WebhookFailure("metadata: " + FieldError.join(errors));
            }
        }
    }
}
