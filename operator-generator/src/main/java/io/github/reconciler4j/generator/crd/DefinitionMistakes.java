package io.github.reconciler4j.generator.crd;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.AnnotatedField;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import io.fabric8.generator.annotation.Default;
import io.github.reconciler4j.generator.yaml.Yaml;
import io.github.reconciler4j.support.KubernetesJson;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Explains why fabric8's generator cannot describe a class: which field it is, and how to write it. */
final class DefinitionMistakes {

    private static final String DEFAULT = "Cannot parse default value";
    private static final String CYCLE = "cyclic reference";

    private final ObjectMapper mapper = KubernetesJson.mapper();
    private final Set<JavaType> seen = new HashSet<>();
    private final List<String> found = new ArrayList<>();

    private DefinitionMistakes() {}

    /** Return the message of a failure, with the field and the way out if it is a known one. */
    static String explained(RuntimeException failure, List<? extends Class<?>> kinds) {
        String message = String.valueOf(failure.getMessage());
        if (message.contains(CYCLE)) {
            return message
                    + ". The schema of a definition ends: annotate the field with @SchemaFrom(type = AnyType.class),"
                    + " which accepts any content, or refer to the other object by its name (R4J-713)";
        }
        if (message.startsWith(DEFAULT)) {
            DefinitionMistakes mistakes = new DefinitionMistakes();
            kinds.forEach(kind -> mistakes.visit(mistakes.mapper.constructType(kind)));
            return mistakes.found.isEmpty() ? message : String.join("; ", mistakes.found);
        }
        return message;
    }

    private void visit(JavaType type) {
        if (type.isContainerType() || type.isReferenceType()) {
            visit(type.getContentType());
            return;
        }
        if (type.getRawClass().getName().startsWith("java.")
                || type.isPrimitive()
                || type.isEnumType()
                || !seen.add(type)) {
            return;
        }
        for (BeanPropertyDefinition property :
                mapper.getSerializationConfig().introspect(type).findProperties()) {
            check(type, property);
            visit(property.getPrimaryType());
        }
    }

    private void check(JavaType owner, BeanPropertyDefinition property) {
        AnnotatedField field = property.getField();
        Default given = field == null ? null : field.getAnnotated().getAnnotation(Default.class);
        if (given == null) {
            return;
        }
        String problem = problem(given.value(), property.getPrimaryType());
        if (problem != null) {
            found.add("the @Default of " + owner.getRawClass().getName() + "." + property.getName() + " is '"
                    + given.value() + "', which " + problem + ": write a value of its type, as in JSON (R4J-714)");
        }
    }

    /** A text needs no quotation marks there. */
    private @Nullable String problem(String value, JavaType type) {
        if (type.hasRawClass(String.class)) {
            return null;
        }
        try {
            mapper.convertValue(Yaml.readValue(value, "@Default"), type);
            return null;
        } catch (IllegalArgumentException e) {
            return "is no " + type.getRawClass().getSimpleName();
        }
    }
}
