package io.github.reconciler4j.spring.autoconfigure.management;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.support.LruMap;
import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;

/**
 * Asks the API server whom a token belongs to and whether that user has access to a path, with the reviews that kubelet and
 * controller-runtime use. Remembers a yes for a minute and a no for ten seconds. Thread-safe.
 */
final class AccessReviews {

    private static final Duration REMEMBER_YES = Duration.ofMinutes(1);
    private static final Duration REMEMBER_NO = Duration.ofSeconds(10);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_REMEMBERED = 1000;

    private final ApiConnection connection;
    private final TimeSource time;
    private final LruMap<ReviewKey, CachedDecision> answers = new LruMap<>(MAX_REMEMBERED);

    AccessReviews(ApiConnection connection, TimeSource time) {
        this.connection = connection;
        this.time = time;
    }

    /** Whether a request may pass. */
    enum Decision {
        /** The user has access. */
        ALLOWED,
        /** The token belongs to no user. */
        UNKNOWN_USER,
        /** The user has no access. */
        FORBIDDEN
    }

    /** A question, with a digest of the token. */
    private record ReviewKey(String token, String verb, String path) {}

    private record CachedDecision(Decision decision, long until) {}

    /**
     * Decide on a request.
     *
     * @param verb the HTTP method in lower case
     * @throws io.github.reconciler4j.client.error.ApiException if the API server does not answer
     */
    Decision decide(String token, String verb, String path) {
        ReviewKey question = new ReviewKey(digest(token), verb, path);
        CachedDecision known = answers.get(question);
        if (known != null && known.until() - time.nanoTime() > 0) {
            return known.decision();
        }
        Decision decision = review(token, verb, path);
        Duration remember = decision == Decision.ALLOWED ? REMEMBER_YES : REMEMBER_NO;
        answers.put(question, new CachedDecision(decision, time.nanoTime() + remember.toNanos()));
        return decision;
    }

    private static String digest(String token) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JVM has SHA-256", e);
        }
    }

    private Decision review(String token, String verb, String path) {
        ObjectNode tokenReview = review("authentication.k8s.io/v1", "TokenReview");
        tokenReview.putObject("spec").put("token", token);
        JsonNode status = send("/apis/authentication.k8s.io/v1/tokenreviews", tokenReview);
        if (!status.path("authenticated").asBoolean()) {
            return Decision.UNKNOWN_USER;
        }
        ObjectNode accessReview = review("authorization.k8s.io/v1", "SubjectAccessReview");
        ObjectNode spec = accessReview.putObject("spec");
        copyUser(status.path("user"), spec);
        spec.putObject("nonResourceAttributes").put("path", path).put("verb", verb);
        return send("/apis/authorization.k8s.io/v1/subjectaccessreviews", accessReview)
                        .path("allowed")
                        .asBoolean()
                ? Decision.ALLOWED
                : Decision.FORBIDDEN;
    }

    private static ObjectNode review(String apiVersion, String kind) {
        return KubernetesJson.mapper()
                .createObjectNode()
                .put("apiVersion", apiVersion)
                .put("kind", kind);
    }

    private static void copyUser(JsonNode user, ObjectNode spec) {
        spec.put("user", user.path("username").asText());
        spec.put("uid", user.path("uid").asText());
        spec.set("groups", user.path("groups").isArray() ? user.path("groups") : spec.arrayNode());
        ObjectNode extra = spec.putObject("extra");
        user.path("extra").properties().forEach(entry -> extra.set(entry.getKey(), entry.getValue()));
    }

    private JsonNode send(String path, ObjectNode review) {
        try {
            ApiRequest request = ApiRequest.of("create", "POST", path)
                    .withBody(ApiRequest.JSON, KubernetesJson.mapper().writeValueAsBytes(review))
                    .withTimeout(TIMEOUT);
            return KubernetesJson.mapper()
                    .readTree(connection.send(request).body())
                    .path("status");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("The review at " + path + " is not JSON", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
