package io.github.reconciler4j.test.server.internal.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.admission.WebhookAdmission.FailedCallException;
import io.github.reconciler4j.test.server.internal.admission.WebhookAdmission.Hook;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.webhook.WebhookCaller;
import io.github.reconciler4j.test.server.internal.webhook.WebhookFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Sends {@code AdmissionReview}s and reads the answers. Stateless; safe for use by multiple threads. */
final class ReviewCall {
    private static final String V1 = "admission.k8s.io/v1";
    private static final int DEFAULT_TIMEOUT = 10;

    private final WebhookCaller caller;

    ReviewCall(WebhookCaller caller) {
        this.caller = caller;
    }

    /**
     * Ask a webhook.
     *
     * @return the patch; null without one
     * @throws FailedCallException if the failure policy is to decide
     * @throws StatusException if the webhook denies the request
     */
    @Nullable
    JsonNode send(Hook hook, ResourceType type, AdmissionRequest request, boolean mutating) throws FailedCallException {
        checkDryRun(hook, request);
        String uid = UUID.randomUUID().toString();
        String version = version(hook);
        ObjectNode review = review(uid, version, type, request);
        Duration timeout = Duration.ofSeconds(Json.number(hook.json(), DEFAULT_TIMEOUT, "timeoutSeconds"));
        ObjectNode answer;
        try {
            answer = caller.call(hook.json().path("clientConfig"), review, timeout, true);
        } catch (WebhookFailure e) {
            throw new FailedCallException("failed to call webhook: " + e.getMessage());
        }
        checkTypes(answer);
        if (version.equals(V1)) {
            String problem = Answers.problem(answer, uid, mutating);
            if (!problem.isEmpty()) {
                throw new FailedCallException("received invalid webhook response: " + problem);
            }
        } else if (!answer.path("response").isObject()) {
            throw new FailedCallException("received invalid webhook response: webhook response was absent");
        }
        JsonNode response = answer.path("response");
        Json.texts(response, "warnings").forEach(request.warnings());
        if (!response.path("allowed").asBoolean()) {
            throw Answers.denial(hook.name(), response.path("status"));
        }
        return mutating ? Answers.patch(response) : null;
    }

    private static void checkDryRun(Hook hook, AdmissionRequest request) {
        String effects = hook.json().path("sideEffects").asText();
        if (request.dryRun() && !List.of("None", "NoneOnDryRun").contains(effects)) {
            throw StatusException.badRequest(
                    "admission webhook " + FieldError.quoted(hook.name()) + " does not support dry run");
        }
    }

    private static String version(Hook hook) throws FailedCallException {
        for (String version : Json.texts(hook.json(), "admissionReviewVersions")) {
            if (version.equals("v1") || version.equals("v1beta1")) {
                return "admission.k8s.io/" + version;
            }
        }
        throw new FailedCallException("could not create admission objects: webhook does not accept known"
                + " AdmissionReview versions (v1, v1beta1)");
    }

    private static ObjectNode review(String uid, String version, ResourceType type, AdmissionRequest request) {
        ObjectNode review = Json.object().put("kind", "AdmissionReview").put("apiVersion", version);
        ObjectNode inner = review.putObject("request").put("uid", uid);
        inner.setAll(request.describe(type));
        inner.set("object", orNull(Admission.inVersion(type, request.object())));
        inner.set("oldObject", orNull(Admission.inVersion(type, request.old())));
        return review;
    }

    private static JsonNode orNull(@Nullable JsonNode node) {
        return node == null ? NullNode.getInstance() : node;
    }

    /** Reject answers that kube-apiserver cannot decode. */
    private static void checkTypes(ObjectNode answer) throws FailedCallException {
        JsonNode response = answer.path("response");
        boolean fits = isObject(response)
                && isObject(response.path("status"))
                && isText(answer.path("kind"))
                && isText(answer.path("apiVersion"))
                && isText(response.path("uid"))
                && isText(response.path("patch"))
                && isBase64(response.path("patch"))
                && isText(response.path("patchType"))
                && (isAbsent(response.path("allowed"))
                        || response.path("allowed").isBoolean())
                && (isAbsent(response.path("warnings"))
                        || response.path("warnings").isArray());
        if (!fits) {
            throw new FailedCallException("failed to call webhook: json: cannot unmarshal the response");
        }
        String version = Json.text(answer, "apiVersion");
        boolean known = List.of(V1, V1 + "beta1").contains(version);
        if (!known || !Json.text(answer, "kind").equals("AdmissionReview")) {
            throw new FailedCallException("failed to call webhook: no kind "
                    + FieldError.quoted(Json.text(answer, "kind")) + " is registered for version "
                    + FieldError.quoted(version) + " in scheme \"pkg/runtime/scheme.go:111\"");
        }
    }

    private static boolean isBase64(JsonNode node) {
        try {
            return Base64.getDecoder().decode(node.asText("")) != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isAbsent(JsonNode node) {
        return node.isMissingNode() || node.isNull();
    }

    private static boolean isObject(JsonNode node) {
        return isAbsent(node) || node.isObject();
    }

    private static boolean isText(JsonNode node) {
        return isAbsent(node) || node.isTextual();
    }

    /** Reads answers. Stateless; safe for use by multiple threads. */
    private static final class Answers {
        private static final int BAD_REQUEST = 400;

        private Answers() {}

        /** Return the problem of an answer; empty for a valid one. */
        static String problem(ObjectNode answer, String uid, boolean mutating) {
            JsonNode response = answer.path("response");
            if (!response.isObject()) {
                return "webhook response was absent";
            }
            if (!Json.text(response, "uid").equals(uid)) {
                return "expected response.uid=" + FieldError.quoted(uid) + ", got "
                        + FieldError.quoted(Json.text(response, "uid"));
            }
            String version = Json.text(answer, "apiVersion");
            String kind = Json.text(answer, "kind");
            if (!version.equals(V1) || !kind.equals("AdmissionReview")) {
                return "expected webhook response of " + V1 + ", Kind=AdmissionReview, got " + version + ", Kind="
                        + kind;
            }
            return mutating ? patchProblem(response) : forbiddenPatch(response);
        }

        private static String patchProblem(JsonNode response) {
            boolean patch = !Json.text(response, "patch").isEmpty();
            boolean type = response.hasNonNull("patchType");
            if (patch && !type) {
                return "webhook returned response.patch but not response.patchType";
            }
            if (!patch && type) {
                return "webhook returned response.patchType but not response.patch";
            }
            return type && Json.text(response, "patchType").isEmpty()
                    ? "webhook returned invalid response.patchType of \"\""
                    : "";
        }

        private static String forbiddenPatch(JsonNode response) {
            if (!Json.text(response, "patch").isEmpty()) {
                return "validating webhook may not return response.patch";
            }
            return response.hasNonNull("patchType") ? "validating webhook may not return response.patchType" : "";
        }

        static @Nullable JsonNode patch(JsonNode response) throws FailedCallException {
            String text = Json.text(response, "patch");
            if (text.isEmpty()) {
                return null;
            }
            JsonNode patch;
            try {
                patch = Json.parse(Base64.getDecoder().decode(text));
            } catch (IOException e) {
                throw new FailedCallException("received undecodable patch in webhook response: invalid JSON");
            }
            if (!patch.isArray() && !patch.isNull()) {
                throw new FailedCallException("received undecodable patch in webhook response: json: cannot unmarshal");
            }
            String type = Json.text(response, "patchType");
            if (!patch.isEmpty() && !type.isEmpty() && !type.equals("JSONPatch")) {
                throw new FailedCallException("unsupported patch type " + FieldError.quoted(type));
            }
            return patch;
        }

        static StatusException denial(String name, JsonNode status) {
            int code = Math.max(BAD_REQUEST, status.path("code").asInt(BAD_REQUEST));
            String message = Json.text(status, "message");
            String reason = Json.text(status, "reason");
            String why =
                    !message.isEmpty() ? ": " + message : !reason.isEmpty() ? ": " + reason : " without explanation";
            return new StatusException(
                    code,
                    reason,
                    "admission webhook " + FieldError.quoted(name) + " denied the request" + why,
                    status.path("details") instanceof ObjectNode details ? details : null);
        }
    }
}
