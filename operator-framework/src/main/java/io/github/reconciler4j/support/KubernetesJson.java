package io.github.reconciler4j.support;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The mapper between Kubernetes objects and JSON. This is the only place that creates one, so that a new major version of
 * Jackson or fabric8 changes no signature.
 *
 * @since 0.1.0
 */
public final class KubernetesJson {

    private static final JsonFactory FACTORY = new JsonFactory();

    private KubernetesJson() {}

    /**
     * Return the mapper, which must not be reconfigured. It ignores fields that a class does not have, since servers may know
     * more fields than this program. The first call creates it, which takes time.
     */
    public static ObjectMapper mapper() {
        return Holder.MAPPER;
    }

    /**
     * Read YAML into an object of a class. Unlike fabric8's own method, this one does not load the classes of all kinds to be
     * prepared for objects that contain others.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException if it is not YAML, or does not fit the class
     */
    public static <T> T readYaml(String yaml, Class<T> type) {
        return Holder.SERIALIZATION.unmarshal(yaml, type);
    }

    /**
     * Read a JSON object into maps, lists, strings, numbers and booleans. Data binding is not loaded for it, which a process that
     * only watches headers never needs: about 300 classes.
     *
     * @throws IOException if it is not one JSON object
     */
    public static Map<String, Object> readMap(byte[] json) throws IOException {
        try (JsonParser parser = FACTORY.createParser(json)) {
            if (parser.nextToken() == JsonToken.START_OBJECT && value(parser) instanceof Map<?, ?> map) {
                if (parser.nextToken() == null) {
                    @SuppressWarnings("unchecked") // value() uses names as keys
                    Map<String, Object> object = (Map<String, Object>) map;
                    return object;
                }
            }
            throw new IOException("Not one JSON object");
        }
    }

    /**
     * Read JSON that contains one value and nothing else. The setting of the mapper for that affects values within objects too.
     *
     * @throws IOException if it is not JSON, contains more, or does not fit the class
     */
    public static <T> T read(ObjectMapper mapper, byte[] json, Class<T> type) throws IOException {
        try (JsonParser parser = mapper.createParser(json)) {
            T value = parser.nextToken() == null ? null : mapper.readValue(parser, type);
            if (value == null || parser.nextToken() != null) {
                throw new JsonParseException(parser, "The text contains more or less than one value");
            }
            return value;
        }
    }

    /** Read the value that the current token starts; null is read as absent. */
    private static @Nullable Object value(JsonParser parser) throws IOException {
        switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> object = new LinkedHashMap<>();
                for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                    parser.nextToken();
                    Object value = value(parser);
                    if (value != null) {
                        object.put(name, value);
                    }
                }
                return object;
            }
            case START_ARRAY -> {
                List<Object> array = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    Object value = value(parser);
                    if (value != null) {
                        array.add(value);
                    }
                }
                return array;
            }
            case VALUE_STRING -> {
                return parser.getText();
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                return parser.getNumberValue();
            }
            case VALUE_TRUE, VALUE_FALSE -> {
                return parser.getBooleanValue();
            }
            default -> {
                return null;
            }
        }
    }

    /** Delays the creation: a process that only watches headers never needs the mapper. */
    private static final class Holder {

        private static final ObjectMapper MAPPER = new ObjectMapper();

        /** Configures the mapper. */
        private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization(MAPPER, false);

        static {
            MAPPER.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
        }
    }
}
