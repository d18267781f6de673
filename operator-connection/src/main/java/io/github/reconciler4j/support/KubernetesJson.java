package io.github.reconciler4j.support;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.ObjectCodec;
import com.fasterxml.jackson.core.io.IOContext;
import com.fasterxml.jackson.core.json.UTF8StreamJsonParser;
import com.fasterxml.jackson.core.sym.ByteQuadsCanonicalizer;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.ValueInstantiator;
import com.fasterxml.jackson.databind.deser.std.StdValueInstantiator;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.module.SimpleValueInstantiators;
import com.fasterxml.jackson.databind.ser.std.NumberSerializer;
import com.fasterxml.jackson.databind.ser.std.NumberSerializers;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.support.internal.ObjectTree;
import java.io.IOException;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
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
     * Let a mapper create objects of Kotlin classes by their constructors, with the defaults of parameters, if the library
     * {@code jackson-module-kotlin} is on the class path. The mapper of this class does so.
     *
     * @return the same mapper
     */
    public static ObjectMapper withKotlin(ObjectMapper mapper) {
        try { // not by ServiceLoader, which fails if any library declares a module that cannot be loaded
            Class<?> kotlin = Class.forName("com.fasterxml.jackson.module.kotlin.KotlinModule");
            return mapper.registerModule((Module) kotlin.getConstructor().newInstance());
        } catch (ReflectiveOperationException | LinkageError e) {
            return mapper; // without the library, or without Kotlin's own, no class is one of Kotlin
        }
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
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
            case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
            default -> null;
        };
    }

    private static Map<String, Object> object(JsonParser parser) throws IOException {
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

    private static List<Object> array(JsonParser parser) throws IOException {
        List<Object> array = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            Object value = value(parser);
            if (value != null) {
                array.add(value);
            }
        }
        return array;
    }

    /** Delays the creation: a process that only watches headers never needs the mapper. */
    private static final class Holder {

        private static final ObjectMapper MAPPER = new ObjectMapper(new FastStringsFactory());

        /** Configures the mapper. */
        private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization(MAPPER, false);

        static {
            MAPPER.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
            MAPPER.disable(
                    DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE); // keeps the offset that was written
            MAPPER.disable(SerializationFeature.FAIL_ON_EMPTY_BEANS);
            SimpleModule module = new SimpleModule("reconciler4j");
            module.setValueInstantiators(new Prototypes());
            WholeNumbers.register(module);
            withKotlin(MAPPER.registerModule(module)); // in this order, since Kotlin's wraps what Jackson finds
        }
    }

    /**
     * Writes numbers without a fraction as the API server does: {@code 1} instead of {@code 1.0}. It stores the same value for
     * both, but takes an object with the other one for changed and raises its generation.
     */
    private static final class WholeNumbers {

        private static final double LIMIT = 1L << 53;

        private WholeNumbers() {}

        static void register(SimpleModule module) {
            module.addSerializer(Double.class, new Doubles(Double.class));
            module.addSerializer(double.class, new Doubles(double.class));
            module.addSerializer(Float.class, new Floats());
            module.addSerializer(float.class, new Floats());
            module.addSerializer(BigDecimal.class, new Decimals());
            module.addSerializer(double[].class, new Arrays<>(double[].class));
            module.addSerializer(float[].class, new Arrays<>(float[].class));
        }

        private static boolean isWhole(double value) {
            return value == Math.rint(value)
                    && Math.abs(value) < LIMIT
                    && (value != 0 || Double.doubleToRawLongBits(value) == 0); // not -0.0
        }

        private static void write(double value, JsonGenerator generator) throws IOException {
            if (value == (int) value) {
                generator.writeNumber((int) value);
            } else {
                generator.writeNumber((long) value);
            }
        }

        private static final class Doubles extends NumberSerializers.DoubleSerializer {

            private static final long serialVersionUID = 1L;

            Doubles(Class<?> type) {
                super(type);
            }

            @Override
            public void serialize(Object value, JsonGenerator generator, SerializerProvider provider)
                    throws IOException {
                if (isWhole((Double) value)) {
                    write((Double) value, generator);
                } else {
                    super.serialize(value, generator, provider);
                }
            }

            @Override
            public void serializeWithType(
                    Object value, JsonGenerator generator, SerializerProvider provider, TypeSerializer type)
                    throws IOException {
                serialize(value, generator, provider);
            }
        }

        private static final class Floats extends NumberSerializers.FloatSerializer {

            private static final long serialVersionUID = 1L;

            @Override
            public void serialize(Object value, JsonGenerator generator, SerializerProvider provider)
                    throws IOException {
                if (isWhole((Float) value)) {
                    write((Float) value, generator);
                } else {
                    super.serialize(value, generator, provider);
                }
            }
        }

        private static final class Decimals extends NumberSerializer {

            private static final long serialVersionUID = 1L;

            Decimals() {
                super(BigDecimal.class);
            }

            @Override
            public void serialize(Number value, JsonGenerator generator, SerializerProvider provider)
                    throws IOException {
                boolean whole = ((BigDecimal) value).scale() != 0 && isWhole(value.doubleValue());
                if (whole && new BigDecimal(value.longValue()).compareTo((BigDecimal) value) == 0) {
                    write(value.longValue(), generator);
                } else {
                    super.serialize(value, generator, provider);
                }
            }
        }

        /** Writes arrays of a primitive type. */
        private static final class Arrays<T> extends StdSerializer<T> {

            private static final long serialVersionUID = 1L;

            Arrays(Class<T> type) {
                super(type);
            }

            @Override
            public boolean isEmpty(SerializerProvider provider, T value) {
                return Array.getLength(value) == 0;
            }

            @Override
            public void serialize(T value, JsonGenerator generator, SerializerProvider provider) throws IOException {
                generator.writeStartArray();
                for (int i = 0; i < Array.getLength(value); i++) {
                    provider.defaultSerializeValue(Array.get(value, i), generator);
                }
                generator.writeEndArray();
            }
        }
    }

    /**
     * Creates parsers of JSON objects that copy a text of ASCII characters in one piece. Jackson's own parser makes characters
     * of its bytes, one by one, and bytes of the characters again. Everything else is Jackson's. Thread-safe.
     */
    private static final class FastStringsFactory extends JsonFactory {

        private static final long serialVersionUID = 1L;

        FastStringsFactory() {}

        private FastStringsFactory(FastStringsFactory original) {
            super(original, null);
        }

        @Override
        public JsonFactory copy() {
            return new FastStringsFactory(this);
        }

        @Override
        protected JsonParser _createParser(byte[] text, int start, int length, IOContext context) throws IOException {
            if (length < 2 || text[start] != '{' || text[start + 1] == 0) { // a value of another kind, or not in UTF-8
                return super._createParser(text, start, length, context);
            }
            context.setEncoding(JsonEncoding.UTF8);
            ByteQuadsCanonicalizer names = _byteSymbolCanonicalizer.makeChildOrPlaceholder(_factoryFeatures);
            return new FastStringsParser(context, _parserFeatures, _objectCodec, names, text, start, start + length);
        }
    }

    /** Reads an object from memory. Confined to one thread. */
    private static final class FastStringsParser extends UTF8StreamJsonParser {

        FastStringsParser(
                IOContext context,
                int features,
                ObjectCodec codec,
                ByteQuadsCanonicalizer names,
                byte[] text,
                int start,
                int end) {
            super(context, features, null, codec, names, text, start, end, 0, false);
        }

        @Override
        protected String _finishAndReturnString() throws IOException {
            byte[] text = _inputBuffer;
            int start = _inputPtr;
            int end = _inputEnd;
            for (int at = start; at < end && text[at] >= ' ' && text[at] != '\\'; at++) { // negative: not ASCII
                if (text[at] == '"') {
                    String string = new String(text, start, at - start, StandardCharsets.ISO_8859_1);
                    _inputPtr = at + 1;
                    _textBuffer.resetWithString(string);
                    return string;
                }
            }
            return super._finishAndReturnString();
        }
    }

    /**
     * Creates custom resources as copies of one that the constructor made. The constructor of {@link CustomResource} derives the
     * plural of the kind with regular expressions each time, which takes a third of the time to decode a small object.
     */
    private static final class Prototypes extends SimpleValueInstantiators {

        private static final long serialVersionUID = 1L;

        @Override
        public ValueInstantiator findValueInstantiator(
                DeserializationConfig config, BeanDescription bean, ValueInstantiator found) {
            return found instanceof StdValueInstantiator constructor
                            && !found.canCreateFromObjectWith()
                            && CustomResource.class.isAssignableFrom(bean.getBeanClass())
                    ? new Prototype(constructor)
                    : found;
        }
    }

    /**
     * Calls the constructor until its results were equal for a while, and copies the first of them from then on. What contains a
     * time or a random number is never equal, and is always constructed. Thread-safe.
     */
    private static final class Prototype extends StdValueInstantiator {

        private static final long serialVersionUID = 1L;
        private static final int EQUAL_RESULTS = 16;
        private static final long MIN_NANOS = 20_000_000;

        private final AtomicReference<@Nullable CopyTrial> trial = new AtomicReference<>();

        /**
         * What the constructor has made so far.
         *
         * @param tree the first result, null if copies are no substitute
         */
        private record CopyTrial(@Nullable ObjectTree<Object> tree, int equal, long since, boolean passed) {

            CopyTrial with(ObjectTree<Object> first, Object made) {
                ObjectTree<Object> next = ObjectTree.of(made);
                if (next == null || !next.hasContentOf(first)) {
                    return new CopyTrial(null, 0, since, false);
                }
                boolean enough = equal >= EQUAL_RESULTS && TimeSource.system().nanoTime() - since > MIN_NANOS;
                return new CopyTrial(first, equal + 1, since, enough);
            }
        }

        Prototype(StdValueInstantiator constructor) {
            super(constructor);
        }

        @Override
        public Object createUsingDefault(DeserializationContext context) throws IOException {
            CopyTrial soFar = trial.get();
            if (soFar == null) {
                Object made = super.createUsingDefault(context);
                long now = TimeSource.system().nanoTime();
                trial.compareAndSet(null, new CopyTrial(ObjectTree.of(made), 1, now, false));
                return made;
            }
            ObjectTree<Object> first = soFar.tree();
            if (first != null && soFar.passed()) {
                return first.copy();
            }
            Object made = super.createUsingDefault(context);
            if (first != null) {
                trial.compareAndSet(soFar, soFar.with(first, made));
            }
            return made;
        }
    }
}
