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
        return new AdmissionEndpoint<>(path, type, kind, (review, object, response, work) -> {
            Problems problems = new Problems(review);
            if (review.operation() != Operation.CONNECT) {
                T decoded = Decoding.decode(object, type);
                Optional<T> stored = review.operation() == Operation.UPDATE ? review.storedObject() : Optional.empty();
                work.call(() -> validate(validator, review.operation(), decoded, stored, problems));
            }
            problems.writeTo(response, kind);
        });
    }

    private static <T extends HasMetadata> void validate(
            Validator<T> validator, Operation operation, T object, Optional<T> stored, Validation problems)
            throws Exception {
        if (operation == Operation.DELETE) {
            validator.validateDelete(object, problems);
        } else if (stored.isPresent()) {
            validator.validateUpdate(stored.get(), object, problems);
        } else {
            validator.validate(object, problems);
        }
    }

    /** Create an endpoint of a defaulter. */
    public static <T extends HasMetadata> Endpoint mutating(
            String path, Class<T> type, KindInfo kind, Defaulter<T> defaulter) {
        return new AdmissionEndpoint<>(path, type, kind, (review, object, response, work) -> {
            if (review.operation() == Operation.DELETE || review.operation() == Operation.CONNECT) {
                return; // the API server accepts no patch
            }
            T decoded = Decoding.decode(object, type);
            JsonNode before = Decoding.encode(decoded);
            work.call(() -> defaulter.applyDefaults(decoded, review));
            JsonNode after = Decoding.encode(decoded);
            ArrayNode patch = JsonPatch.diff(object, TreeMerge.apply(object, before, after, work), work);
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
    public ObjectNode respond(ObjectNode tree, CallWorkers work) throws Exception {
        Review<T> review = new Review<>(Endpoint.request(tree, API_VERSION, KIND), type);
        if (review.operation() != Operation.CONNECT && !review.kind().equals(kind.kind())) {
            throw new BadReviewException("the webhook at " + path + " is for " + kind.kind() + ", the request is for "
                    + review.kind() + ": correct the rules of the webhook configuration (R4J-421)");
        }
        ObjectNode response = JsonNodeFactory.instance.objectNode();
        response.put("uid", review.uid()).put("allowed", true);
        try {
            inScope(review, () -> {
                ObjectNode object = review.operation() == Operation.CONNECT ? response : review.object();
                call.answer(review, object, response, work);
                return true;
            });
        } catch (AdmissionDeniedException e) {
            deny(response, 403, "Forbidden", Texts.message(e));
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
                .put("message", Texts.cut(message, Texts.MESSAGE));
    }

    private static void addCause(ObjectNode status, String reason, String message, String field) {
        ObjectNode details = status.withObject("/details");
        details.withArray("causes")
                .addObject()
                .put("reason", reason)
                .put("message", Texts.cut(message, Texts.DETAIL))
                .put("field", Texts.cut(field, Texts.PATH));
    }

    /** Writes the answer to a request into the response. */
    @FunctionalInterface
    private interface Call<T> {
        void answer(Review<T> review, ObjectNode object, ObjectNode response, CallWorkers work) throws Exception;
    }

    /** The problems and warnings of one call. */
    private static final class Problems implements Validation {

        /** More than a person reads. */
        private static final int MAX_PROBLEMS = 100;

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
            String name = Texts.cut(request.key().name(), Texts.PATH);
            List<Problem> shown = problems.subList(0, Math.min(problems.size(), MAX_PROBLEMS));
            String text = shown.stream()
                            .map(problem -> Texts.cut(problem.field(), Texts.PATH) + ": "
                                    + Texts.cut(problem.message(), Texts.DETAIL))
                            .collect(Collectors.joining(", "))
                    + (shown.size() < problems.size() ? ", and " + (problems.size() - shown.size()) + " more" : "");
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
            for (Problem problem : shown) {
                addCause(status, problem.type().reason(), problem.message(), problem.field());
            }
        }
    }
}
