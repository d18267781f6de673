package io.github.reconciler4j.client.internal.error;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ApiException.Cause;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.client.error.GoneException;
import io.github.reconciler4j.client.error.InternalErrorException;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Creates typed errors for responses with a status other than 2xx. */
public final class ApiErrors {

    private static final String UNSERVED_CONVERSION = "; start the operator that serves this webhook, or end the"
            + " conversion in the CustomResourceDefinition (R4J-510)";

    private ApiErrors() {}

    /**
     * Create the error of a response.
     *
     * @param what verb and target, for the message
     * @param retryAfterHeader the {@code Retry-After} header
     */
    public static ApiException of(
            String what, int code, @Nullable String retryAfterHeader, byte[] body, ObjectMapper mapper) {
        JsonNode status = parse(body, mapper);
        Duration retryAfter = retryAfter(retryAfterHeader, status);
        return status == null
                ? notKubernetes(what, code, retryAfter, body.length)
                : ofStatus(what, code, status, retryAfter);
    }

    /** Create the error of a {@code Status} that arrived inside a stream. */
    public static ApiException ofStatus(String what, JsonNode status) {
        return ofStatus(what, status.path("code").asInt(500), status, retryAfter(null, status));
    }

    private static ApiException ofStatus(String what, int code, JsonNode status, Duration retryAfter) {
        String reason = status.path("reason").asText("");
        List<Cause> causes = causes(status);
        String message = text(status, code, causes);
        String text = what + ": " + code + (reason.isEmpty() ? "" : " " + reason)
                + (message.equals(reason) ? "" : ": " + message)
                + (isUnservedConversion(status) ? UNSERVED_CONVERSION : "");
        ErrorDetails details = details(code, reason, retryAfter).withCauses(causes);
        if (code == 410) {
            return new GoneException(
                    text, details, status.path("metadata").path("continue").asText(""));
        }
        boolean missingKind =
                code == 404 && status.path("details").path("name").asText("").isEmpty();
        return create(text, details, missingKind);
    }

    /** A failure of the converter itself has the same start, but no request. */
    private static boolean isUnservedConversion(JsonNode status) {
        String message = status.path("message").asText("");
        return message.contains("conversion webhook for ") && message.contains(" failed: Post \"");
    }

    private static ApiException notKubernetes(String what, int code, Duration retryAfter, int length) {
        String text = what + ": " + code + ": "
                + (code == 404
                        ? "the API server does not serve this resource in this version; is its CustomResourceDefinition"
                                + " installed? (R4J-014)"
                        : "the response (" + length + " bytes) is not a Kubernetes status; is there a proxy in front of"
                                + " the API server? (R4J-040)");
        return create(text, details(code, "", retryAfter), code == 404);
    }

    private static ErrorDetails details(int code, String reason, Duration retryAfter) {
        ErrorDetails details = ErrorDetails.of(code, reason);
        return retryAfter.isZero() ? details : details.withRetryAfter(retryAfter);
    }

    private static ApiException create(String text, ErrorDetails details, boolean noKind) {
        return switch (details.code()) {
            case 401 -> new UnauthorizedException(text + ": check the token or client certificate (R4J-005)", details);
            case 403 -> new ForbiddenException(text, details);
            case 404 -> noKind ? new KindNotServedException(text, details) : new NotFoundException(text, details);
            case 409 ->
                details.reason().equals("AlreadyExists")
                        ? new AlreadyExistsException(text, details)
                        : new ConflictException(text, details);
            case 410 -> new GoneException(text, details, "");
            case 422 -> new InvalidObjectException(text, details);
            case 429 -> new TooManyRequestsException(text, details);
            case 502, 503, 504 -> new ServerUnavailableException(text, details);
            default -> createOther(text, details);
        };
    }

    private static ApiException createOther(String text, ErrorDetails details) {
        if (details.code() >= 500 && details.retryAfter().isPresent()) {
            return new ServerUnavailableException(text, details);
        }
        return details.code() == 500 ? new InternalErrorException(text, details) : new ApiException(text, details);
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
                    field(cause),
                    cause.path("reason").asText(""),
                    ErrorTexts.withoutValues(cause.path("message").asText(""))));
        }
        return causes;
    }

    /** Go prints a missing field as {@code <nil>}. */
    private static String field(JsonNode cause) {
        String field = cause.path("field").asText("");
        return field.equals("<nil>") ? "" : field;
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

    /** The time that the server asks to wait, zero if it does not. */
    private static Duration retryAfter(@Nullable String header, @Nullable JsonNode status) {
        long seconds = status == null
                ? 0
                : status.path("details").path("retryAfterSeconds").asLong(0);
        if (header != null && header.trim().matches("\\d+")) { // not a date, which no Kubernetes API server sends
            String digits = header.trim();
            seconds = digits.length() > 18 ? Long.MAX_VALUE : Long.parseLong(digits);
        }
        return Duration.ofSeconds(Math.max(0, seconds));
    }

    /** Removes the values of fields from messages of the server, since they are the content of objects. */
    static final class ErrorTexts {

        private static final Pattern VALUE = Pattern.compile("(Invalid|Unsupported|Duplicate) value: |Not found: ");
        private static final int MAX_LENGTH = 1000;

        /** How a message can start and a value cannot: with a letter, a sign of no value, or a number and a word. */
        private static final Pattern MESSAGE = Pattern.compile("\\p{L}|['`(]|\\d+ \\p{L}");

        private ErrorTexts() {}

        /** {@code Invalid value: "secret": must be short} becomes {@code Invalid value: must be short}. */
        static String withoutValues(String text) {
            StringBuilder clean = new StringBuilder();
            Matcher value = VALUE.matcher(text);
            int from = 0;
            while (value.find(from)) {
                clean.append(text, from, value.end());
                from = endOfValue(text, value.end());
                if (text.startsWith(": ", from)) {
                    from += 2;
                }
            }
            clean.append(text, from, text.length());
            return clean.length() <= MAX_LENGTH ? clean.toString() : clean.substring(0, MAX_LENGTH) + "...";
        }

        /**
         * Return the end of the value at {@code start}: the next {@code ": "} outside quotes and brackets. Servers send no value
         * for some rules (CEL since 1.37), but only the message. A message has several words, and a value that is neither quoted
         * nor in brackets has one, or is a number or a time.
         */
        private static int endOfValue(String text, int start) {
            boolean mayBeMessage =
                    MESSAGE.matcher(text).region(start, text.length()).lookingAt();
            int depth = 0;
            int i = start;
            while (i < text.length()) {
                char c = text.charAt(i);
                if (c == '"') {
                    i = endOfQuoted(text, i);
                    if (depth == 0) {
                        return i;
                    }
                    continue;
                }
                if (c == '{' || c == '[') {
                    depth++;
                    mayBeMessage = false;
                } else if (c == '}' || c == ']') {
                    depth--;
                } else if (depth <= 0 && (text.startsWith(": ", i) || text.startsWith(", ", i))) {
                    return i;
                } else if (c == ' ' && mayBeMessage) {
                    return start;
                }
                i++;
            }
            return text.length();
        }

        private static int endOfQuoted(String text, int quote) {
            for (int i = quote + 1; i < text.length(); i++) {
                if (text.charAt(i) == '\\') {
                    i++;
                } else if (text.charAt(i) == '"') {
                    return i + 1;
                }
            }
            return text.length();
        }
    }
}
