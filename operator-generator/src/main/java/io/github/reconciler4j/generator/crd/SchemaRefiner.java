package io.github.reconciler4j.generator.crd;

import com.fasterxml.jackson.databind.JavaType;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsOrBool;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRule;
import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.crd.MemberMarks.Member;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Completes a schema that fabric8's generator has made: walks over its properties and adds what their Java members and
 * types say.
 */
final class SchemaRefiner {

    private final MemberMarks marks;
    private final Javadocs docs;
    private final int maxDescriptionLength;
    private final List<String> warnings;
    private final List<String> paths = new ArrayList<>();

    SchemaRefiner(MemberMarks marks, Javadocs docs, int maxDescriptionLength, List<String> warnings) {
        this.marks = marks;
        this.docs = docs;
        this.maxDescriptionLength = maxDescriptionLength;
        this.warnings = warnings;
    }

    /** Completes the schema of a kind. */
    void refine(Class<?> kind, JSONSchemaProps schema) {
        paths.clear();
        schema.setDescription(limited(docs.ofClass(kind)));
        typeAnnotations(kind, schema, kind.getSimpleName());
        properties(schema, "");
        JSONSchemaProps spec = schema.getProperties().get("spec");
        if (spec != null
                && !spec.getRequired().isEmpty()
                && !schema.getRequired().contains("spec")) {
            schema.setRequired(plus(schema.getRequired(), "spec"));
        }
    }

    /** Return the paths of all properties in the order of their declaration. */
    List<String> paths() {
        return List.copyOf(paths);
    }

    /** Return the description that takes the place of a mark; others stay. */
    @Nullable
    String description(@Nullable String description) {
        Member member = marks.find(description);
        return member == null ? description : describe(member);
    }

    private void properties(JSONSchemaProps schema, String path) {
        List<Map.Entry<String, JSONSchemaProps>> properties =
                new ArrayList<>(schema.getProperties().entrySet());
        properties.sort(
                (one, other) -> Integer.compare(marks.position(one.getValue()), marks.position(other.getValue())));
        for (Map.Entry<String, JSONSchemaProps> property : properties) {
            String childPath = path + "." + property.getKey();
            paths.add(childPath);
            Member member = marks.find(property.getValue().getDescription());
            if (member == null) {
                properties(property.getValue(), childPath);
            } else {
                member(schema, property.getKey(), property.getValue(), member, childPath);
            }
        }
    }

    private void member(JSONSchemaProps parent, String name, JSONSchemaProps schema, Member member, String path) {
        String text = describe(member);
        JavaType type = member.type();
        removeHiddenRules(member, schema);
        SchemaFrom from = member.annotation(SchemaFrom.class);
        if (from == null) {
            TypeSchemas.correct(type.getRawClass(), schema, path, warnings);
        }
        value(type, from == null ? annotatedType(member) : null, schema, path);
        schema.setDescription(limited(text != null ? text : schema.getDescription()));
        if (from == null) {
            ObjectSchemas.complete(type, schema);
        }
        if (!member.isHidden(Required.class)
                && !parent.getRequired().contains(name)
                && MemberMarks.isNeeded(member.member())) {
            parent.setRequired(plus(parent.getRequired(), name));
        }
        new SchemaAnnotations(member::annotation, path).apply(parent, name, schema);
        if (from == null && member.annotation(PreserveUnknownFields.class) == null) {
            ObjectSchemas.check(type, schema, path);
        }
    }

    /** fabric8's generator reads the rules of a getter from the class; those of the property come after those of its type. */
    private static void removeHiddenRules(Member member, JSONSchemaProps schema) {
        List<ValidationRule> rules = schema.getXKubernetesValidations();
        if (member.isHidden(io.fabric8.generator.annotation.ValidationRule.class)
                && member.member().getAnnotated() instanceof Method method) {
            Field field = field(method.getDeclaringClass(), MemberMarks.property(method.getName()));
            int hidden = rules(method) + (field == null ? 0 : rules(field));
            schema.setXKubernetesValidations(rules.subList(0, Math.max(0, rules.size() - hidden)));
        }
    }

    private static int rules(AnnotatedElement element) {
        return element.getAnnotationsByType(io.fabric8.generator.annotation.ValidationRule.class).length;
    }

    /** What is inside a value: the items of a list, the values of a map, the properties of an object. */
    private void value(JavaType type, @Nullable AnnotatedType annotated, JSONSchemaProps schema, String path) {
        if (marks.find(schema.getDescription()) != null) {
            schema.setDescription(null);
        }
        JSONSchemaProps items =
                schema.getItems() == null ? null : schema.getItems().getSchema();
        JSONSchemaPropsOrBool values = schema.getAdditionalProperties();
        if (items != null) {
            nested(type.getContentType(), argument(annotated, 0), items, path + "[]");
            TypeSchemas.conditions(path, schema, items);
            limitDescriptions(items);
        } else if (values != null && values.getSchema() != null) {
            TypeSchemas.freeValues(type, schema);
            nested(type.getContentType(), argument(annotated, 1), values.getSchema(), path + "{}");
        } else if (!schema.getEnum().isEmpty()) {
            schema.setDescription(limited(docs.ofClass(type.getRawClass())));
        } else if (!schema.getProperties().isEmpty()) {
            schema.setDescription(limited(docs.ofClass(type.getRawClass())));
            typeAnnotations(type.getRawClass(), schema, path);
            properties(schema, path);
        }
    }

    private void nested(
            @Nullable JavaType type, @Nullable AnnotatedType annotated, JSONSchemaProps schema, String path) {
        if (type == null) {
            return;
        }
        TypeSchemas.correct(type.getRawClass(), schema, path, warnings);
        value(type, annotated, schema, path);
        ObjectSchemas.complete(type, schema);
        ObjectSchemas.check(type, schema, path);
        if (annotated != null) {
            new SchemaAnnotations(annotated::getAnnotation, path).applyDetails(schema);
        }
    }

    private static void typeAnnotations(Class<?> type, JSONSchemaProps schema, String path) {
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            new SchemaAnnotations(each::getAnnotation, path).applyType(each, schema);
        }
    }

    /** The type of a member with the annotations on its arguments; fields first, since that is where people put them. */
    private static @Nullable AnnotatedType annotatedType(Member member) {
        AnnotatedElement element = member.member().getAnnotated();
        if (element instanceof Method method) {
            Field field = field(method.getDeclaringClass(), MemberMarks.property(method.getName()));
            return field == null ? method.getAnnotatedReturnType() : field.getAnnotatedType();
        }
        return element instanceof Field field ? field.getAnnotatedType() : null;
    }

    private static @Nullable Field field(Class<?> type, String name) {
        try {
            return type.getDeclaredField(name);
        } catch (NoSuchFieldException e) {
            return null;
        }
    }

    private static @Nullable AnnotatedType argument(@Nullable AnnotatedType type, int index) {
        if (type instanceof AnnotatedArrayType array) {
            return array.getAnnotatedGenericComponentType();
        }
        if (type instanceof AnnotatedParameterizedType parameterized) {
            AnnotatedType[] arguments = parameterized.getAnnotatedActualTypeArguments();
            return index < arguments.length ? arguments[index] : null;
        }
        return null;
    }

    private @Nullable String describe(Member member) {
        if (member.description() != null) {
            return limited(member.description());
        }
        Class<?> type = member.member().getDeclaringClass();
        String name = member.member().getName();
        boolean method = member.member().getAnnotated() instanceof Method;
        return limited(docs.ofProperty(type, method ? MemberMarks.property(name) : name, method ? name : null));
    }

    private void limitDescriptions(JSONSchemaProps item) {
        item.setDescription(limited(item.getDescription()));
        item.getProperties().values().forEach(property -> property.setDescription(limited(property.getDescription())));
    }

    /** Cuts after the last sentence that fits. */
    private @Nullable String limited(@Nullable String text) {
        if (text == null || maxDescriptionLength == 0) {
            return null;
        }
        if (text.length() <= maxDescriptionLength) {
            return text;
        }
        String start = text.substring(0, maxDescriptionLength);
        int sentence = Math.max(start.lastIndexOf(". "), start.lastIndexOf(".\n"));
        if (start.endsWith(".")) {
            return start;
        }
        return sentence > 0 ? start.substring(0, sentence + 1) : start.strip();
    }

    static List<String> plus(List<String> list, String element) {
        List<String> result = new ArrayList<>(list);
        result.add(element);
        result.sort(null);
        return result;
    }

    static GeneratorException mistake(String path, String what) {
        return new GeneratorException("The schema of '" + path + "' " + what + " (R4J-715)");
    }
}
