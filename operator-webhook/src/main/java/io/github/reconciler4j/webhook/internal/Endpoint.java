package io.github.reconciler4j.webhook.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.IOException;

/** Answers the reviews that the API server sends to one path. Thread-safe. */
public interface Endpoint {

    /** Return the path, which is also its label in metrics. */
    String path();

    /** Return whether it converts objects; otherwise it admits them. */
    boolean isConversion();

    /**
     * Answer a review.
     *
     * @param review the request
     * @param work counts what it costs
     * @return the response with the status 200 in any case
     * @throws BadReviewException if the review is not one for this endpoint
     * @throws Exception if the code of the operator failed
     */
    ObjectNode respond(ObjectNode review, CallWorkers work) throws Exception;

    /** Answer a review without waiting for a turn. */
    default ObjectNode respond(ObjectNode review) throws Exception {
        return respond(review, CallWorkers.alone());
    }

    /**
     * Parse the body of a request.
     *
     * @throws BadReviewException if it is not a JSON object
     */
    static ObjectNode parse(byte[] body) throws BadReviewException {
        try {
            JsonNode tree = KubernetesJson.mapper().readTree(body);
            if (tree instanceof ObjectNode object) {
                return object;
            }
        } catch (StreamConstraintsException e) {
            throw new BadReviewException("the body exceeds a limit of JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new BadReviewException("the body is not valid JSON");
        }
        throw new BadReviewException("the body is not a JSON object");
    }

    /** Encode a response. */
    static byte[] encode(JsonNode tree) {
        try {
            return KubernetesJson.mapper().writeValueAsBytes(tree);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Could not encode a review", e);
        }
    }

    /**
     * Return the {@code request} of a review.
     *
     * @throws BadReviewException if it is no review of the given kind, or the request has no UID
     */
    static ObjectNode request(ObjectNode review, String apiVersion, String kind) throws BadReviewException {
        if (!review.path("apiVersion").asText().equals(apiVersion)
                || !review.path("kind").asText().equals(kind)) {
            throw new BadReviewException("expected " + kind + " " + apiVersion);
        }
        if (!(review.get("request") instanceof ObjectNode request)
                || !request.path("uid").isTextual()
                || request.path("uid").textValue().isEmpty()) {
            throw new BadReviewException("the review has no request with a UID");
        }
        return request;
    }

    /** The request is not one that the API server sends to this endpoint. The message is for the user. */
    final class BadReviewException extends Exception {

        private static final long serialVersionUID = 1L;

        BadReviewException(String message) {
            super(Texts.cut(message, Texts.DETAIL));
        }
    }
}
