package io.github.reconciler4j.generator.crd;

import io.fabric8.kubernetes.api.model.apiextensions.v1.ExternalDocumentation;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.github.reconciler4j.crd.AtLeastOneOf;
import io.github.reconciler4j.crd.AtMostOneOf;
import io.github.reconciler4j.crd.EmbeddedResource;
import io.github.reconciler4j.crd.ExactlyOneOf;
import io.github.reconciler4j.crd.Immutable;
import io.github.reconciler4j.crd.ListType;
import io.github.reconciler4j.crd.MapType;
import io.github.reconciler4j.crd.SchemaDetails;
import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The annotations of {@code io.github.reconciler4j.crd} on one property, on the argument of a type, or on a class. */
final class SchemaAnnotations {

    private final Lookup annotations;
    private final String path;
    private final String place;

    /** Finds the annotation of a type. */
    interface Lookup {
        <A extends Annotation> @Nullable A find(Class<A> type);
    }

    /**
     * Create them.
     *
     * @param path the value in the schema
     * @param place the member or class that has the annotations
     */
    SchemaAnnotations(Lookup annotations, String path, String place) {
        this.annotations = annotations;
        this.path = path;
        this.place = place;
    }

    void apply(JSONSchemaProps parent, String name, JSONSchemaProps schema) {
        ListType list = annotations.find(ListType.class);
        if (list != null) {
            apply(list, schema);
        }
        MapType map = annotations.find(MapType.class);
        if (map != null) {
            require("object".equals(schema.getType()), "@MapType", "a map or an object", schema);
            schema.setXKubernetesMapType(lower(map.value()));
        }
        if (annotations.find(EmbeddedResource.class) != null) {
            require("object".equals(schema.getType()), "@EmbeddedResource", "an object", schema);
            schema.setXKubernetesEmbeddedResource(true);
            if (schema.getProperties().isEmpty()) {
                schema.setAdditionalProperties(null);
                schema.setXKubernetesPreserveUnknownFields(true);
            }
        }
        Immutable immutable = annotations.find(Immutable.class);
        if (immutable != null) {
            apply(immutable, parent, name, schema);
        }
        applyDetails(schema);
    }

    private void apply(ListType list, JSONSchemaProps schema) {
        require(schema.getItems() != null, "@ListType", "a list", schema);
        boolean keyed = list.value() == ListType.Merge.MAP;
        if (keyed != list.keys().length > 0) {
            throw SchemaRefiner.mistake(
                    path,
                    keyed ? "has @ListType(MAP) without 'keys'" : "has 'keys' in @ListType, which only MAP takes");
        }
        schema.setXKubernetesListType(lower(list.value()));
        schema.setXKubernetesListMapKeys(List.of(list.keys()));
        JSONSchemaProps item = schema.getItems().getSchema();
        for (String key : list.keys()) {
            JSONSchemaProps property = item.getProperties().get(key);
            if (property == null) {
                throw SchemaRefiner.mistake(
                        path,
                        "has the key '" + key + "' in @ListType, but its items have "
                                + (item.getProperties().isEmpty()
                                        ? "no properties"
                                        : "only " + item.getProperties().keySet()));
            }
            if (property.getDefault() == null && !item.getRequired().contains(key)) {
                item.setRequired(SchemaRefiner.plus(item.getRequired(), key));
            }
        }
    }

    /** The parent sees that a field is removed, which the field itself cannot. */
    private void apply(Immutable immutable, JSONSchemaProps parent, String name, JSONSchemaProps schema) {
        String message = immutable.message().isEmpty() ? name + " is immutable" : immutable.message();
        if (isRepeated() && isLong(schema)) {
            SchemaValues.addRule(
                    parent, Rules.unchanged(name, parent.getRequired().contains(name)), message, name);
            return;
        }
        SchemaValues.addRule(schema, "self == oldSelf", message);
        if (!parent.getRequired().contains(name)) {
            SchemaValues.addRule(parent, Rules.kept(name), message);
        }
    }

    private boolean isRepeated() {
        return path.contains("[]") || path.contains("{}");
    }

    /** Whether the API server takes a comparison of two values for expensive: it expects them to be as long as they may be. */
    private static boolean isLong(JSONSchemaProps schema) {
        boolean either = Boolean.TRUE.equals(schema.getXKubernetesIntOrString());
        return either || Set.of("string", "array").contains(String.valueOf(schema.getType())) || hasValues(schema);
    }

    private static boolean hasValues(JSONSchemaProps schema) {
        return schema.getAdditionalProperties() != null
                && schema.getAdditionalProperties().getSchema() != null;
    }

    void applyDetails(JSONSchemaProps schema) {
        SchemaDetails details = annotations.find(SchemaDetails.class);
        if (details == null) {
            return;
        }
        if (!details.format().isEmpty()) {
            schema.setFormat(details.format());
        }
        if (!details.title().isEmpty()) {
            schema.setTitle(details.title());
        }
        if (!details.example().isEmpty()) {
            schema.setExample(SchemaValues.node(details.example(), "The example of '" + path + "'"));
        }
        if (details.multipleOf() != 0) {
            require(
                    Set.of("integer", "number").contains(String.valueOf(schema.getType())),
                    "@SchemaDetails(multipleOf)",
                    "a number: remove it, or use @ValidationRule",
                    schema);
            schema.setMultipleOf(details.multipleOf());
        }
        if (!details.docsUrl().isEmpty()) {
            ExternalDocumentation docs = new ExternalDocumentation();
            docs.setUrl(details.docsUrl());
            docs.setDescription(details.docsDescription().isEmpty() ? null : details.docsDescription());
            schema.setExternalDocs(docs);
        }
    }

    private void require(boolean condition, String annotation, String needed, JSONSchemaProps schema) {
        if (!condition) {
            throw SchemaRefiner.mistake(
                    path,
                    "has " + annotation + " on " + place + ", which needs " + needed + "; the type is "
                            + schema.getType());
        }
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** Applies those on a class to the schema of its objects. */
    void applyType(Class<?> type, JSONSchemaProps schema) {
        for (ExactlyOneOf fields : type.getAnnotationsByType(ExactlyOneOf.class)) {
            count(type, schema, fields.value(), Rules::exactlyOne, "exactly one", fields.message());
        }
        for (AtMostOneOf fields : type.getAnnotationsByType(AtMostOneOf.class)) {
            count(type, schema, fields.value(), Rules::atMostOne, "at most one", fields.message());
        }
        for (AtLeastOneOf fields : type.getAnnotationsByType(AtLeastOneOf.class)) {
            count(type, schema, fields.value(), Rules::atLeastOne, "at least one", fields.message());
        }
        MapType map = type.getAnnotation(MapType.class);
        if (map != null) {
            schema.setXKubernetesMapType(map.value().name().toLowerCase(Locale.ROOT));
        }
        Immutable immutable = type.getAnnotation(Immutable.class);
        if (immutable != null) {
            SchemaValues.addRule(
                    schema, "self == oldSelf", immutable.message().isEmpty() ? "is immutable" : immutable.message());
        }
    }

    private void count(
            Class<?> type,
            JSONSchemaProps schema,
            String[] fields,
            Function<List<String>, String> rule,
            String words,
            String message) {
        if (fields.length < 2) {
            throw SchemaRefiner.mistake(
                    path,
                    "comes from " + type.getName() + ", which demands " + words + " of " + Arrays.toString(fields)
                            + ": name two fields or more");
        }
        for (String field : fields) {
            if (!schema.getProperties().containsKey(field)) {
                throw SchemaRefiner.mistake(
                        path,
                        "has no field '" + field + "', of which " + type.getName() + " demands " + words + "; it has "
                                + schema.getProperties().keySet());
            }
        }
        String text = message.isEmpty() ? words + " of " + String.join(", ", fields) + " must be set" : message;
        SchemaValues.addRule(schema, rule.apply(List.of(fields)), text);
    }
}
