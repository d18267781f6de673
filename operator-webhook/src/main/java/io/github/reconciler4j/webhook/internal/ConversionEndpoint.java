package io.github.reconciler4j.webhook.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.webhook.Converter;
import io.github.reconciler4j.webhook.internal.Decoding.UndecodableException;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers conversion reviews for all kinds with converters. */
public final class ConversionEndpoint implements Endpoint {

    /** The path. */
    public static final String PATH = "/convert";

    private static final String API_VERSION = "apiextensions.k8s.io/v1";
    private static final String KIND = "ConversionReview";

    private static final Logger LOG = LoggerFactory.getLogger(ConversionEndpoint.class);

    private final List<KindConversion<?>> kinds;
    private final LogLimiter warnings = new LogLimiter();
    private final Failures failures = new Failures();

    /** Create an endpoint. */
    public ConversionEndpoint(List<KindConversion<?>> kinds) {
        this.kinds = List.copyOf(kinds);
    }

    @Override
    public String path() {
        return PATH;
    }

    @Override
    public boolean isConversion() {
        return true;
    }

    @Override
    public ObjectNode respond(ObjectNode review, CallWorkers work) throws BadReviewException, InterruptedException {
        ObjectNode request = Endpoint.request(review, API_VERSION, KIND);
        ObjectNode response = JsonNodeFactory.instance.objectNode();
        response.set("uid", request.get("uid"));
        ArrayNode converted = response.putArray("convertedObjects");
        ObjectNode result = response.putObject("result");
        try {
            String desired = request.path("desiredAPIVersion").asText();
            for (JsonNode object : request.path("objects")) {
                converted.add(convert(object, desired, work));
            }
            result.put("status", "Success");
        } catch (FailedConversionException e) {
            converted.removeAll();
            result.put("status", "Failure").put("message", e.getMessage());
        }
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.put("apiVersion", API_VERSION).put("kind", KIND).set("response", response);
        return answer;
    }

    private ObjectNode convert(JsonNode tree, String desired, CallWorkers work)
            throws FailedConversionException, BadReviewException, InterruptedException {
        if (!(tree instanceof ObjectNode object)) {
            throw new BadReviewException("an element of 'objects' is not an object");
        }
        String failed = "could not convert " + name(object) + " to " + Texts.cut(desired, Texts.PATH) + ": ";
        try {
            KindName from = KindName.of(
                    object.path("apiVersion").asText(), object.path("kind").asText());
            KindName to = KindName.of(desired, from.kind());
            if (!to.sameGroupKind(from)) {
                throw new IllegalArgumentException("the groups differ");
            }
            for (KindConversion<?> kind : kinds) {
                if (kind.isFor(from)) {
                    return kind.convert(object, from, to, work, e -> warn(object, from, to, e));
                }
            }
            throw new IllegalArgumentException("the operator has no converter for the kind");
        } catch (InterruptedException | CancellationException e) { // the caller has gone
            throw e;
        } catch (IllegalArgumentException | UndecodableException | WrongResultException e) {
            throw new FailedConversionException(failed + Texts.message(e));
        } catch (Throwable e) {
            String id = failures.log(desired, "Could not convert " + name(object) + " to " + desired, e);
            throw new FailedConversionException(failed + "internal error " + id);
        }
    }

    /** Users can make any number of such objects. */
    private void warn(ObjectNode object, KindName from, KindName to, Throwable failure) {
        warnings.log(
                from + " " + to,
                line -> LOG.warn(
                        "Converted {} to {} without what its annotation {} keeps, which caused a {}: write the object in {} to"
                                + " replace it, or remove the annotation (R4J-423){}",
                        name(object),
                        to.version(),
                        Converter.DATA_ANNOTATION,
                        failure.getClass().getSimpleName(),
                        from.version(),
                        line.suffix()));
    }

    private static String name(ObjectNode object) {
        JsonNode metadata = object.path("metadata");
        String namespace = metadata.path("namespace").asText();
        String kind =
                object.path("kind").asText() + "." + object.path("apiVersion").asText();
        String name = (namespace.isEmpty() ? "" : namespace + "/")
                + metadata.path("name").asText();
        return io.github.reconciler4j.support.Texts.escaped(
                Texts.cut(kind, Texts.PATH) + " " + Texts.cut(name, Texts.PATH));
    }

    /** What a converter returned is not what the object was to be converted to. The message is for the user. */
    static final class WrongResultException extends Exception {

        private static final long serialVersionUID = 1L;

        WrongResultException(String message) {
            super(message);
        }
    }

    /** One object could not be converted. The message is for the user. */
    private static final class FailedConversionException extends Exception {

        private static final long serialVersionUID = 1L;

        FailedConversionException(String message) {
            super(Texts.cut(message, Texts.MESSAGE));
        }
    }
}
