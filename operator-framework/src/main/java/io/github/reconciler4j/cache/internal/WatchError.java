package io.github.reconciler4j.cache.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import java.io.IOException;
import java.time.Duration;

/** The server said inside a watch that it cannot go on. */
final class WatchError extends ApiException {

    private static final long serialVersionUID = 1L;
    private static final JsonFactory FACTORY = new JsonFactory();

    private WatchError(String message, ErrorDetails details) {
        super(message, details);
    }

    /** Reads the status that an event of type ERROR carries. */
    static WatchError of(Bytes status) throws IOException {
        int code = 0;
        String reason = "";
        String message = "";
        int seconds = 0;
        try (JsonParser parser = FACTORY.createParser(status.array(), 0, status.size())) {
            while (parser.nextToken() != null) {
                if (parser.currentToken() != JsonToken.FIELD_NAME) {
                    continue;
                }
                String field = parser.currentName();
                parser.nextToken();
                switch (field) {
                    case "code" -> code = parser.getValueAsInt();
                    case "reason" -> reason = reason.isEmpty() ? parser.getText() : reason;
                    case "message" -> message = message.isEmpty() ? parser.getText() : message;
                    case "retryAfterSeconds" -> seconds = parser.getValueAsInt();
                    default -> {}
                }
            }
        }
        ErrorDetails details = ErrorDetails.of(code, reason);
        return new WatchError(
                "the server ended the watch: " + message,
                seconds > 0 ? details.withRetryAfter(Duration.ofSeconds(seconds)) : details);
    }
}
