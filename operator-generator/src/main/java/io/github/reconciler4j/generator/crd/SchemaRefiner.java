package io.github.reconciler4j.generator.crd;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.type.TypeFactory;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.crd.generator.annotation.PrinterColumn;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsOrBool;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRule;
import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.crd.MemberMarks.Member;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
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
    private final List<Column> columns = new ArrayList<>();

    /**
     * A column of a field.
     *
     * @param path the field in the schema
     * @param place the field in its class
     */
    record Column(String path, String place, JSONSchemaProps schema) {}

    SchemaRefiner(MemberMarks marks, Javadocs docs, int maxDescriptionLength, List<String> warnings) {
        this.marks = marks;
        this.docs = docs;
        this.maxDescriptionLength = maxDescriptionLength;
        this.warnings = warnings;
    }

    /** Complete the schema of a kind, and return it, or the one that customizers have made of it. */
    JSONSchemaProps refine(Class<?> kind, JSONSchemaProps schema) {
        paths.clear();
        columns.clear();
        return complete(schema, "", incomplete -> {
            incomplete.setDescription(ofClass(kind));
            typeAnnotations(kind, incomplete, kind.getSimpleName());
            properties(incomplete, "");
            JSONSchemaProps spec = incomplete.getProperties().get("spec");
            if (spec != null
                    && !spec.getRequired().isEmpty()
                    && !incomplete.getRequired().contains("spec")) {
                incomplete.setRequired(plus(incomplete.getRequired(), "spec"));
            }
            return incomplete;
        });
    }

    /** Complete the schema of an object, and then run the customizers of its class. */
    private JSONSchemaProps complete(JSONSchemaProps schema, String path, UnaryOperator<JSONSchemaProps> completion) {
        Class<?> customized = marks.takeCustomized(schema);
        if (customized == null) {
            return completion.apply(schema);
        }
        JSONSchemaProps result = Customizers.customize(customized, schema, path, completion);
        limitDescriptions(result);
        return result;
    }

    /** Return the paths of all properties in the order of their declaration. */
    List<String> paths() {
        return List.copyOf(paths);
    }

    /** Return the columns of fields. */
    List<Column> columns() {
        return List.copyOf(columns);
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

    private void member(JSONSchemaProps parent, String name, JSONSchemaProps given, Member member, String path) {
        String text = describe(member);
        String place = EffectiveTypes.place(member.member());
        removeHiddenRules(member, given);
        SchemaFrom from = member.annotation(SchemaFrom.class);
        JavaType type =
                from == null ? member.type() : TypeFactory.defaultInstance().constructType(from.type());
        TypeUses uses = from != null || member.isHidden(Size.class) ? TypeUses.NONE : TypeUses.of(member);
        if (from == null) {
            TypeSchemas.correct(type.getRawClass(), given, path, warnings);
        }
        JSONSchemaProps schema = value(type, uses, given, path, place);
        parent.getProperties().put(name, schema);
        schema.setDescription(text != null ? text : limited(schema.getDescription()));
        if (from == null) {
            ObjectSchemas.complete(type, schema);
        }
        if (!member.isHidden(Required.class)
                && !parent.getRequired().contains(name)
                && MemberMarks.isNeeded(member.member())) {
            parent.setRequired(plus(parent.getRequired(), name));
        }
        new SchemaAnnotations(member::annotation, path, place).apply(parent, name, schema);
        boolean isList = schema.getItems() != null;
        new Limits(ofMember(member, uses, isList), path, place).apply(type, schema);
        PrinterColumn column = member.annotation(PrinterColumn.class);
        if (column != null) {
            columns.add(new Column(path, place, schema));
        }
        if (from == null && member.annotation(PreserveUnknownFields.class) == null) {
            ObjectSchemas.check(type, schema, path);
        }
    }

    private static SchemaAnnotations.Lookup ofMember(Member member, TypeUses uses, boolean isList) {
        return new SchemaAnnotations.Lookup() {
            @Override
            public <A extends Annotation> @Nullable A find(Class<A> type) {
                return uses.ofMember(type, member.annotation(type), isList);
            }
        };
    }

    private static SchemaAnnotations.Lookup ofPart(TypeUses uses, boolean isList) {
        return new SchemaAnnotations.Lookup() {
            @Override
            public <A extends Annotation> @Nullable A find(Class<A> type) {
                return uses.find(type, isList);
            }
        };
    }

    /** fabric8's generator reads the rules of a getter from the class; those of the property come after those of its type. */
    private static void removeHiddenRules(Member member, JSONSchemaProps schema) {
        List<ValidationRule> rules = schema.getXKubernetesValidations();
        if (member.isHidden(io.fabric8.generator.annotation.ValidationRule.class)
                && member.member().getAnnotated() instanceof Method method) {
            Field field = TypeUses.field(method.getDeclaringClass(), MemberMarks.property(method.getName()));
            int hidden = rules(method) + (field == null ? 0 : rules(field));
            schema.setXKubernetesValidations(rules.subList(0, Math.max(0, rules.size() - hidden)));
        }
    }

    private static int rules(AnnotatedElement element) {
        return element.getAnnotationsByType(io.fabric8.generator.annotation.ValidationRule.class).length;
    }

    /** What is inside a value: the items of a list, the values of a map, the properties of an object. */
    private JSONSchemaProps value(JavaType type, TypeUses uses, JSONSchemaProps schema, String path, String place) {
        if (marks.find(schema.getDescription()) != null) {
            schema.setDescription(null);
        }
        if (type.isReferenceType()) {
            return referenced(type, uses, schema, path, place);
        }
        Limits limits = new Limits(ofPart(uses, false), path, place);
        limits.refuse(
                uses.otherArguments(),
                "in a type argument that no schema shows",
                "put it on the field in the class that has the type argument, or use a list or map of your own");
        JSONSchemaProps items =
                schema.getItems() == null ? null : schema.getItems().getSchema();
        JSONSchemaPropsOrBool values = schema.getAdditionalProperties();
        if (items != null) {
            JSONSchemaProps item = nested(type.getContentType(), uses.argument(0), items, path + "[]", place);
            schema.getItems().setSchema(item);
            TypeSchemas.conditions(path, schema, item);
            limitDescriptions(item);
        } else if (values != null && values.getSchema() != null) {
            TypeSchemas.freeValues(type, schema);
            limits.refuse(
                    uses.argument(0),
                    "on the keys of a map, which a schema cannot limit",
                    "use @ValidationRule on the map, such as self.all(key, key.matches('^[a-z]+$'))");
            values.setSchema(nested(type.getContentType(), uses.argument(1), values.getSchema(), path + "{}", place));
        } else if (type.isEnumType() || !schema.getProperties().isEmpty() || isDescribed(type)) {
            return object(type, schema, path);
        } else if (!type.isArrayType()) {
            limits.refuse(
                    uses.arguments(),
                    "on a part of a value that is written as a whole",
                    "put it on the whole, or use @ValidationRule");
        }
        return schema;
    }

    private JSONSchemaProps object(JavaType type, JSONSchemaProps schema, String path) {
        return complete(schema, path, incomplete -> {
            incomplete.setDescription(ofClass(type.getRawClass()));
            typeAnnotations(type.getRawClass(), incomplete, path);
            properties(incomplete, path);
            return incomplete;
        });
    }

    private JSONSchemaProps referenced(
            JavaType type, TypeUses uses, JSONSchemaProps schema, String path, String place) {
        JSONSchemaProps content = value(type.getReferencedType(), uses.argument(0), schema, path, place);
        new Limits(ofPart(uses.argument(0), content.getItems() != null), path, place)
                .apply(type.getReferencedType(), content);
        return content;
    }

    private JSONSchemaProps nested(
            @Nullable JavaType type, TypeUses uses, JSONSchemaProps given, String path, String place) {
        if (type == null) {
            return given;
        }
        Limits.clear(given);
        TypeSchemas.correct(type.getRawClass(), given, path, warnings);
        JSONSchemaProps schema = value(type, uses, given, path, place);
        ObjectSchemas.complete(type, schema);
        ObjectSchemas.check(type, schema, path);
        SchemaAnnotations.Lookup annotations = ofPart(uses, schema.getItems() != null);
        new SchemaAnnotations(annotations, path, place).applyDetails(schema);
        new Limits(annotations, path, place).apply(type, schema);
        return schema;
    }

    private static void typeAnnotations(Class<?> type, JSONSchemaProps schema, String path) {
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            new SchemaAnnotations(each::getAnnotation, path, each.getName()).applyType(each, schema);
        }
    }

    private static boolean isDescribed(JavaType type) {
        return type.getRawClass().isAnnotationPresent(JsonClassDescription.class);
    }

    /** Return the description of a class: that of its annotation, else of its Javadoc. */
    private @Nullable String ofClass(Class<?> type) {
        JsonClassDescription own = type.getAnnotation(JsonClassDescription.class);
        return limited(own == null || own.value().isEmpty() ? docs.ofClass(type) : own.value());
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
        item.getProperties().values().forEach(this::limitDescriptions);
        if (item.getItems() != null && item.getItems().getSchema() != null) {
            limitDescriptions(item.getItems().getSchema());
        }
        if (item.getAdditionalProperties() != null
                && item.getAdditionalProperties().getSchema() != null) {
            limitDescriptions(item.getAdditionalProperties().getSchema());
        }
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
