package io.github.reconciler4j.generator.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.crd.generator.annotation.SchemaSwap;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Runs the customizers of classes on their schemas when these are complete, so that customizers see descriptions and formats,
 * and nothing is lost of what they change. What a property says about its value comes after that.
 */
final class Customizers {

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization(new ObjectMapper(), false);

    /** What fabric8's generator sees in place of a class with customizers. */
    static final class Later {}

    private Customizers() {}

    /** Return whether a class, or one that it extends, has customizers. */
    static boolean has(Class<?> type) {
        return !annotations(type, SchemaCustomizer.class).isEmpty();
    }

    private static <A extends Annotation> List<A> annotations(Class<?> type, Class<A> annotation) {
        List<A> found = new ArrayList<>();
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            found.addAll(Arrays.asList(each.getAnnotationsByType(annotation)));
        }
        return found;
    }

    /**
     * Return the schema of a class as its customizers make it.
     *
     * @param schema the schema that is not complete
     * @param completion completes it
     */
    static JSONSchemaProps customize(
            Class<?> type, JSONSchemaProps schema, String path, UnaryOperator<JSONSchemaProps> completion) {
        if (!annotations(type, SchemaSwap.class).isEmpty()) {
            throw SchemaRefiner.mistake(
                    path,
                    "comes from " + type.getName()
                            + ", which has @SchemaCustomizer and @SchemaSwap: use @SchemaFrom on the field instead of"
                            + " @SchemaSwap");
        }
        OfProperty property = OfProperty.take(schema);
        annotations(type, ValidationRule.class).forEach(rule -> SchemaValues.addRule(schema, rule));
        if (!annotations(type, PreserveUnknownFields.class).isEmpty()) {
            schema.setXKubernetesPreserveUnknownFields(true);
        }
        JSONSchemaProps customized = completion.apply(schema);
        for (SchemaCustomizer each : annotations(type, SchemaCustomizer.class)) {
            customized = run(each, type, customized, path);
        }
        property.putBack(customized);
        return customized;
    }

    private static JSONSchemaProps run(
            SchemaCustomizer customizer, Class<?> type, JSONSchemaProps schema, String path) {
        String name = customizer.value().getName();
        @Nullable JSONSchemaProps result;
        try {
            var constructor = customizer.value().getDeclaredConstructor();
            constructor.setAccessible(true);
            result = constructor.newInstance().apply(schema, customizer.input(), SERIALIZATION);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw SchemaRefiner.mistake(
                    path, "comes from " + type.getName() + ", whose customizer " + name + " fails: correct it. " + e);
        }
        if (result == null) {
            throw SchemaRefiner.mistake(
                    path,
                    "comes from " + type.getName() + ", whose customizer " + name
                            + " returns null: return the given schema or another one");
        }
        return result;
    }

    /** What annotations of a property say about a value of any class. */
    private record OfProperty(
            @Nullable JsonNode byDefault,
            @Nullable Boolean nullable,
            @Nullable Boolean open,
            List<io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRule> rules) {

        static OfProperty take(JSONSchemaProps schema) {
            OfProperty taken = new OfProperty(
                    schema.getDefault(),
                    schema.getNullable(),
                    schema.getXKubernetesPreserveUnknownFields(),
                    List.copyOf(schema.getXKubernetesValidations()));
            schema.setDefault(null);
            schema.setNullable(null);
            schema.setXKubernetesPreserveUnknownFields(null);
            schema.setXKubernetesValidations(new ArrayList<>());
            return taken;
        }

        void putBack(JSONSchemaProps schema) {
            if (byDefault != null) {
                schema.setDefault(byDefault);
            }
            if (nullable != null) {
                schema.setNullable(nullable);
            }
            if (open != null) {
                schema.setXKubernetesPreserveUnknownFields(open);
            }
            List<io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRule> all =
                    new ArrayList<>(schema.getXKubernetesValidations());
            all.addAll(rules);
            schema.setXKubernetesValidations(all);
        }
    }
}
