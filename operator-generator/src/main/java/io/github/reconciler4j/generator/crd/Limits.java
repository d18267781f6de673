package io.github.reconciler4j.generator.crd;

import com.fasterxml.jackson.databind.JavaType;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.github.reconciler4j.generator.GeneratorException;
import java.lang.annotation.Annotation;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits that annotations put on one value. fabric8's generator ignores them on types that they do not fit and inside of
 * nested lists and maps, and the API server would then check nothing.
 */
final class Limits {

    static final List<Class<? extends Annotation>> ALL = List.of(Min.class, Max.class, Pattern.class, Size.class);

    /** The first number above all that a {@code long} can hold. */
    private static final double BEYOND_LONG = 0x1p63;

    private final SchemaAnnotations.Lookup annotations;
    private final String path;
    private final String place;

    /**
     * Create them.
     *
     * @param path the value in the schema
     * @param place the member in the class
     */
    Limits(SchemaAnnotations.Lookup annotations, String path, String place) {
        this.annotations = annotations;
        this.path = path;
        this.place = place;
    }

    /** Remove what fabric8's generator has made of annotations of another level. */
    static void clear(JSONSchemaProps schema) {
        schema.setMinimum(null);
        schema.setExclusiveMinimum(null);
        schema.setMaximum(null);
        schema.setExclusiveMaximum(null);
        schema.setPattern(null);
        clearSizes(schema);
    }

    private static void clearSizes(JSONSchemaProps schema) {
        schema.setMinLength(null);
        schema.setMaxLength(null);
        schema.setMinItems(null);
        schema.setMaxItems(null);
        schema.setMinProperties(null);
        schema.setMaxProperties(null);
    }

    /** Put them into the schema of a value of a type. */
    void apply(JavaType type, JSONSchemaProps schema) {
        Min min = annotations.find(Min.class);
        Max max = annotations.find(Max.class);
        String kind = kind(schema);
        if (min != null || max != null) {
            String annotation = min == null ? "@Max" : "@Min";
            require(List.of("integer", "number").contains(kind), annotation, "a number", kind);
            range(min, max, schema);
        }
        Pattern pattern = annotations.find(Pattern.class);
        if (pattern != null) {
            require("string".equals(kind), "@Pattern", "a text", kind);
            schema.setPattern(pattern.value());
        }
        Size size = annotations.find(Size.class);
        if (size != null) {
            require(
                    List.of("string", "array", "object").contains(kind),
                    "@Size",
                    "a text, a list or a map; use @Min and @Max for a number",
                    kind);
            sizes(type, size, schema);
        }
    }

    private static String kind(JSONSchemaProps schema) {
        if (schema.getType() != null) {
            return schema.getType();
        }
        return Boolean.TRUE.equals(schema.getXKubernetesIntOrString()) ? "integer or string" : "any";
    }

    private void range(@Nullable Min min, @Nullable Max max, JSONSchemaProps schema) {
        boolean whole = "integer".equals(schema.getType());
        schema.setMinimum(null);
        schema.setExclusiveMinimum(null);
        schema.setMaximum(null);
        schema.setExclusiveMaximum(null);
        if (min != null && !Double.isFinite(min.value()) || max != null && !Double.isFinite(max.value())) {
            throw mistake(
                    min != null && !Double.isFinite(min.value()) ? "@Min" : "@Max",
                    "whose value JSON cannot hold: use a finite number, or remove it");
        }
        double low = min == null ? -Double.MAX_VALUE : whole ? Math.ceil(min.value()) : min.value();
        double high = max == null ? Double.MAX_VALUE : whole ? Math.floor(max.value()) : max.value();
        boolean above = min != null && !min.inclusive() && low == min.value();
        boolean below = max != null && !max.inclusive() && high == max.value();
        boolean never = whole && (low >= BEYOND_LONG || high < -BEYOND_LONG);
        if (never || low > high || low == high && (above || below)) {
            throw mistake(min == null ? "@Max" : "@Min", "so no value fits: write other limits");
        }
        if (min != null && !(whole && low <= -BEYOND_LONG)) {
            schema.setMinimum(low);
            schema.setExclusiveMinimum(above ? true : null);
        }
        if (max != null && !(whole && high >= BEYOND_LONG)) {
            schema.setMaximum(high);
            schema.setExclusiveMaximum(below ? true : null);
        }
    }

    private void sizes(JavaType type, Size size, JSONSchemaProps schema) {
        clearSizes(schema);
        if (size.min() < 0 || size.max() < size.min()) {
            throw mistake("@Size", "so no value fits: write other limits");
        }
        Long min = size.min() == 0 ? null : size.min();
        Long max = size.max() == Long.MAX_VALUE ? null : size.max();
        switch (schema.getType()) {
            case "array" -> {
                schema.setMinItems(min);
                schema.setMaxItems(max);
            }
            case "object" -> {
                schema.setMinProperties(min);
                schema.setMaxProperties(max);
            }
            default -> {
                boolean isBytes = type.hasRawClass(byte[].class) || type.hasRawClass(ByteBuffer.class);
                if (isBytes && "byte".equals(schema.getFormat())) {
                    bytes(min, max, schema);
                } else {
                    schema.setMinLength(min);
                    schema.setMaxLength(max);
                }
            }
        }
    }

    /** Bytes are text in base64, four characters for three bytes; a rule counts what is between. */
    private static void bytes(@Nullable Long min, @Nullable Long max, JSONSchemaProps schema) {
        if (min != null) {
            schema.setMinLength(base64(min));
            if (min % 3 != 1) {
                SchemaValues.addRule(schema, "size(self) >= " + min, "must have at least " + min + " bytes");
            }
        }
        if (max != null) {
            schema.setMaxLength(base64(max));
            if (max % 3 != 0) {
                SchemaValues.addRule(schema, "size(self) <= " + max, "must have at most " + max + " bytes");
            }
        }
    }

    private static long base64(long bytes) {
        long groups = bytes / 3 + (bytes % 3 == 0 ? 0 : 1);
        return groups > Long.MAX_VALUE / 4 ? Long.MAX_VALUE : groups * 4;
    }

    private void require(boolean fits, String annotation, String needed, String kind) {
        if (!fits) {
            String other = List.of("string", "array", "object").contains(kind)
                    ? "use @Size for the length of a text, list or map, or @ValidationRule"
                    : "use @ValidationRule for another check of this value";
            throw mistake(annotation, "which needs " + needed + "; the type is " + kind + ": " + other);
        }
    }

    /** Refuse limits in a place that the schema does not have. */
    void refuse(TypeUses uses, String where, String instead) {
        for (Class<? extends Annotation> annotation : ALL) {
            if (uses.hasDeep(annotation)) {
                throw mistake("@" + annotation.getSimpleName(), where + ": " + instead);
            }
        }
    }

    GeneratorException mistake(String annotation, String what) {
        return SchemaRefiner.mistake(path, "has " + annotation + " on " + place + ", " + what);
    }
}
