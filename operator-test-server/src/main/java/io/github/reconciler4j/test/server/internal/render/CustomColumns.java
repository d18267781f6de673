package io.github.reconciler4j.test.server.internal.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.registry.CustomVersion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The columns that a CustomResourceDefinition declares; name and age if it declares none. */
final class CustomColumns {
    private static final JsonNode AGE = Json.object()
            .put("name", "Age")
            .put("type", "date")
            .put("jsonPath", ".metadata.creationTimestamp")
            .put("description", "CreationTimestamp is the time at which the server created it.");

    private CustomColumns() {}

    static List<Column> of(CustomVersion version) {
        List<Column> columns = new ArrayList<>();
        columns.add(Column.NAME);
        (version.columns().isEmpty() ? List.of(AGE) : version.columns()).forEach(column -> columns.add(column(column)));
        return columns;
    }

    private static Column column(JsonNode column) {
        String description = Json.text(column, "description");
        String path = Json.text(column, "jsonPath");
        String type = Json.text(column, "type");
        return new Column(
                Json.text(column, "name"),
                type,
                Json.text(column, "format"),
                description.isEmpty() ? "Custom resource definition column (in JSONPath format): " + path : description,
                (int) Json.number(column, 0, "priority"),
                (object, now) -> {
                    JsonNode value = ColumnPath.find(object, path);
                    return value == null ? NullNode.getInstance() : cell(type, value, now);
                });
    }

    private static JsonNode cell(String type, JsonNode value, Instant now) {
        JsonNode cell = switch (type) {
            case "string" -> TextNode.valueOf(value.isValueNode() ? value.asText() : value.toString());
            case "integer" -> value.isNumber() ? LongNode.valueOf(value.longValue()) : null;
            case "number" -> value.isNumber() ? DoubleNode.valueOf(value.doubleValue()) : null;
            case "boolean" -> value.isBoolean() ? value : null;
            case "date" -> value.isTextual() ? TextNode.valueOf(date(value.textValue(), now)) : null;
            default -> null;
        };
        return cell == null ? NullNode.getInstance() : cell;
    }

    private static String date(String text, Instant now) {
        String age = Column.Ages.since(text, now);
        return age.equals("<unknown>") && !text.isEmpty() ? "<invalid>" : age;
    }

    /** The simple JSON paths of columns: fields, indexes and conditions on a field of list items. */
    private static final class ColumnPath {
        private ColumnPath() {}

        static @Nullable JsonNode find(JsonNode object, String path) {
            JsonNode node = object;
            for (String step : steps(path)) {
                node = step(node, step);
                if (node == null) {
                    return null;
                }
            }
            return node.isNull() ? null : node;
        }

        private static List<String> steps(String path) {
            List<String> steps = new ArrayList<>();
            StringBuilder step = new StringBuilder();
            int depth = 0;
            for (char c : path.toCharArray()) {
                boolean boundary = depth == 0 && (c == '.' || c == '[');
                if (boundary && step.length() > 0) {
                    steps.add(step.toString());
                    step.setLength(0);
                }
                depth += c == '[' ? 1 : c == ']' ? -1 : 0;
                if (!(boundary && c == '.')) {
                    step.append(c);
                }
            }
            if (step.length() > 0) {
                steps.add(step.toString());
            }
            return steps;
        }

        private static @Nullable JsonNode step(JsonNode node, String step) {
            if (!step.startsWith("[")) {
                return node.get(step.replace("\\", ""));
            }
            String inside = step.substring(1, step.length() - 1).trim();
            if (inside.startsWith("?(@")) {
                return matching(node, inside.substring(3, inside.length() - 1));
            }
            if (inside.startsWith("'") || inside.startsWith("\"")) {
                return node.get(inside.substring(1, inside.length() - 1));
            }
            if (inside.equals("*")) {
                return node.get(0);
            }
            int index = Integer.parseInt(inside);
            return node.get(index < 0 ? node.size() + index : index);
        }

        private static @Nullable JsonNode matching(JsonNode list, String condition) {
            int equals = condition.indexOf("==");
            if (equals < 0) {
                return null;
            }
            String wanted = condition.substring(equals + 2).trim();
            String value = wanted.replaceAll("^['\"]|['\"]$", "");
            for (JsonNode item : list) {
                JsonNode actual = find(item, condition.substring(0, equals).trim());
                if (actual != null && actual.asText().equals(value)) {
                    return item;
                }
            }
            return null;
        }
    }
}
