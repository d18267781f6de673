package io.github.reconciler4j.manager.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.manager.PermissionReport;
import io.github.reconciler4j.manager.PermissionReport.Missing;
import io.github.reconciler4j.manager.RequiredPermission;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Asks the API server whether this process has rights, one SelfSubjectAccessReview for each verb. */
final class PermissionReviews {

    private static final String PATH = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final ApiConnection connection;

    /** What was asked before, by everything but who needs it. */
    private final Map<RequiredPermission, Boolean> answers = new HashMap<>();

    PermissionReviews(ApiConnection connection) {
        this.connection = connection;
    }

    /** Asks for the needs of all components. */
    PermissionReport review(Map<String, List<RequiredPermission>> needs) {
        List<Missing> missing = new ArrayList<>();
        try {
            needs.forEach((component, list) -> list.forEach(need -> review(component, need, missing)));
        } catch (ApiException e) {
            return new PermissionReport(missing, String.valueOf(e.getMessage()));
        }
        return new PermissionReport(missing, "");
    }

    private void review(String component, RequiredPermission need, List<Missing> missing) {
        Set<String> verbs = new HashSet<>();
        for (String verb : need.verbs()) {
            RequiredPermission single = need.withVerbs(Set.of(verb));
            if (!answers.computeIfAbsent(single, absent -> isAllowed(single, verb))) {
                verbs.add(verb);
            }
        }
        if (!verbs.isEmpty()) {
            missing.add(new Missing(component, "", need.withVerbs(verbs)));
        }
    }

    private boolean isAllowed(RequiredPermission need, String verb) {
        ObjectNode review = KubernetesJson.mapper().createObjectNode();
        review.put("apiVersion", "authorization.k8s.io/v1").put("kind", "SelfSubjectAccessReview");
        String[] resource = need.resource().split("/", 2);
        ObjectNode attributes = review.putObject("spec").putObject("resourceAttributes");
        attributes.put("namespace", need.namespace()).put("verb", verb);
        attributes.put("group", need.group()).put("resource", resource[0]);
        attributes.put("subresource", resource.length > 1 ? resource[1] : "").put("name", need.name());
        ApiRequest request = ApiRequest.of("create", "POST", PATH)
                .withBody(ApiRequest.JSON, bytes(review))
                .withTimeout(TIMEOUT);
        try {
            return KubernetesJson.mapper()
                    .readTree(connection.send(request).body())
                    .path("status")
                    .path("allowed")
                    .asBoolean();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] bytes(ObjectNode review) {
        try {
            return KubernetesJson.mapper().writeValueAsBytes(review);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
