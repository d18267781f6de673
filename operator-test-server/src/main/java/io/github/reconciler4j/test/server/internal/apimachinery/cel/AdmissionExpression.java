package io.github.reconciler4j.test.server.internal.apimachinery.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.CelType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A compiled expression of a webhook or an admission policy. Immutable; safe for use by multiple threads. */
public final class AdmissionExpression {
    private static final Pattern MISSING_KEY =
            Pattern.compile("key '(.*)' is not present in map|Error resolving field '(.*)'\\. Field selections.*");

    private final String name;
    private final String text;
    private final CelType type;
    private final CelRuntime.Program program;
    private final List<AdmissionExpression> variables;

    AdmissionExpression(
            String name, String text, CelType type, CelRuntime.Program program, List<AdmissionExpression> variables) {
        this.name = name;
        this.text = text;
        this.type = type;
        this.program = program;
        this.variables = variables;
    }

    /** An expression that could not be evaluated. */
    public static final class EvaluationException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /** Create the exception with its message. */
        public EvaluationException(String message) {
            super(message, null, false, false);
        }

        @Override
        public String getMessage() {
            return String.valueOf(super.getMessage());
        }
    }

    CelType type() {
        return type;
    }

    /**
     * Return the value of the expression as JSON.
     *
     * @throws EvaluationException if it has none
     */
    public JsonNode evaluate(AdmissionExpressions.Input input) {
        Map<String, Object> values = new HashMap<>();
        values.put("object", value(input.object()));
        values.put("oldObject", value(input.old()));
        values.put("request", value(input.request()));
        values.put("namespaceObject", value(input.namespace()));
        values.put("params", value(input.params()));
        values.put("variables", new Variables(variables, values));
        return json(run(values));
    }

    private Object run(Map<String, Object> values) {
        try {
            return program.eval(values);
        } catch (CelEvaluationException | EvaluationException e) {
            throw new EvaluationException("expression '" + text + "' resulted in error: " + reason(e));
        }
    }

    private static String reason(Exception error) {
        String reason = CelRule.reason(error);
        Matcher missing = MISSING_KEY.matcher(reason);
        if (!missing.find()) {
            return reason;
        }
        return "no such key: " + (missing.group(1) == null ? missing.group(2) : missing.group(1));
    }

    /** Return a JSON value as expressions see it. */
    private static Object value(@Nullable JsonNode node) {
        if (node == null) {
            return NullValue.NULL_VALUE;
        }
        return switch (node.getNodeType()) {
            case OBJECT -> {
                Map<String, Object> map = new LinkedHashMap<>();
                node.properties().forEach(field -> map.put(field.getKey(), value(field.getValue())));
                yield map;
            }
            case ARRAY -> {
                List<Object> list = new ArrayList<>();
                node.forEach(item -> list.add(value(item)));
                yield list;
            }
            case NUMBER -> node.isIntegralNumber() ? (Object) node.longValue() : (Object) node.doubleValue();
            case BOOLEAN -> node.booleanValue();
            case STRING -> node.textValue();
            default -> NullValue.NULL_VALUE;
        };
    }

    private static JsonNode json(Object value) {
        if (value instanceof Map<?, ?> map) {
            ObjectNode object = Json.object();
            map.forEach((key, item) -> object.set(String.valueOf(key), json(item)));
            return object;
        }
        if (value instanceof List<?> list) {
            ArrayNode array = Json.array();
            list.forEach(item -> array.add(json(item)));
            return array;
        }
        ArrayNode holder = Json.array();
        if (value instanceof Boolean truth) {
            holder.add(truth);
        } else if (value instanceof Long number) {
            holder.add(number);
        } else if (value instanceof UnsignedLong number) {
            holder.add(number.bigIntegerValue());
        } else if (value instanceof Double number) {
            holder.add(number);
        } else if (value instanceof CelByteString bytes) {
            holder.add(Base64.getEncoder().encodeToString(bytes.toByteArray()));
        } else if (value instanceof NullValue || value instanceof Optional<?> optional && optional.isEmpty()) {
            holder.addNull();
        } else if (value instanceof Optional<?> optional) {
            holder.add(json(optional.get()));
        } else {
            holder.add(String.valueOf(value));
        }
        return holder.get(0);
    }

    /** The values of variables, each evaluated when an expression names it first. For one thread. */
    private static final class Variables extends AbstractMap<String, Object> {
        private final Map<String, AdmissionExpression> expressions = new LinkedHashMap<>();
        private final Map<String, Object> known = new HashMap<>();
        private final Map<String, Object> values;

        Variables(List<AdmissionExpression> expressions, Map<String, Object> values) {
            this.values = values;
            expressions.forEach(expression -> this.expressions.put(expression.name, expression));
        }

        @Override
        public boolean containsKey(@Nullable Object key) {
            return expressions.containsKey(key);
        }

        @Override
        public @Nullable Object get(@Nullable Object key) {
            AdmissionExpression expression = expressions.get(key);
            if (expression == null) {
                return null;
            }
            Object value = known.get(expression.name);
            if (value == null) {
                Map<String, Object> inner = new HashMap<>(values);
                inner.put("variables", this);
                value = expression.run(inner);
                known.put(expression.name, value);
            }
            return value;
        }

        @Override
        public Set<Entry<String, Object>> entrySet() {
            Set<Entry<String, Object>> entries = new LinkedHashSet<>();
            expressions.keySet().forEach(key -> entries.add(Map.entry(key, String.valueOf(get(key)))));
            return entries;
        }
    }
}
