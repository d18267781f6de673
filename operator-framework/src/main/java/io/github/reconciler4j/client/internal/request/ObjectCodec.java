package io.github.reconciler4j.client.internal.request;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.client.error.UnexpectedResponseException;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Converts objects to JSON and back. Its errors never contain values of fields.
 *
 * @since 0.1.0
 */
public final class ObjectCodec {

    private static final ObjectKey UNKNOWN = ObjectKey.ofName("?");

    /** Writes a pair of surrogates as one character. The readers of YAML refuse escaped pairs. */
    private static final ObjectWriter JSON =
            KubernetesJson.mapper().writer().with(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8);

    private static final ObjectWriter YAML = JSON.with(new YamlEscapes());

    private ObjectCodec() {}

    /**
     * Return the JSON of an object as a tree that shares nothing with it.
     *
     * @throws IllegalArgumentException if it cannot be written as a JSON object
     */
    public static ObjectNode tree(Object object) {
        try {
            JsonNode tree = KubernetesJson.mapper().valueToTree(object);
            if (tree instanceof ObjectNode node) {
                return node;
            }
        } catch (IllegalArgumentException | StackOverflowError e) {
            throw new IllegalArgumentException(
                    object.getClass().getName() + " cannot be written as JSON" + ifNested(e), e);
        }
        throw new IllegalArgumentException(object.getClass().getName() + " is not written as a JSON object");
    }

    /**
     * Return JSON as bytes.
     *
     * @throws IllegalArgumentException if it cannot be written
     */
    public static byte[] bytes(Object tree) {
        return write(JSON, tree);
    }

    /** Return JSON as bytes of an apply, which the server reads as YAML. */
    public static byte[] yamlBytes(Object tree) {
        return write(YAML, tree);
    }

    private static byte[] write(ObjectWriter writer, Object tree) {
        try {
            return writer.writeValueAsBytes(tree);
        } catch (JsonProcessingException e) {
            // The complete message of Jackson may quote values.
            String nested = ifNested(e);
            throw new IllegalArgumentException(
                    tree.getClass().getName() + " cannot be written as JSON"
                            + (nested.isEmpty() ? ": " + e.getOriginalMessage() : nested),
                    e);
        } catch (StackOverflowError e) {
            throw new IllegalArgumentException(
                    tree.getClass().getName() + " cannot be written as JSON" + ifNested(e), e);
        }
    }

    /** Return a deep copy of an object. */
    public static <T> T copy(T object) {
        try {
            return KubernetesJson.mapper().treeToValue(tree(object), typeOf(object));
        } catch (JsonProcessingException | StackOverflowError e) {
            throw new IllegalArgumentException(
                    object.getClass().getName() + " cannot be copied by way of JSON" + ifNested(e), e);
        }
    }

    /** Return the class of an object with its type. */
    @SuppressWarnings("unchecked")
    public static <T> Class<T> typeOf(T object) {
        return (Class<T>) object.getClass();
    }

    /**
     * Read the object of a response.
     *
     * @throws UnexpectedResponseException if the response is not an object of the kind of the call
     * @throws UndecodableObjectException if it does not fit the class
     */
    public static <T extends HasMetadata> T object(byte[] json, Class<T> type, ClientCall call) {
        KindInfo kind = call.kind();
        T object;
        try {
            object = KubernetesJson.read(KubernetesJson.mapper(), json, type);
            if (!hasKind(json)) { // the classes of the model have a default
                throw unexpected(call, "is not a " + kind.kind().kind());
            }
        } catch (StackOverflowError e) {
            throw nested(Call.describe(call), e);
        } catch (IOException e) {
            JsonNode tree = readTree(json, Call.describe(call));
            checkObject(tree, call, kind.kind().kind());
            throw UndecodableObjectException.of(kind.kind(), keyOf(tree), type, e);
        }
        boolean expected = object != null
                && kind.kind().kind().equals(object.getKind())
                && kind.kind().apiVersion().equals(object.getApiVersion())
                && object.getMetadata() != null
                && object.getMetadata().getName() != null;
        if (!expected) {
            throw unexpected(call, "is not a " + kind.kind().kind());
        }
        checkName(object.getMetadata().getName(), call);
        return object;
    }

    /** Read the object of a response that has been parsed; see {@link #object(byte[], Class, ClientCall)}. */
    public static <T extends HasMetadata> T object(JsonNode tree, Class<T> type, ClientCall call) {
        checkObject(tree, call, call.kind().kind().kind());
        try {
            return KubernetesJson.mapper().treeToValue(tree, type);
        } catch (StackOverflowError e) {
            throw nested(Call.describe(call), e);
        } catch (JsonProcessingException e) {
            throw UndecodableObjectException.of(call.kind().kind(), keyOf(tree), type, e);
        }
    }

    /**
     * Read a response of another form than the object, for example {@code Scale}.
     *
     * @throws UnexpectedResponseException if the response is not of the kind of the class, or of another object
     * @throws UndecodableObjectException if it does not fit the class
     */
    public static <R> R other(byte[] json, Class<R> type, ClientCall call) {
        JsonNode tree = readTree(json, Call.describe(call));
        String kind = tree.path("kind").asText("");
        boolean named = HasMetadata.class.isAssignableFrom(type) && type != GenericKubernetesResource.class;
        String expected = named ? HasMetadata.getKind(type) : type.getSimpleName();
        if (kind.isEmpty() || !kind.equals(expected) && (named || kind.equals("Status"))) {
            throw unexpected(call, "is not a " + expected);
        }
        String apiVersion = named ? HasMetadata.getApiVersion(type) : null;
        if (apiVersion != null && !tree.path("apiVersion").asText("").equals(apiVersion)) {
            throw unexpected(call, "is not a " + expected + " of " + apiVersion);
        }
        if (named && tree.path("metadata").hasNonNull("name")) {
            checkName(tree.path("metadata").path("name").asText(), call);
        }
        try {
            return KubernetesJson.mapper().treeToValue(tree, type);
        } catch (StackOverflowError e) {
            throw nested(Call.describe(call), e);
        } catch (JsonProcessingException e) {
            throw UndecodableObjectException.of(call.kind().kind(), keyOf(tree), type, e);
        }
    }

    /** Return whether an object names its kind and version. Servers write them first, so this reads little. */
    private static boolean hasKind(byte[] json) throws IOException {
        try (JsonParser parser = KubernetesJson.mapper().createParser(json)) {
            Set<String> missing = new HashSet<>(Set.of("kind", "apiVersion"));
            parser.nextToken();
            while (!missing.isEmpty() && parser.nextToken() == JsonToken.FIELD_NAME) {
                missing.remove(parser.currentName());
                parser.nextToken();
                parser.skipChildren();
            }
            return missing.isEmpty();
        }
    }

    /** A proxy can also answer with an object that was not requested. */
    private static void checkName(String name, ClientCall call) {
        String requested = call.key().map(ObjectKey::name).orElse(name);
        if (!name.equals(requested)) {
            throw unexpected(call, "has another name");
        }
    }

    /**
     * Check that a tree is an object of a kind with a name.
     *
     * @param kinds the names of the kinds that are accepted
     * @throws UnexpectedResponseException if it is not
     */
    public static void checkObject(JsonNode tree, ClientCall call, String... kinds) {
        String found = tree.path("kind").asText("");
        KindInfo own = call.kind();
        boolean otherVersion = found.equals(own.kind().kind())
                && !tree.path("apiVersion").asText("").equals(own.kind().apiVersion());
        boolean named = !tree.path("metadata").path("name").asText("").isEmpty();
        if (!named || otherVersion || !List.of(kinds).contains(found)) {
            throw unexpected(call, "is not a " + kinds[0]);
        }
        checkName(tree.path("metadata").path("name").asText(), call);
    }

    /** Create the error of a response that is not what was requested. */
    public static UnexpectedResponseException unexpected(ClientCall call, String why) {
        return new UnexpectedResponseException(
                Call.describe(call) + ": the response " + why + "; is there a proxy in front of the API server?");
    }

    /**
     * Read any JSON.
     *
     * @param what names the response in the error
     * @throws UnexpectedResponseException if it is not JSON
     */
    public static JsonNode readTree(byte[] json, String what) {
        try {
            return KubernetesJson.read(KubernetesJson.mapper(), json, JsonNode.class);
        } catch (IOException | StackOverflowError e) {
            // Jackson's message quotes the content.
            if (!ifNested(e).isEmpty()) {
                throw nested(what, e);
            }
        }
        throw new UnexpectedResponseException(
                what + ": the response is not JSON; is there a proxy in front of the API server?");
    }

    /**
     * Compare or change trees of JSON.
     *
     * @throws IllegalArgumentException if their values are nested too deeply for the stack of this thread
     */
    public static <T> T withoutOverflow(Supplier<T> step) {
        try {
            return step.get();
        } catch (StackOverflowError e) {
            throw new IllegalArgumentException("The object cannot be compared" + ifNested(e), e);
        }
    }

    private static UnexpectedResponseException nested(String what, Throwable failure) {
        return new UnexpectedResponseException(what + ": the response cannot be read" + ifNested(failure));
    }

    /**
     * Return why JSON could not be read or written if its values are nested too deeply, {@code ""} if that is not the reason. Objects
     * that refer to themselves are nested without an end.
     */
    public static String ifNested(Throwable failure) {
        for (Throwable cause : Causes.of(failure)) {
            if (cause instanceof StackOverflowError
                    || String.valueOf(cause.getMessage()).contains("StackOverflowError")) {
                return ", because its values are nested too deeply for the stack of the thread: nest them less, or raise -Xss";
            }
            if (cause instanceof StreamConstraintsException
                    && String.valueOf(cause.getMessage()).contains("nesting depth")) {
                return ", because its values are nested deeper than " + StreamReadConstraints.DEFAULT_MAX_DEPTH
                        + " levels: nest them less";
            }
        }
        return "";
    }

    private static ObjectKey keyOf(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        String name = metadata.path("name").asText("");
        return name.isBlank()
                ? UNKNOWN
                : new ObjectKey(metadata.path("namespace").asText(""), name);
    }

    /**
     * Escapes the characters that JSON allows in strings and YAML does not, or reads as something else: control characters, line
     * separators, byte order marks and noncharacters.
     */
    private static final class YamlEscapes extends CharacterEscapes {

        private static final long serialVersionUID = 1L;
        private static final int DELETE = 0x7F;

        private final int[] ascii = standardAsciiEscapesForJSON();

        YamlEscapes() {
            ascii[DELETE] = ESCAPE_CUSTOM;
        }

        @Override
        public int[] getEscapeCodesForAscii() {
            return ascii;
        }

        @Override
        public @Nullable SerializableString getEscapeSequence(int character) {
            boolean escaped = character >= DELETE && character < 0xA0
                    || character == 0x2028
                    || character == 0x2029
                    || character == 0xFEFF
                    || character >= 0xFFF0 && character <= 0xFFFF
                    || character >= 0xFDD0 && character <= 0xFDEF;
            return escaped ? new SerializedString(String.format("\\u%04x", character)) : null;
        }
    }
}
