package io.github.reconciler4j.generator.crd;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.crd.Samples.Origin;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.StructuralSchema;
import java.io.IOException;
import java.time.MonthDay;
import java.time.temporal.Temporal;
import java.time.temporal.TemporalAmount;
import java.util.Calendar;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes sample objects of a kind with the mapper of the framework, and compares them with the schema: what the API server
 * would refuse or remove fails. Limits of the values, such as patterns and rules, are left out, since no sample can know them.
 */
final class WrittenCheck {

    private static final int MAX_OBJECTS = 400;

    /** What limits values beyond their type. */
    private static final Set<String> LIMITS = Set.of(
            "pattern",
            "minLength",
            "maxLength",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
            "minItems",
            "maxItems",
            "uniqueItems",
            "minProperties",
            "maxProperties",
            "required",
            "oneOf",
            "anyOf",
            "allOf",
            "not",
            "default",
            "example",
            "x-kubernetes-validations",
            "x-kubernetes-list-type",
            "x-kubernetes-list-map-keys");

    private final ObjectMapper mapper = KubernetesJson.mapper();
    private final Class<? extends HasMetadata> kind;
    private final StructuralSchema schema;
    private final Samples samples = new Samples(mapper);
    private final List<String> warnings;
    private final Set<String> unreadable = new TreeSet<>();

    WrittenCheck(Class<? extends HasMetadata> kind, JsonNode schema, List<String> warnings) {
        this.kind = kind;
        this.schema = StructuralSchema.of(withoutLimits(schema, false));
        this.warnings = warnings;
    }

    private static JsonNode withoutLimits(JsonNode tree, boolean isNames) {
        if (!(tree instanceof ObjectNode object)) {
            return tree;
        }
        ObjectNode copy = JsonNodeFactory.instance.objectNode();
        object.properties().forEach(field -> {
            if (isNames || !LIMITS.contains(field.getKey())) {
                copy.set(
                        field.getKey(),
                        withoutLimits(field.getValue(), !isNames && "properties".equals(field.getKey())));
            }
        });
        return copy;
    }

    /**
     * Check the kind.
     *
     * @throws GeneratorException if the schema does not describe what is written
     */
    void run() {
        JavaType type = mapper.constructType(kind);
        for (int i = 0; i < MAX_OBJECTS && (i == 0 || !samples.isComplete()); i++) {
            Object sample = samples.next(type, null, "");
            if (sample == null) {
                break;
            }
            check(type, sample);
        }
        samples.failures()
                .forEach((path, reason) -> warnings.add((path.isEmpty() ? kind.getName() : "'." + path + "'")
                        + " was not compared with what Jackson writes: " + reason));
    }

    private void check(JavaType type, Object sample) {
        ObjectNode written;
        try {
            if (!(mapper.readTree(mapper.writeValueAsBytes(sample)) instanceof ObjectNode object)) {
                throw new GeneratorException(kind.getName() + " is not written as an object");
            }
            written = object;
        } catch (IOException | RuntimeException e) {
            throw unwritable(e);
        }
        written.remove("metadata");
        readBack(type, written);
        for (String unknown : schema.prune(written.deepCopy())) {
            if (!isOfModels(origin(unknown))) {
                throw mistake(
                        unknown, "the API server would remove the field, because the schema has none of its name");
            }
        }
        for (FieldError error : schema.validate(written)) {
            Origin origin = origin(error.path());
            boolean isMissing =
                    "FieldValueRequired".equals(error.reason()) || isOfModels(origin); // of an embedded object
            if (!isMissing && (origin == null || !isFree(origin.type(), error))) {
                throw mistake(error.path(), error.message());
            }
        }
    }

    private GeneratorException unwritable(Exception failure) {
        String path = failure instanceof JsonMappingException mapping ? path(mapping) : "";
        String reason = failure instanceof JsonMappingException mapping
                ? firstLine(mapping.getOriginalMessage())
                : firstLine(failure);
        return path.isEmpty()
                ? new GeneratorException("Jackson cannot write an object of " + kind.getName() + ": " + reason, failure)
                : mistake(path, "Jackson cannot write it: " + reason);
    }

    /** The schemas of fabric8's models are those of its generator. */
    private static boolean isOfModels(@Nullable Origin origin) {
        return origin != null && origin.place().contains("' of io.fabric8.kubernetes.api.model.");
    }

    /** A text of the user can have any format and any of some values, which a sample does not know. */
    private static boolean isFree(JavaType type, FieldError error) {
        Class<?> raw = leaf(type).getRawClass();
        boolean isPlain =
                CharSequence.class.isAssignableFrom(raw) || Number.class.isAssignableFrom(raw) || raw.isPrimitive();
        return isPlain
                && !error.message().matches(".*must be of type (string|integer|number|boolean|array|object)\\b.*");
    }

    /**
     * A class that Jackson cannot read fails in every response. That a class of the user refuses samples or reads them differently can
     * be meant, but not of a type of the JDK that Jackson itself reads.
     */
    private void readBack(JavaType type, JsonNode written) {
        try {
            JsonNode again = mapper.readTree(mapper.writeValueAsBytes(mapper.treeToValue(written, type)));
            checkLost(written.path("spec"), again.path("spec"), "spec");
            checkLost(written.path("status"), again.path("status"), "status");
        } catch (InvalidDefinitionException e) {
            throw mistake(path(e), "Jackson cannot read it back: " + firstLine(e.getOriginalMessage()));
        } catch (IOException e) {
            if (e instanceof MismatchedInputException mismatch && isReadByJackson(origin(path(mismatch)))) {
                throw mistake(
                        path(mismatch), "Jackson cannot read it back: " + firstLine(mismatch.getOriginalMessage()));
            }
            if (unreadable.add(firstLine(e))) {
                warnings.add("Jackson cannot read what it writes for " + kind.getName() + ": " + firstLine(e));
            }
        }
    }

    private static boolean isReadByJackson(@Nullable Origin origin) {
        if (origin == null || origin.isOwn()) {
            return false;
        }
        JavaType leaf = leaf(origin.type());
        return leaf.isPrimitive()
                || leaf.isEnumType()
                || leaf.getRawClass().getName().startsWith("java.");
    }

    private static boolean isTime(Class<?> type) {
        return Temporal.class.isAssignableFrom(type)
                || TemporalAmount.class.isAssignableFrom(type)
                || type == MonthDay.class
                || Date.class.isAssignableFrom(type)
                || Calendar.class.isAssignableFrom(type);
    }

    private static JavaType leaf(JavaType type) {
        JavaType leaf = type;
        while (leaf.getContentType() != null) {
            leaf = leaf.getContentType();
        }
        return leaf;
    }

    /** Without a type id, an object is read as null. */
    private void checkLost(JsonNode written, JsonNode read, String path) {
        Origin origin = written.isValueNode() && read.isValueNode() && !read.isNull() ? origin(path) : null;
        if (origin != null
                && isReadByJackson(origin)
                && isTime(leaf(origin.type()).getRawClass())
                && !written.equals(read)) {
            throw mistake(path, "Jackson reads it as another time than it has written: " + read + " for " + written);
        }
        if (written.isObject() && (read.isMissingNode() || read.isNull()) && hasSubtypes(path)) {
            throw mistake(
                    path,
                    "no type id is written here, because Java keeps no type arguments at runtime, so"
                            + " Jackson cannot read it back. Declare a class of your own that extends the inner list, map or class");
        }
        written.properties()
                .forEach(field -> checkLost(field.getValue(), read.path(field.getKey()), path + "." + field.getKey()));
        if (written.isArray()) {
            for (int i = 0; i < written.size(); i++) {
                checkLost(written.get(i), read.path(i), path + "[" + i + "]");
            }
        }
    }

    private boolean hasSubtypes(String path) {
        Origin origin = origin(path);
        if (origin == null) {
            return false;
        }
        try {
            return mapper.getSerializerProviderInstance().findTypeSerializer(leaf(origin.type())) != null;
        } catch (JsonMappingException e) {
            return false;
        }
    }

    private static String path(JsonMappingException failure) {
        StringBuilder path = new StringBuilder();
        for (JsonMappingException.Reference step : failure.getPath()) {
            path.append(step.getFieldName() == null ? "[" + step.getIndex() + "]" : "." + step.getFieldName());
        }
        return path.toString();
    }

    private static String firstLine(Throwable failure) {
        return firstLine(failure.getMessage());
    }

    private static String firstLine(@Nullable String message) {
        return message == null ? "" : message.lines().findFirst().orElse("");
    }

    private GeneratorException mistake(String field, String reason) {
        Origin origin = origin(field);
        String path = field.startsWith(".") ? field : "." + field;
        List<String> unwrapped =
                samples.unwrapped().getOrDefault(path.substring(0, Math.max(0, path.lastIndexOf('.'))), List.of());
        return SchemaRefiner.mistake(
                path,
                "does not fit what Jackson writes"
                        + (origin == null
                                ? ""
                                : " for " + origin.place() + ", a "
                                        + origin.type().toCanonical()
                                        + (unwrapped.isEmpty()
                                                ? ""
                                                : " with unwrapped " + String.join(", ", unwrapped)))
                        + ": " + reason
                        + ". Change its type or annotations, or describe it with @SchemaFrom(type = ...)");
    }

    /** Return the origin of the value at a path, or of the nearest around it. */
    private @Nullable Origin origin(String field) {
        String path = field.startsWith(".") ? field.substring(1) : field;
        while (!path.isEmpty()) {
            Origin origin = samples.origins().get(path);
            if (origin != null) {
                return origin;
            }
            int cut = Math.max(path.lastIndexOf('.'), path.lastIndexOf('['));
            path = cut < 0 ? "" : path.substring(0, cut);
        }
        return null;
    }
}
