package io.github.reconciler4j.webhook.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.webhook.AdmissionRequest;
import io.github.reconciler4j.webhook.Operation;
import io.github.reconciler4j.webhook.internal.Decoding.UndecodableException;
import io.github.reconciler4j.webhook.internal.Endpoint.BadReviewException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The request of an {@code AdmissionReview}. The old object is decoded once to find out whether it fits its class. */
final class Review<T> implements AdmissionRequest<T> {

    private final ObjectNode request;
    private final Class<T> type;
    private final Operation operation;
    private final KindName kind;

    Review(ObjectNode request, Class<T> type) throws BadReviewException {
        this.request = request;
        this.type = type;
        this.operation = operation(request);
        this.kind = kind(request.path("kind"));
    }

    private static Operation operation(ObjectNode request) throws BadReviewException {
        String name = request.path("operation").asText();
        for (Operation operation : Operation.values()) {
            if (operation.name().equals(name)) {
                return operation;
            }
        }
        throw new BadReviewException("unknown operation '" + name + "'");
    }

    private static KindName kind(JsonNode kind) throws BadReviewException {
        String version = kind.path("version").asText();
        String name = kind.path("kind").asText();
        if (version.isBlank() || name.isBlank()) {
            throw new BadReviewException("the request has no kind");
        }
        return new KindName(kind.path("group").asText(), version, name);
    }

    @Override
    public String uid() {
        return text("uid");
    }

    @Override
    public Operation operation() {
        return operation;
    }

    @Override
    public KindName kind() {
        return kind;
    }

    @Override
    public KindName requestKind() {
        try {
            return request.path("requestKind").isObject() ? kind(request.get("requestKind")) : kind;
        } catch (BadReviewException e) {
            return kind;
        }
    }

    @Override
    public ObjectKey key() {
        return new ObjectKey(text("namespace"), text("name"));
    }

    @Override
    public String subresource() {
        return text("subResource");
    }

    @Override
    public User user() {
        JsonNode info = request.path("userInfo");
        Map<String, List<String>> extra = new LinkedHashMap<>();
        info.path("extra").properties().forEach(entry -> extra.put(entry.getKey(), texts(entry.getValue())));
        return new User(info.path("username").asText(), info.path("uid").asText(), texts(info.path("groups")), extra);
    }

    @Override
    public boolean dryRun() {
        return request.path("dryRun").asBoolean();
    }

    @Override
    public Optional<T> oldObject() {
        try {
            JsonNode old = request.get("oldObject");
            return old == null || old.isNull() ? Optional.empty() : Optional.of(Decoding.decode(old, type));
        } catch (UndecodableException e) {
            throw new IllegalStateException(
                    "The stored object does not fit " + type.getName() + ": " + e.getMessage(), e);
        }
    }

    /** Return the stored object of an update, empty if it does not fit its class, as after a change of the class. */
    Optional<T> storedObject() throws BadReviewException {
        if (!(request.get("oldObject") instanceof ObjectNode stored)) {
            throw new BadReviewException("the request has no oldObject");
        }
        try {
            return Optional.of(Decoding.decode(stored, type));
        } catch (UndecodableException e) {
            return Optional.empty();
        }
    }

    /** Return the new object as received, or the old one of a deletion. */
    ObjectNode object() throws BadReviewException {
        String field = operation == Operation.DELETE ? "oldObject" : "object";
        if (request.get(field) instanceof ObjectNode object) {
            return object;
        }
        throw new BadReviewException("the request has no " + field);
    }

    private String text(String field) {
        return request.path(field).asText();
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(element -> texts.add(element.asText()));
        return texts;
    }
}
