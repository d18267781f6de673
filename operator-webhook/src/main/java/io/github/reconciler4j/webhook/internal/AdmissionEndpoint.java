package io.github.reconciler4j.webhook.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.DryRunScope;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.webhook.AdmissionDeniedException;
import io.github.reconciler4j.webhook.AdmissionRequest;
import io.github.reconciler4j.webhook.Defaulter;
import io.github.reconciler4j.webhook.Operation;
import io.github.reconciler4j.webhook.Validation;
import io.github.reconciler4j.webhook.Validator;
import io.github.reconciler4j.webhook.internal.Decoding.UndecodableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/**
 * Answers admission reviews for one kind.
 *
 * @param <T> the class of the objects
 */
public final class AdmissionEndpoint<T extends HasMetadata> implements Endpoint {

    private static final String API_VERSION = "admission.k8s.io/v1";
    private static final String KIND = "AdmissionReview";

    private final String path;
    private final Class<T> type;
    private final KindInfo kind;
    private final Call<T> call;

    private AdmissionEndpoint(String path, Class<T> type, KindInfo kind, Call<T> call) {
        this.path = path;
        this.type = type;
        this.kind = kind;
        this.call = call;
    }

    /** Create an endpoint of a validator. */
    public static <T extends HasMetadata> Endpoint validating(
            String path, Class<T> type, KindInfo kind, Validator<T> validator) {
        return new AdmissionEndpoint<>(path, type, kind, (review, object, response) -> {
            Problems problems = new Problems(review);
            switch (review.operation()) {
                case CREATE -> validator.validate(Decoding.decode(object, type), problems);
                case UPDATE -> {
                    T updated = Decoding.decode(object, type);
                    Optional<T> stored = review.storedObject();
                    if (stored.isPresent()) {
                        validator.validateUpdate(stored.get(), updated, problems);
                    } else {
                        validator.validate(updated, problems);
                    }
                }
                case DELETE -> validator.validateDelete(Decoding.decode(object, type), problems);
                case CONNECT -> {}
            }
            problems.writeTo(response, kind);
        });
    }

    /** Create an endpoint of a defaulter. */
    public static <T extends HasMetadata> Endpoint mutating(
            String path, Class<T> type, KindInfo kind, Defaulter<T> defaulter) {
        return new AdmissionEndpoint<>(path, type, kind, (review, object, response) -> {
            if (review.operation() == Operation.DELETE || review.operation() == Operation.CONNECT) {
                return; // the API server accepts no patch
            }
            T decoded = Decoding.decode(object, type);
            JsonNode before = Decoding.encode(decoded);
            defaulter.applyDefaults(decoded, review);
            ArrayNode patch = JsonPatch.diff(object, TreeMerge.apply(object, before, Decoding.encode(decoded)));
            if (!patch.isEmpty()) {
                response.put("patchType", "JSONPatch").put("patch", Endpoint.encode(patch));
            }
        });
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public boolean isConversion() {
        return false;
    }

    @Override
    public ObjectNode respond(ObjectNode tree) throws Exception {
        Review<T> review = new Review<>(Endpoint.request(tree, API_VERSION, KIND), type);
        if (review.operation() != Operation.CONNECT && !review.kind().equals(kind.kind())) {
            throw new BadReviewException("the webhook at " + path + " is for " + kind.kind() + ", the request is for "
                    + review.kind() + ": correct the rules of the webhook configuration");
        }
        ObjectNode response = JsonNodeFactory.instance.objectNode();
        response.put("uid", review.uid()).put("allowed", true);
        try {
            inScope(review, () -> {
                call.answer(review, review.operation() == Operation.CONNECT ? response : review.object(), response);
                return true;
            });
        } catch (AdmissionDeniedException e) {
            deny(response, 403, "Forbidden", String.valueOf(e.getMessage()));
        } catch (UndecodableException e) {
            deny(response, 400, "BadRequest", "cannot decode " + kind.kind().kind() + ": " + e.getMessage());
            addCause(
                    (ObjectNode) response.get("status"),
                    "FieldValueInvalid",
                    String.valueOf(e.getMessage()),
                    e.field());
        }
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        result.put("apiVersion", API_VERSION).put("kind", KIND).set("response", response);
        return result;
    }

    private static void inScope(AdmissionRequest<?> request, Callable<Boolean> task) throws Exception {
        if (request.dryRun()) {
            DryRunScope.call(task);
        } else {
            task.call();
        }
    }

    private static ObjectNode deny(ObjectNode response, int code, String reason, String message) {
        response.remove(List.of("patch", "patchType"));
        response.put("allowed", false);
        return response.putObject("status")
                .put("status", "Failure")
                .put("code", code)
                .put("reason", reason)
                .put("message", message);
    }

    private static void addCause(ObjectNode status, String reason, String message, String field) {
        ObjectNode details = status.withObject("/details");
        details.withArray("causes")
                .addObject()
                .put("reason", reason)
                .put("message", message)
                .put("field", field);
    }

    /** Writes the answer to a request into the response. */
    @FunctionalInterface
    private interface Call<T> {
        void answer(Review<T> review, ObjectNode object, ObjectNode response) throws Exception;
    }

    /** The problems and warnings of one call. */
    private static final class Problems implements Validation {

        private final AdmissionRequest<?> request;
        private final List<Problem> problems = new ArrayList<>();
        private final List<String> warnings = new ArrayList<>();

        Problems(AdmissionRequest<?> request) {
            this.request = request;
        }

        @Override
        public AdmissionRequest<?> request() {
            return request;
        }

        @Override
        public void report(Problem problem) {
            problems.add(problem);
        }

        @Override
        public void warn(String message) {
            warnings.add(message);
        }

        @Override
        public List<Problem> problems() {
            return List.copyOf(problems);
        }

        void writeTo(ObjectNode response, KindInfo kind) {
            List<String> lines = Warnings.fit(warnings);
            if (!lines.isEmpty()) {
                lines.forEach(response.putArray("warnings")::add);
            }
            if (problems.isEmpty()) {
                return;
            }
            String name = request.key().name();
            String text = problems.stream()
                    .map(problem -> problem.field() + ": " + problem.message())
                    .collect(Collectors.joining(", "));
            String group = kind.kind().group();
            ObjectNode status = deny(
                    response,
                    422,
                    "Invalid",
                    kind.kind().kind() + (group.isEmpty() ? "" : "." + group) + " \"" + name + "\" is invalid: "
                            + (problems.size() == 1 ? text : "[" + text + "]"));
            status.putObject("details")
                    .put("name", name)
                    .put("group", group)
                    .put("kind", kind.kind().kind());
            for (Problem problem : problems) {
                addCause(status, problem.type().reason(), problem.message(), problem.field());
            }
        }
    }
}
