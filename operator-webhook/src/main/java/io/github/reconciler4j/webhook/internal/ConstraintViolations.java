package io.github.reconciler4j.webhook.internal;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.webhook.Validation.Problem;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ElementKind;
import jakarta.validation.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns violations of constraints into problems with fields, whose paths consist of names in JSON. */
public final class ConstraintViolations {

    private ConstraintViolations() {}

    /**
     * Return the problems in the order of their fields.
     *
     * @param prefix the path of the validated object
     * @param root the validated object
     */
    public static List<Problem> problems(
            String prefix, Object root, Collection<? extends ConstraintViolation<?>> violations) {
        return violations.stream()
                .map(violation -> problem(prefix, root, violation))
                .sorted(Comparator.comparing(Problem::field).thenComparing(Problem::detail))
                .toList();
    }

    private static Problem problem(String prefix, Object root, ConstraintViolation<?> violation) {
        Object value = violation.getInvalidValue();
        return new Problem(
                field(prefix, root, violation.getPropertyPath()),
                value == null ? Problem.Type.REQUIRED : Problem.Type.INVALID,
                shown(value),
                violation.getMessage());
    }

    /** Objects and lists would make the message unreadable. */
    private static Optional<Object> shown(@Nullable Object value) {
        if (value instanceof Enum<?>) {
            return Optional.of(KubernetesJson.mapper().convertValue(value, String.class));
        }
        return value instanceof CharSequence || value instanceof Number || value instanceof Boolean
                ? Optional.of(value)
                : Optional.empty();
    }

    /** The index of an element is part of the node that follows the one of its container. */
    private static String field(String prefix, Object root, Path path) {
        StringBuilder text = new StringBuilder(prefix);
        Object current = root;
        for (Path.Node node : path) {
            if (node.isInIterable()) {
                Object index = node.getKey() == null ? node.getIndex() : node.getKey();
                text.append('[').append(index == null ? "" : index).append(']');
                current = element(current, index);
            }
            if (node.getKind() == ElementKind.PROPERTY) {
                Object bean = current instanceof Optional<?> optional ? optional.orElse(null) : current;
                BeanPropertyDefinition property = property(bean, node.getName());
                if (!isUnwrapped(property)) {
                    text.append(text.isEmpty() ? "" : ".")
                            .append(property == null ? node.getName() : property.getName());
                }
                current = property == null ? null : value(bean, property.getAccessor());
            }
        }
        return text.toString();
    }

    private static @Nullable Object element(@Nullable Object container, @Nullable Object index) {
        if (container instanceof List<?> list && index instanceof Integer position && position < list.size()) {
            return list.get(position);
        }
        return container instanceof Map<?, ?> map && index != null ? map.get(index) : null;
    }

    private static @Nullable BeanPropertyDefinition property(@Nullable Object bean, String name) {
        if (bean == null) {
            return null;
        }
        ObjectMapper mapper = KubernetesJson.mapper();
        return mapper
                .getSerializationConfig()
                .introspect(mapper.constructType(bean.getClass()))
                .findProperties()
                .stream()
                .filter(property -> property.getInternalName().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static boolean isUnwrapped(@Nullable BeanPropertyDefinition property) {
        AnnotatedMember member = property == null ? null : property.getPrimaryMember();
        return member != null
                && KubernetesJson.mapper()
                                .getSerializationConfig()
                                .getAnnotationIntrospector()
                                .findUnwrappingNameTransformer(member)
                        != null;
    }

    private static @Nullable Object value(@Nullable Object bean, @Nullable AnnotatedMember member) {
        if (bean == null || member == null) {
            return null;
        }
        member.fixAccess(true);
        return member.getValue(bean);
    }
}
