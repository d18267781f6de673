package io.github.reconciler4j.generator.crd;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.github.reconciler4j.support.KubernetesJson;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What the schema of an object says besides its properties: whether others are kept, and that nothing is missing. */
final class ObjectSchemas {

    private static final ObjectMapper MAPPER = KubernetesJson.mapper();

    private ObjectSchemas() {}

    /** Keep what an any-getter writes, and list the values of an enum that are no texts. */
    static void complete(JavaType type, JSONSchemaProps schema) {
        if (type.isEnumType() && !"string".equals(schema.getType())) {
            List<JsonNode> values = new ArrayList<>();
            SampleLeaves.of(type).forEach(constant -> values.add(MAPPER.valueToTree(constant)));
            if (values.stream().allMatch(value -> value.isIntegralNumber() && "integer".equals(schema.getType()))) {
                schema.setEnum(values);
            }
        }
        if ("object".equals(schema.getType())
                && schema.getAdditionalProperties() == null
                && isOpen(type, new HashSet<>())) {
            schema.setXKubernetesPreserveUnknownFields(true);
        }
    }

    /** Return whether objects have fields of any name. */
    private static boolean isOpen(JavaType type, Set<Class<?>> seen) {
        SerializationConfig config = MAPPER.getSerializationConfig();
        for (JavaType each : Subtypes.all(config, type, null)) {
            if (isForeign(each) || !seen.add(each.getRawClass())) {
                continue;
            }
            BeanDescription written = config.introspect(each);
            if (written.findAnyGetter() != null
                    || MAPPER.getDeserializationConfig().introspect(each).findAnySetterAccessor() != null) {
                return true;
            }
            for (BeanPropertyDefinition property : written.findProperties()) {
                boolean isUnwrapped = property.getAccessor() != null
                        && config.getAnnotationIntrospector().findUnwrappingNameTransformer(property.getAccessor())
                                != null;
                if (isUnwrapped && isOpen(property.getAccessor().getType(), seen)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** fabric8 gives its models an any-getter for fields of newer versions, which are no user's content. */
    private static boolean isForeign(JavaType type) {
        String name = type.getRawClass().getName();
        return type.isContainerType()
                || type.isPrimitive()
                || name.startsWith("java.")
                || name.startsWith("io.fabric8.")
                || JsonNode.class.isAssignableFrom(type.getRawClass());
    }

    /** Refuse a schema that lets the server remove what the type writes, or that lets anything pass. */
    static void check(JavaType type, JSONSchemaProps schema, String path) {
        Class<?> raw = type.getRawClass();
        if (raw.getName().startsWith("io.fabric8.")) {
            return;
        }
        if (isForeignBean(type) && "object".equals(schema.getType())) {
            throw SchemaRefiner.mistake(
                    path,
                    "comes from " + raw.getName()
                            + ", for which Jackson has no form that it can read: use a class of your"
                            + " own, or @JsonSerialize and @JsonDeserialize with a converter");
        }
        boolean keeps = Boolean.TRUE.equals(schema.getXKubernetesPreserveUnknownFields());
        if (keeps ? type.isAbstract() && !isForeign(type) && !isFree(raw) : isEmpty(schema) && writesFields(type)) {
            throw SchemaRefiner.mistake(
                    path,
                    "has no fields, but a value of " + raw.getName() + (type.isAbstract() ? " can have" : " has")
                            + " some: name its classes with @JsonTypeInfo and @JsonSubTypes, or the one class with"
                            + " @JsonDeserialize(as = ...), or describe it with @SchemaFrom(type = ...), or permit all"
                            + " fields with @PreserveUnknownFields");
        }
    }

    /** Jackson writes what getters of the class happen to return, and reads nothing. */
    private static boolean isForeignBean(JavaType type) {
        Class<?> raw = type.getRawClass();
        return raw.getName().startsWith("java.")
                && !type.isContainerType()
                && raw != Void.class
                && raw != Object.class
                && SampleLeaves.of(type).isEmpty();
    }

    private static boolean isFree(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            if (each.isAnnotationPresent(PreserveUnknownFields.class)
                    || each.isAnnotationPresent(SchemaCustomizer.class)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isEmpty(JSONSchemaProps schema) {
        return "object".equals(schema.getType())
                && schema.getProperties().isEmpty()
                && schema.getAdditionalProperties() == null
                && !Boolean.TRUE.equals(schema.getXKubernetesEmbeddedResource());
    }

    private static boolean writesFields(JavaType type) {
        if (type.getRawClass() == Void.class) {
            return false;
        }
        try {
            return type.isAbstract()
                    || MAPPER.getSerializerProviderInstance()
                            .findValueSerializer(type)
                            .properties()
                            .hasNext();
        } catch (JsonMappingException e) {
            return true;
        }
    }
}
