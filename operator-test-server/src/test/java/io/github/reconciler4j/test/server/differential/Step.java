package io.github.reconciler4j.test.server.differential;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * One step of a transcript: a request, the opening of a watch, or the reading of its events. Immutable.
 *
 * @param verb {@code GET}, {@code POST} and so on, {@code WATCH} (opens it), or {@code READ} (takes events from it)
 * @param target the path with its query, or the name of the watch
 * @param options everything else, as the transcript has it
 */
record Step(String verb, String target, JsonNode options) {
    private static final Set<String> OPTIONS = Set.of(
            "body", "raw", "base", "with", "type", "accept", "headers", "user", "save", "until", "only", "ignore", "as",
            "count", "end", "times");

    static Step of(JsonNode tree) {
        Map.Entry<String, JsonNode> first = tree.properties().iterator().next();
        tree.properties().stream().skip(1).map(Map.Entry::getKey).forEach(option -> {
            if (!OPTIONS.contains(option)) {
                throw new IllegalArgumentException("unknown option '" + option + "' in step " + tree);
            }
        });
        return new Step(first.getKey(), first.getValue().asText(), tree);
    }

    JsonNode option(String name) {
        return options.path(name);
    }

    String text(String name, String otherwise) {
        return options.path(name).asText(otherwise);
    }

    /** The texts in a list option; none when it is absent. */
    List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        options.path(name).forEach(item -> texts.add(item.asText()));
        return texts;
    }

    /** The entries of a map option. */
    Map<String, String> map(String name) {
        Map<String, String> map = new TreeMap<>();
        options.path(name)
                .properties()
                .forEach(entry -> map.put(entry.getKey(), entry.getValue().asText()));
        return map;
    }

    @Override
    public String toString() {
        return verb + " " + target;
    }
}
