package io.github.reconciler4j.generator.docs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The table of an object, and a section for each object in it. */
final class SchemaTables {

    private final StringBuilder page;

    SchemaTables(StringBuilder page) {
        this.page = page;
    }

    /**
     * Adds the table of an object, followed by the sections of the objects below it.
     *
     * @param path the path of the object in the kind; {@code ""} for the kind itself
     * @param left names that are not worth a row
     */
    void add(Map<?, ?> schema, String anchor, String path, List<String> left) {
        Map<String, Map<?, ?>> fields = new TreeMap<>();
        properties(schema).forEach((name, field) -> {
            if (field instanceof Map<?, ?> map && !left.contains(name)) {
                fields.put(String.valueOf(name), map);
            }
        });
        if (fields.isEmpty()) {
            return;
        }
        Collection<?> required = schema.get("required") instanceof Collection<?> names ? names : List.of();
        page.append(Markdown.head("Field", "Type", "Default", "Rules", "Description"));
        fields.forEach((name, field) -> {
            List<String> rules = new ArrayList<>();
            if (required.contains(name)) {
                rules.add("required");
            }
            rules.addAll(SchemaRules.of(field));
            page.append(Markdown.row(List.of(
                    Markdown.code(name),
                    type(field, Markdown.anchor(anchor, name)),
                    field.get("default") == null ? "" : SchemaRules.json(field.get("default")),
                    String.join("<br>", rules),
                    Markdown.text(String.valueOf(field.get("description") == null ? "" : field.get("description"))))));
        });
        page.append('\n');
        fields.forEach((name, field) -> addSection(field, Markdown.anchor(anchor, name), path + "." + name));
    }

    private void addSection(Map<?, ?> field, String anchor, String path) {
        Map<?, ?> inner = innermost(field);
        if (!properties(inner).isEmpty()) {
            page.append("<a id=\"").append(anchor).append("\"></a>\n\n");
            page.append("### ").append(Markdown.code(path + suffix(field))).append("\n\n");
            add(inner, anchor, path + suffix(field), List.of());
        }
    }

    private static String type(Map<?, ?> schema, String anchor) {
        if (schema.get("items") instanceof Map<?, ?> items) {
            return "list of " + type(items, anchor);
        }
        if (schema.get("additionalProperties") instanceof Map<?, ?> values) {
            return "map of " + type(values, anchor);
        }
        if (!properties(schema).isEmpty()) {
            return "[object](#" + anchor + ")" + unknown(schema, ", and any other field");
        }
        if (Boolean.TRUE.equals(schema.get("x-kubernetes-int-or-string"))) {
            return "integer or string";
        }
        if (Boolean.TRUE.equals(schema.get("x-kubernetes-embedded-resource"))) {
            return "Kubernetes object";
        }
        Object type = schema.get("type");
        if (type == null || "object".equals(type)) {
            return (type == null ? "any value" : "object") + unknown(schema, type == null ? "" : " with any fields");
        }
        Object format = schema.get("format");
        return Markdown.text(String.valueOf(type))
                + (format == null ? "" : " (" + Markdown.text(format.toString()) + ")");
    }

    private static String unknown(Map<?, ?> schema, String words) {
        boolean kept = Boolean.TRUE.equals(schema.get("x-kubernetes-preserve-unknown-fields"))
                || Boolean.TRUE.equals(schema.get("additionalProperties"));
        return kept ? words : "";
    }

    /** A field leads to one object at most, however many lists and maps are between them. */
    private static Map<?, ?> innermost(Map<?, ?> schema) {
        if (schema.get("items") instanceof Map<?, ?> items) {
            return innermost(items);
        }
        return schema.get("additionalProperties") instanceof Map<?, ?> values ? innermost(values) : schema;
    }

    private static String suffix(Map<?, ?> schema) {
        if (schema.get("items") instanceof Map<?, ?> items) {
            return "[]" + suffix(items);
        }
        return schema.get("additionalProperties") instanceof Map<?, ?> values ? "{}" + suffix(values) : "";
    }

    private static Map<?, ?> properties(Map<?, ?> schema) {
        return schema.get("properties") instanceof Map<?, ?> map ? map : Map.of();
    }
}
