package io.github.reconciler4j.generator.docs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A page in Markdown with the fields of an operator's kinds: their types, defaults, rules and descriptions. It depends on the
 * definitions only, so the same definitions give the same bytes. Texts of the definitions are escaped. Immutable and
 * thread-safe.
 *
 * @since 0.1.0
 */
public final class ApiPage {

    /** The second line of each page, which marks a page of the generator: people have written the others. */
    private static final String MARK =
            "<!-- Generated from the definitions of the operator. Changes are overwritten. -->";

    private final List<Map<String, Object>> definitions;

    /** Create a page of CustomResourceDefinitions, given as trees. The order does not matter. */
    public ApiPage(Collection<Map<String, Object>> definitions) {
        this.definitions = definitions.stream()
                .sorted(Comparator.comparing(definition -> text(map(definition, "metadata"), "name")))
                .toList();
    }

    /** Return whether a text is a page of the generator, which it can overwrite. */
    public static boolean isGenerated(String text) {
        return text.contains(MARK);
    }

    /** Return the page. */
    public String markdown() {
        StringBuilder page = new StringBuilder("# API\n\n" + MARK + "\n");
        page.append('\n').append(Markdown.head("Kind", "API version", "Scope", "Resource"));
        definitions.forEach(definition -> versions(definition)
                .forEach(version -> page.append(Markdown.row(List.of(
                        "[" + Markdown.text(kind(definition)) + "](#" + anchor(definition, version) + ")",
                        Markdown.code(apiVersion(definition, version)),
                        Markdown.text(text(map(definition, "spec"), "scope")),
                        Markdown.code(text(names(definition), "plural")))))));
        page.append('\n');
        definitions.forEach(
                definition -> versions(definition).forEach(version -> addVersion(page, definition, version)));
        return page.toString().stripTrailing() + "\n";
    }

    private static void addVersion(StringBuilder page, Map<?, ?> definition, Map<?, ?> version) {
        String anchor = anchor(definition, version);
        page.append("<a id=\"").append(anchor).append("\"></a>\n\n## ").append(Markdown.text(kind(definition)));
        page.append(' ').append(Markdown.text(text(version, "name"))).append("\n\n");
        Map<?, ?> schema = map(map(version, "schema"), "openAPIV3Schema");
        String description = text(schema, "description");
        if (!description.isBlank()) {
            page.append(Markdown.text(description)).append("\n\n");
        }
        facts(definition, version)
                .forEach(fact -> page.append("- ").append(fact).append('\n'));
        SchemaRules.of(schema)
                .forEach(rule -> page.append("- Rule: ").append(rule).append('\n'));
        page.append('\n');
        addColumns(page, version);
        new SchemaTables(page).add(schema, anchor, "", List.of("apiVersion", "kind"));
    }

    private static List<String> facts(Map<?, ?> definition, Map<?, ?> version) {
        Map<?, ?> names = names(definition);
        List<String> facts = new ArrayList<>();
        facts.add("API version: " + Markdown.code(apiVersion(definition, version)));
        facts.add("Scope: " + Markdown.text(text(map(definition, "spec"), "scope")));
        facts.add("Resource: " + Markdown.code(text(names, "plural")));
        addList(facts, "Short names: ", names.get("shortNames"));
        addList(facts, "Categories: ", names.get("categories"));
        if (version.get("subresources") instanceof Map<?, ?> subresources && !subresources.isEmpty()) {
            addList(
                    facts,
                    "Subresources: ",
                    subresources.keySet().stream().sorted().toList());
        }
        if (version.get("selectableFields") instanceof Collection<?> fields) {
            addList(
                    facts,
                    "Field selectors: ",
                    fields.stream()
                            .map(field -> text((Map<?, ?>) field, "jsonPath"))
                            .toList());
        }
        if (Boolean.TRUE.equals(version.get("storage")) && versions(definition).size() > 1) {
            facts.add("The API server stores objects in this version.");
        }
        if (Boolean.FALSE.equals(version.get("served"))) {
            facts.add("The API server does not serve this version.");
        }
        if (Boolean.TRUE.equals(version.get("deprecated"))) {
            String warning = text(version, "deprecationWarning");
            facts.add("Deprecated" + (warning.isBlank() ? "." : ": " + Markdown.text(warning)));
        }
        return facts;
    }

    private static void addList(List<String> facts, String title, @Nullable Object values) {
        if (values instanceof Collection<?> list && !list.isEmpty()) {
            facts.add(title + codes(list));
        }
    }

    private static String codes(Collection<?> values) {
        return values.stream()
                .map(value -> Markdown.code(String.valueOf(value)))
                .collect(Collectors.joining(", "));
    }

    private static void addColumns(StringBuilder page, Map<?, ?> version) {
        if (!(version.get("additionalPrinterColumns") instanceof Collection<?> columns) || columns.isEmpty()) {
            return;
        }
        page.append("Columns of `kubectl get`:\n\n")
                .append(Markdown.head("Column", "Type", "Path", "Shown", "Description"));
        for (Object column : columns) {
            Map<?, ?> map = (Map<?, ?>) column;
            boolean wide = map.get("priority") instanceof Number priority && priority.intValue() > 0;
            page.append(Markdown.row(List.of(
                    Markdown.text(text(map, "name")),
                    Markdown.text(text(map, "type")),
                    Markdown.code(text(map, "jsonPath")),
                    wide ? "with `-o wide`" : "always",
                    Markdown.text(text(map, "description")))));
        }
        page.append('\n');
    }

    private static List<Map<?, ?>> versions(Map<?, ?> definition) {
        List<Map<?, ?>> versions = new ArrayList<>();
        if (map(definition, "spec").get("versions") instanceof Collection<?> list) {
            list.forEach(version -> versions.add((Map<?, ?>) version));
        }
        return versions;
    }

    /** The anchor stays when versions, kinds or fields are added. */
    private static String anchor(Map<?, ?> definition, Map<?, ?> version) {
        String group = text(map(definition, "spec"), "group");
        return Markdown.anchor(Markdown.anchor(group, text(version, "name")), kind(definition));
    }

    private static String apiVersion(Map<?, ?> definition, Map<?, ?> version) {
        return text(map(definition, "spec"), "group") + "/" + text(version, "name");
    }

    private static String kind(Map<?, ?> definition) {
        return text(names(definition), "kind");
    }

    private static Map<?, ?> names(Map<?, ?> definition) {
        return map(map(definition, "spec"), "names");
    }

    private static Map<?, ?> map(Map<?, ?> tree, String key) {
        return tree.get(key) instanceof Map<?, ?> map ? map : Map.of();
    }

    private static String text(Map<?, ?> tree, String key) {
        return Objects.toString(tree.get(key), "");
    }
}
