package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.Times;
import io.github.reconciler4j.test.server.internal.auth.AccessRequest;
import io.github.reconciler4j.test.server.internal.auth.Authorizer;
import io.github.reconciler4j.test.server.internal.auth.Tokens;
import io.github.reconciler4j.test.server.internal.auth.User;
import io.github.reconciler4j.test.server.internal.exchange.Response;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Access and token reviews, and tokens of service accounts. */
final class Reviews {
    private static final long DEFAULT_TOKEN_SECONDS = 3600;
    private static final long LEAST_TOKEN_SECONDS = 600;

    private final ObjectAccess access;
    private final Authorizer authorizer;
    private final Tokens tokens;

    Reviews(ObjectAccess access, Authorizer authorizer, Tokens tokens) {
        this.access = access;
        this.authorizer = authorizer;
        this.tokens = tokens;
    }

    Response selfAccess(Call call) {
        return access(call, call.user());
    }

    Response subjectAccess(Call call) {
        ObjectNode review = Bodies.object(call);
        User user = new User(Json.text(review, "spec", "user"), "", Json.texts(review, "spec", "groups"));
        if (user.name().isEmpty() && user.groups().isEmpty()) {
            FieldError cause =
                    FieldError.invalid("spec.user", "\"\"", "at least one of user or group must be specified");
            throw StatusException.invalid(call.type().group(), "", "", List.of(cause));
        }
        String namespace = call.info().namespace();
        if (!namespace.isEmpty()) {
            requireNamespace(call, review, namespace);
        }
        return access(call, user);
    }

    private static void requireNamespace(Call call, ObjectNode review, String namespace) {
        String asked = Json.text(review, "spec", "resourceAttributes", "namespace");
        if (!asked.equals(namespace)) {
            FieldError cause =
                    FieldError.invalid("spec.resourceAttributes.namespace", asked, "must match metadata.namespace");
            throw StatusException.invalid(call.type().group(), "", "", List.of(cause));
        }
    }

    private Response access(Call call, User user) {
        ObjectNode review = Bodies.object(call);
        if (call.type().namespaced()) {
            Json.metadata(review).put("namespace", call.info().namespace());
        }
        JsonNode resource = Json.at(review, "spec", "resourceAttributes");
        JsonNode path = Json.at(review, "spec", "nonResourceAttributes");
        if ((resource == null) == (path == null)) {
            String shown = path == null
                    ? "null"
                    : Json.object()
                            .put("Path", Json.text(path, "path"))
                            .put("Verb", Json.text(path, "verb"))
                            .toString();
            FieldError cause = FieldError.invalid(
                    "spec", shown, "exactly one of nonResourceAttributes or resourceAttributes must be specified");
            throw StatusException.invalid(call.type().group(), "", "", List.of(cause));
        }
        AccessRequest wanted = resource == null
                ? AccessRequest.toPath(user, Json.text(path, "verb"), Json.text(path, "path"))
                : resourceRequest(user, resource);
        ObjectNode status = review.putObject("status");
        boolean allowed = authorizer.allows(wanted);
        status.put("allowed", allowed);
        return created(review);
    }

    private static AccessRequest resourceRequest(User user, JsonNode attributes) {
        return new AccessRequest(
                user,
                Json.text(attributes, "verb"),
                true,
                Json.text(attributes, "group"),
                Json.text(attributes, "resource"),
                Json.text(attributes, "subresource"),
                Json.text(attributes, "namespace"),
                Json.text(attributes, "name"),
                "");
    }

    private static Response created(ObjectNode review) {
        Json.metadata(review);
        return Response.json(201, review);
    }

    Response selfRules(Call call) {
        ObjectNode review = Bodies.object(call);
        ObjectNode status = review.putObject("status").put("incomplete", false);
        ArrayNode resources = status.putArray("resourceRules");
        ArrayNode paths = status.putArray("nonResourceRules");
        authorizer
                .rules(call.user(), Json.text(review, "spec", "namespace"))
                .forEach(rule -> (rule.has("nonResourceURLs") ? paths : resources).add(rule));
        review.putObject("spec");
        return created(review);
    }

    Response self(Call call) {
        ObjectNode review = Bodies.object(call);
        review.putObject("status").set("userInfo", userInfo(call.user()));
        return created(review);
    }

    Response token(Call call) {
        ObjectNode review = Bodies.object(call);
        String token = Json.text(review, "spec", "token");
        if (token.isEmpty()) {
            throw StatusException.badRequest("token is required for TokenReview in authentication");
        }
        User user = tokens.find(token);
        ObjectNode status = review.putObject("status");
        if (user == null) {
            status.put("error", "the token is unknown or expired").putObject("user");
        } else {
            status.put("authenticated", true).set("user", userInfo(user));
            status.putArray("audiences").add("https://kubernetes.default.svc");
        }
        return created(review);
    }

    private static ObjectNode userInfo(User user) {
        ObjectNode info = Json.object().put("username", user.name());
        if (!user.uid().isEmpty()) {
            info.put("uid", user.uid());
        }
        info.set("groups", Json.strings(user.groups()));
        return info;
    }

    Response accountToken(Call call) {
        ObjectNode request = Bodies.object(call.request(), "authentication.k8s.io/v1", "TokenRequest");
        ObjectNode account = access.find(call.type(), call.object());
        String name = call.object().name();
        if (account == null) {
            throw StatusException.notFound("", "serviceaccounts", name);
        }
        long seconds = Json.number(request, DEFAULT_TOKEN_SECONDS, "spec", "expirationSeconds");
        if (seconds < LEAST_TOKEN_SECONDS) {
            FieldError cause = FieldError.invalid(
                    "spec.expirationSeconds",
                    Long.toString(seconds),
                    "may not specify a duration less than 10 minutes");
            throw StatusException.invalid("authentication.k8s.io", "TokenRequest", "", List.of(cause));
        }
        Json.child(request, "spec").put("expirationSeconds", seconds);
        Instant expires = access.now().plusSeconds(seconds);
        User user = account(call.object().namespace(), name, Json.text(account, "metadata", "uid"));
        request.putObject("status")
                .put("token", tokens.issue(user, expires))
                .put("expirationTimestamp", Times.text(expires));
        Json.metadata(request)
                .put("name", name)
                .put("namespace", call.object().namespace())
                .put("creationTimestamp", Json.text(account, "metadata", "creationTimestamp"))
                .put("uid", Json.text(account, "metadata", "uid"));
        return created(request);
    }

    private static User account(String namespace, String name, String uid) {
        List<String> groups = new ArrayList<>(
                List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace, User.AUTHENTICATED));
        return new User("system:serviceaccount:" + namespace + ":" + name, uid, groups);
    }
}
