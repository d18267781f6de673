package io.github.reconciler4j.client.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ApiException.Cause;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.client.error.GoneException;
import io.github.reconciler4j.client.error.InvalidObjectException;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.error.ServerUnavailableException;
import io.github.reconciler4j.client.error.TooManyRequestsException;
import io.github.reconciler4j.client.error.UnauthorizedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes typed errors out of answers that are not 2xx. */
final class ApiErrors {

    private ApiErrors() {}

    /**
     * The error an answer stands for.
     *
     * @param what verb and target, for the message
     * @param retryAfterHeader the {@code Retry-After} header
     */
    static ApiException of(String what, int code, @Nullable String retryAfterHeader, byte[] body, ObjectMapper mapper) {
        JsonNode status = parse(body, mapper);
        if (status == null) {
            return notKubernetes(what, code, retryAfter(retryAfterHeader, null), body.length);
        }
        return ofStatus(what, code, status, retryAfter(retryAfterHeader, status));
    }

    /** The error a {@code Status} stands for that arrived inside a stream. */
    static ApiException ofStatus(String what, JsonNode status) {
        return ofStatus(what, status.path("code").asInt(500), status, retryAfter(null, status));
    }

    private static ApiException ofStatus(String what, int code, JsonNode status, Optional<Duration> retryAfter) {
        String reason = status.path("reason").asText("");
        List<Cause> causes = causes(status);
        String text = what + ": " + code + (reason.isEmpty() ? "" : " " + reason) + ": " + text(status, code, causes);
        if (code == 410) {
            String next = status.path("metadata").path("continue").asText("");
            return new GoneException(text, code, reason, causes, retryAfter, next);
        }
        boolean missingKind =
                code == 404 && status.path("details").path("name").asText("").isEmpty();
        return create(text, code, reason, causes, retryAfter, missingKind);
    }

    private static ApiException notKubernetes(String what, int code, Optional<Duration> retryAfter, int length) {
        String text = what + ": " + code + ": "
                + (code == 404
                        ? "the API server does not serve this resource in this version; is its CustomResourceDefinition"
                                + " installed?"
                        : "the answer (" + length + " bytes) is no Kubernetes status; is there a proxy in front of the"
                                + " API server?");
        return create(text, code, "", List.of(), retryAfter, code == 404);
    }

    private static ApiException create(
            String text, int code, String reason, List<Cause> causes, Optional<Duration> retryAfter, boolean noKind) {
        return switch (code) {
            case 401 ->
                new UnauthorizedException(
                        text + ": check the token or client certificate", code, reason, causes, retryAfter);
            case 403 -> new ForbiddenException(text, code, reason, causes, retryAfter);
            case 404 ->
                noKind
                        ? new KindNotServedException(text, code, reason, causes, retryAfter)
                        : new NotFoundException(text, code, reason, causes, retryAfter);
            case 409 ->
                reason.equals("AlreadyExists")
                        ? new AlreadyExistsException(text, code, reason, causes, retryAfter)
                        : new ConflictException(text, code, reason, causes, retryAfter);
            case 410 -> new GoneException(text, code, reason, causes, retryAfter);
            case 422 -> new InvalidObjectException(text, code, reason, causes, retryAfter);
            case 429 -> new TooManyRequestsException(text, code, reason, causes, retryAfter);
            default ->
                code >= 500
                        ? new ServerUnavailableException(text, code, reason, causes, retryAfter)
                        : new ApiException(text, code, reason, causes, retryAfter);
        };
    }

    private static String text(JsonNode status, int code, List<Cause> causes) {
        if (code != 422 || causes.isEmpty()) {
            String message = status.path("message").asText("");
            return message.isEmpty() ? "no message" : ErrorTexts.withoutValues(message);
        }
        StringBuilder text = new StringBuilder();
        for (Cause cause : causes) {
            text.append(text.isEmpty() ? "" : "; ");
            text.append(cause.field().isEmpty() ? "" : cause.field() + ": ").append(cause.message());
        }
        return text.toString();
    }

    private static List<Cause> causes(JsonNode status) {
        List<Cause> causes = new ArrayList<>();
        for (JsonNode cause : status.path("details").path("causes")) {
            causes.add(new Cause(
                    cause.path("field").asText(""),
                    cause.path("reason").asText(""),
                    ErrorTexts.withoutValues(cause.path("message").asText(""))));
        }
        return causes;
    }

    private static @Nullable JsonNode parse(byte[] body, ObjectMapper mapper) {
        if (body.length == 0 || body[0] != '{') {
            return null;
        }
        try {
            JsonNode tree = mapper.readTree(body);
            return tree.path("kind").asText("").equals("Status") ? tree : null;
        } catch (IOException e) {
            return null;
        }
    }

    private static Optional<Duration> retryAfter(@Nullable String header, @Nullable JsonNode status) {
        long seconds = status == null
                ? 0
                : status.path("details").path("retryAfterSeconds").asLong(0);
        if (header != null) {
            try {
                seconds = Long.parseLong(header.trim());
            } catch (NumberFormatException e) {
                // A date instead of seconds; no Kubernetes API server sends one.
            }
        }
        return seconds > 0 ? Optional.of(Duration.ofSeconds(seconds)) : Optional.empty();
    }
}
