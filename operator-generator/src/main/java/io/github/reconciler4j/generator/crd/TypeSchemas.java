package io.github.reconciler4j.generator.crd;

import com.fasterxml.jackson.databind.JavaType;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Period;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Schemas that follow from a Java type, where fabric8's generator leaves them out or has them wrong. */
final class TypeSchemas {

    /** {@code Duration.parse}: days to seconds, each with a sign, at least one of them. */
    private static final String DURATION =
            "^[-+]?P([-+]?[0-9]+D)?(T(?:[-+]?[0-9]+H)?(?:[-+]?[0-9]+M)?(?:[-+]?[0-9]+([.,][0-9]{0,9})?S)?)?$";

    private static final String PERIOD = "^[-+]?P(?:[-+]?[0-9]+Y)?(?:[-+]?[0-9]+M)?(?:[-+]?[0-9]+W)?(?:[-+]?[0-9]+D)?$";

    private static final Map<Class<?>, String> FORMATS = Map.ofEntries(
            Map.entry(int.class, "int32"),
            Map.entry(Integer.class, "int32"),
            Map.entry(short.class, "int32"),
            Map.entry(Short.class, "int32"),
            Map.entry(byte.class, "int32"),
            Map.entry(Byte.class, "int32"),
            Map.entry(long.class, "int64"),
            Map.entry(Long.class, "int64"),
            Map.entry(float.class, "float"),
            Map.entry(Float.class, "float"),
            Map.entry(double.class, "double"),
            Map.entry(Double.class, "double"));

    private static final Set<Class<?>> FLOATS =
            Set.of(float.class, Float.class, double.class, Double.class, BigDecimal.class);

    private static final Set<Class<?>> OPTIONALS =
            Set.of(Optional.class, OptionalInt.class, OptionalLong.class, OptionalDouble.class);

    private TypeSchemas() {}

    /** Corrects the schema of a value of a type. */
    static void correct(Class<?> type, JSONSchemaProps schema, String path, List<String> warnings) {
        if (OPTIONALS.contains(type)) {
            throw SchemaRefiner.mistake(
                    path,
                    "comes from " + type.getSimpleName() + ", which JSON cannot hold: use a field that may be null");
        }
        String format = FORMATS.get(type);
        if (format != null && schema.getFormat() == null && !"string".equals(schema.getType())) {
            schema.setFormat(format);
        }
        if (FLOATS.contains(type)) {
            warnings.add(
                    "'" + path + "' is a floating-point number, which programs round differently: use a Quantity, a"
                            + " whole number of a smaller unit, or a string");
        }
        if (type == Object.class) {
            schema.setType(null);
            schema.setXKubernetesPreserveUnknownFields(true);
        }
        if (type == BigInteger.class) {
            schema.setFormat(null);
        }
        if (Boolean.TRUE.equals(schema.getXKubernetesEmbeddedResource())
                && schema.getProperties().isEmpty()) {
            schema.setXKubernetesPreserveUnknownFields(true);
        }
        if (!"string".equals(schema.getType())) {
            return;
        }
        if (type == Duration.class || type == Period.class) {
            text(schema, type == Duration.class ? DURATION : PERIOD, null);
        } else if (type == byte[].class || type == ByteBuffer.class) {
            text(schema, null, "byte");
        }
    }

    private static void text(JSONSchemaProps schema, @Nullable String pattern, @Nullable String format) {
        schema.setType("string");
        schema.setFormat(format);
        if (schema.getPattern() == null) {
            schema.setPattern(pattern);
        }
    }

    /** A map to {@code Object} says so of its values; to say it of the map as well would let values be pruned. */
    static void freeValues(JavaType map, JSONSchemaProps schema) {
        JavaType values = map.getContentType();
        if (values != null && values.getRawClass() == Object.class) {
            schema.setXKubernetesPreserveUnknownFields(null);
        }
    }

    /**
     * A list of conditions is a map by type, so that two writers of different conditions do not overwrite each other. It
     * is one if it is called {@code conditions} and its items have a type and a status.
     */
    static void conditions(String path, JSONSchemaProps list, JSONSchemaProps item) {
        if (!path.endsWith(".conditions")
                || list.getXKubernetesListType() != null
                || !item.getProperties().containsKey("type")
                || !item.getProperties().containsKey("status")) {
            return;
        }
        list.setXKubernetesListType("map");
        list.setXKubernetesListMapKeys(List.of("type"));
        Set<String> required = new TreeSet<>(item.getRequired());
        required.add("type");
        if (item.getProperties().keySet().containsAll(StandardCondition.FIELDS)) {
            StandardCondition.constrain(item);
            required.addAll(StandardCondition.REQUIRED);
        }
        item.setRequired(List.copyOf(required));
    }

    /** The rules of {@code metav1.Condition}, which Go operators get from the comments of that type. */
    private static final class StandardCondition {

        static final Set<String> FIELDS =
                Set.of("type", "status", "reason", "message", "lastTransitionTime", "observedGeneration");

        static final Set<String> REQUIRED = Set.of("type", "status", "reason", "message", "lastTransitionTime");

        static void constrain(JSONSchemaProps item) {
            JSONSchemaProps type = field(
                    item,
                    "type",
                    "The type of the condition in CamelCase, with a prefix such as"
                            + " foo.example.com/ where it could be mistaken.");
            if (type.getMaxLength() != null) {
                return;
            }
            item.setDescription(item.getDescription() == null ? "A condition of the object." : item.getDescription());
            type.setMaxLength(316L);
            type.setPattern("^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
                    + "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$");
            field(item, "status", "One of True, False and Unknown.")
                    .setEnum(SchemaValues.nodes("True", "False", "Unknown"));
            JSONSchemaProps reason = field(item, "reason", "Why the condition last changed, in CamelCase.");
            reason.setMinLength(1L);
            reason.setMaxLength(1024L);
            reason.setPattern("^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$");
            field(item, "message", "Details for people; may be empty.").setMaxLength(32768L);
            field(item, "lastTransitionTime", "When the status of the condition last changed.")
                    .setFormat("date-time");
            JSONSchemaProps generation =
                    field(item, "observedGeneration", "The generation of the object that the condition is about.");
            generation.setMinimum(0d);
            generation.setFormat("int64");
        }

        private static JSONSchemaProps field(JSONSchemaProps item, String name, String description) {
            JSONSchemaProps field = Objects.requireNonNull(item.getProperties().get(name));
            if (field.getDescription() == null) {
                field.setDescription(description);
            }
            return field;
        }
    }
}
