package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.autoconfigure.ControllerSettings.Layer;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ObjectUtils;

/** Reads the attributes of {@link Reconciler} that are also properties, with the conversions of properties. */
final class ReconcilerAnnotation {

    private static final String ROOT = "reconciler";

    private final Reconciler annotation;
    private final String bean;
    private final UnaryOperator<String> placeholders;

    /**
     * Create a reader.
     *
     * @param bean the name of the annotated bean, for errors
     * @param placeholders resolves placeholders
     */
    ReconcilerAnnotation(Reconciler annotation, String bean, UnaryOperator<String> placeholders) {
        this.annotation = annotation;
        this.bean = bean;
        this.placeholders = placeholders;
    }

    /**
     * Return the attributes that differ from their default as a layer of settings.
     *
     * @throws OperatorConfigurationException if an attribute cannot be converted
     */
    Layer layer() {
        Map<String, Object> values = new LinkedHashMap<>();
        Map<String, Object> attributes = AnnotationUtils.getAnnotationAttributes(annotation);
        for (RecordComponent setting : ControllerProperties.class.getRecordComponents()) {
            Object value = attributes.get(setting.getName());
            if (value != null && !isDefault(setting.getName(), value)) {
                String name = DataObjectPropertyName.toDashedForm(setting.getName());
                Object text = resolved(name, value);
                if (text != null) {
                    values.put(ROOT + "." + name, text);
                }
            }
        }
        return new Layer(bind(values), true, this::problem);
    }

    private boolean isDefault(String attribute, Object value) {
        return Objects.deepEquals(value, AnnotationUtils.getDefaultValue(annotation, attribute));
    }

    private @Nullable Object resolved(String setting, Object value) {
        try {
            return text(value);
        } catch (IllegalArgumentException e) { // a placeholder without a value
            throw invalid(setting, e);
        }
    }

    private @Nullable Object text(Object value) {
        if (value.getClass().isArray()) {
            List<Object> texts = Arrays.stream(ObjectUtils.toObjectArray(value))
                    .<Object>mapMulti((each, sink) -> {
                        Object text = text(each);
                        if (text != null) {
                            sink.accept(text);
                        }
                    })
                    .toList();
            return texts.isEmpty() ? null : texts;
        }
        String text = placeholders.apply(value.toString());
        return text.isBlank() ? null : text.trim();
    }

    private ControllerProperties bind(Map<String, Object> values) {
        Map<String, Object> flat = new LinkedHashMap<>();
        values.forEach((name, value) -> flat.put(
                name,
                value instanceof List<?> list
                        ? String.join(",", list.stream().map(String::valueOf).toList())
                        : value));
        try {
            return new Binder(new MapConfigurationPropertySource(flat)).bindOrCreate(ROOT, ControllerProperties.class);
        } catch (BindException e) {
            String name = e.getName().getLastElement(Form.DASHED);
            throw invalid(name, unconvertible(flat.get(ROOT + "." + name), e));
        }
    }

    private static IllegalArgumentException unconvertible(@Nullable Object value, BindException e) {
        Class<?> type = e.getTarget().getType().resolve(Object.class);
        return new IllegalArgumentException("'" + value + "' cannot be converted to " + type.getSimpleName(), e);
    }

    private RuntimeException invalid(String setting, RuntimeException cause) {
        return problem(setting, "has an invalid value: " + cause.getMessage(), cause);
    }

    private OperatorConfigurationException problem(String setting, String problem, @Nullable Throwable cause) {
        return new OperatorConfigurationException(
                "The attribute for '" + setting + "' in @Reconciler of the bean '" + bean + "' " + problem,
                "Correct the annotation. (R4J-302)",
                cause);
    }
}
