package io.github.reconciler4j.test.server.internal.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.registry.CustomVersion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The columns that a CustomResourceDefinition asks for; name and age when it asks for none. */
final class CustomColumns implements Columns {
    private static final JsonNode AGE = Json.object()
            .put("name", "Age")
            .put("type", "date")
            .put("jsonPath", ".metadata.creationTimestamp")
            .put("description", "CreationTimestamp is the time at which the server created it.");

    private final List<JsonNode> wanted;

    CustomColumns(CustomVersion version) {
        wanted = version.columns().isEmpty() ? List.of(AGE) : version.columns();
    }

    @Override
    public List<Column> columns() {
        List<Column> columns = new ArrayList<>();
        columns.add(PlainColumns.NAME);
        for (JsonNode column : wanted) {
            String description = Json.text(column, "description");
            String path = Json.text(column, "jsonPath");
            columns.add(new Column(
                    Json.text(column, "name"),
                    Json.text(column, "type"),
                    Json.text(column, "format"),
                    description.isEmpty()
                            ? "Custom resource definition column (in JSONPath format): " + path
                            : description,
                    (int) Json.number(column, 0, "priority")));
        }
        return columns;
    }

    @Override
    public List<JsonNode> cells(ObjectNode object, Instant now) {
        List<JsonNode> cells = new ArrayList<>();
        cells.add(TextNode.valueOf(Json.text(object, "metadata", "name")));
        for (JsonNode column : wanted) {
            JsonNode value = ColumnPath.find(object, Json.text(column, "jsonPath"));
            cells.add(value == null ? NullNode.getInstance() : cell(Json.text(column, "type"), value, now));
        }
        return cells;
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
        String age = Ages.since(text, now);
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
