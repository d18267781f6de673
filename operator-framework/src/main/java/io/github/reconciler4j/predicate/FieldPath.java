package io.github.reconciler4j.predicate;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.support.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The path of a field: names separated by dots, with {@code ['name']} for a name that has dots itself, and {@code [0]} for an item
 * of a list. Immutable.
 *
 * @param text the path as it was written
 * @param steps names, and indexes as digits
 */
record FieldPath(String text, List<String> steps) {

    private static final Pattern STEP = Pattern.compile(
            "\\G(?:(?:^|(?<!^)\\.)(?<name>[A-Za-z_$][-A-Za-z0-9_$]*)|\\['(?<quoted>[^']+)']|\\[(?<index>[0-9]{1,9})])");

    /**
     * Parse a path.
     *
     * @throws IllegalArgumentException if it is not a path
     */
    static FieldPath parse(String text) {
        List<String> steps = new ArrayList<>();
        Matcher matcher = STEP.matcher(text);
        int end = 0;
        while (matcher.find()) {
            steps.add(Optional.ofNullable(matcher.group("name"))
                    .or(() -> Optional.ofNullable(matcher.group("quoted")))
                    .orElseGet(() -> matcher.group("index")));
            end = matcher.end();
        }
        if (steps.isEmpty() || end != text.length()) {
            throw new IllegalArgumentException(
                    "'paths' must be the names of fields with dots between them, such as spec.tls or"
                            + " metadata.annotations['example.com/a'], was '" + Texts.escaped(text) + "'");
        }
        return new FieldPath(text, List.copyOf(steps));
    }

    /** Return the value in an object, a missing node if it has none. */
    JsonNode in(JsonNode object) {
        JsonNode value = object;
        for (String step : steps) {
            value = value.isArray() && isIndex(step) ? value.path(Integer.parseInt(step)) : value.path(step);
        }
        return value;
    }

    private static boolean isIndex(String step) {
        return step.chars().allMatch(Character::isDigit);
    }

    /**
     * Check that objects of a class can have the field.
     *
     * @throws IllegalArgumentException if a class on the path has no such field, and keeps no fields that it does not know
     */
    void check(Class<?> type) {
        ObjectMapper mapper = KubernetesJson.mapper();
        JavaType owner = mapper.constructType(type);
        for (String step : steps) {
            if (owner.isContainerType()) {
                owner = owner.getContentType();
                continue;
            }
            if (owner.hasRawClass(Object.class) || JsonNode.class.isAssignableFrom(owner.getRawClass())) {
                return;
            }
            BeanDescription bean = mapper.getSerializationConfig().introspect(owner);
            Optional<JavaType> field = bean.findProperties().stream()
                    .filter(property -> property.getName().equals(step))
                    .map(BeanPropertyDefinition::getPrimaryType)
                    .findFirst();
            if (field.isEmpty()) {
                requireOthers(bean, step);
                return;
            }
            owner = field.get();
        }
    }

    private void requireOthers(BeanDescription bean, String step) {
        if (bean.findAnyGetter() == null) {
            throw new IllegalArgumentException("The path '" + text + "' leads nowhere: "
                    + bean.getBeanClass().getSimpleName() + " has no field '" + step + "'");
        }
    }
}
