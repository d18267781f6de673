package io.github.reconciler4j.manager.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.client.error.UnexpectedResponseException;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.RetryPace;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Asks one API server what the account of this process may do, and remembers the answers over all attempts to start. Each question is
 * asked once, as a healthy server sees it. A question that was not answered, or not with yes, is asked again at the next attempt, at the
 * pace of all requests of the start, and at once after one that is answered with yes now. The first one that is still answered with no
 * stands for the others. One attempt is limited in time.
 *
 * <p>Confined to one thread.
 */
public final class AccessQuestions {

    private static final String PATH = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** How long the questions of one attempt may take. */
    public static final Duration LONGEST = Duration.ofSeconds(30);

    private final ApiConnection connection;
    private final TimeSource time;
    private final RetryPace pace;
    private final LogLimiter warnings;
    private final Map<RequiredPermission, Boolean> answers = new HashMap<>();
    private final Set<RequiredPermission> asked = new HashSet<>();
    private boolean answered;
    private boolean stillDenied;
    private boolean granted;
    private long startNanos;

    /** Creates it; nothing is asked yet. */
    public AccessQuestions(ApiConnection connection, TimeSource time, RetryPace pace) {
        this.connection = connection;
        this.time = time;
        this.pace = pace;
        this.warnings = new LogLimiter(Duration.ofMinutes(1), time);
    }

    /** Returns what limits the lines about questions that were not answered. */
    public LogLimiter warnings() {
        return warnings;
    }

    /** Whether all questions of an attempt were answered. */
    public boolean isAnswered() {
        return answered;
    }

    /** An attempt starts. */
    public void startAttempt() {
        answered = false;
        stillDenied = false;
        granted = false;
        startNanos = time.nanoTime();
    }

    /** All questions of this attempt were answered. */
    public void endAttempt() {
        answered = true;
    }

    /**
     * Returns whether a permission with one verb is there.
     *
     * @throws ApiException if the server does not say so, or not in time
     */
    public boolean isAllowed(RequiredPermission permission, String verb) {
        if (!permission.account().isEmpty()
                && !isAllowed(RequiredPermission.impersonating(permission.account()), "impersonate")) {
            return true; // not known, and reported once the operator can ask
        }
        Boolean known = answers.get(permission);
        if (known != null && (known || stillDenied)) {
            return known;
        }
        boolean isNew = asked.add(permission);
        if (!isNew && !granted) {
            awaitPace();
        }
        granted = false;
        boolean allowed = ask(permission, verb);
        answers.put(permission, allowed);
        stillDenied |= known != null && !allowed;
        granted = !isNew && allowed;
        return allowed;
    }

    private void awaitPace() {
        try {
            pace.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RequestInterruptedException(
                    "create " + PATH + ": interrupted while waiting for the next attempt");
        }
    }

    private boolean ask(RequiredPermission permission, String verb) {
        long left = Nanos.of(LONGEST) - (time.nanoTime() - startNanos);
        if (left <= 0) {
            throw new UnexpectedResponseException("the API server at " + connection.server() + " has answered "
                    + answers.size() + " questions in " + LONGEST.toSeconds() + " s, and not all yet");
        }
        try {
            ApiRequest request = ApiRequest.of("create", "POST", PATH)
                    .withBody(ApiRequest.JSON, KubernetesJson.mapper().writeValueAsBytes(review(permission, verb)))
                    .withServiceAccount(permission.account())
                    .withTimeout(left < TIMEOUT.toNanos() ? Duration.ofNanos(left) : TIMEOUT);
            JsonNode answer =
                    KubernetesJson.mapper().readTree(connection.send(request).body());
            JsonNode allowed = answer.path("status").path("allowed");
            if (allowed.isBoolean()) {
                return allowed.booleanValue();
            }
        } catch (IOException e) {
            // Jackson's message quotes the content.
        }
        throw new UnexpectedResponseException("create " + PATH + ": " + connection.server()
                + " answered with something else than a SelfSubjectAccessReview; is it an API server?");
    }

    private static ObjectNode review(RequiredPermission permission, String verb) {
        ObjectNode review = KubernetesJson.mapper().createObjectNode();
        review.put("apiVersion", "authorization.k8s.io/v1").put("kind", "SelfSubjectAccessReview");
        String[] resource = permission.resource().split("/", 2);
        ObjectNode attributes = review.putObject("spec").putObject("resourceAttributes");
        attributes.put("namespace", permission.namespace()).put("verb", verb);
        attributes.put("group", permission.group()).put("resource", resource[0]);
        attributes.put("subresource", resource.length > 1 ? resource[1] : "").put("name", permission.name());
        return review;
    }
}
