package io.github.reconciler4j.test.server.differential;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The values that a transcript saved from answers; for one run on one server, so for one thread. */
final class Variables {
    private static final Pattern REFERENCE = Pattern.compile("\\$(?:\\{(\\w+)}|(ns|i|maps)\\b|\\{(.)\\*(\\d+)})");

    private final Map<String, JsonNode> saved = new HashMap<>();
    private final Map<String, String> texts = new HashMap<>();

    Variables(String namespace) {
        texts.put("ns", namespace);
        texts.put("maps", "/api/v1/namespaces/" + namespace + "/configmaps");
    }

    void put(String name, JsonNode value) {
        saved.put(name, value);
        texts.put(name, value.isValueNode() ? value.asText() : value.toString());
    }

    void put(String name, String value) {
        texts.put(name, value);
    }

    /** A saved tree. */
    JsonNode tree(String name) {
        JsonNode tree = saved.get(name);
        if (tree == null) {
            throw new IllegalStateException("nothing was saved as '" + name + "'");
        }
        return tree;
    }

    /** Fills in {@code $ns}, {@code $i}, {@code ${name}}, and {@code ${x*1000}}: a thousand times x. */
    String fill(String text) {
        Matcher matcher = REFERENCE.matcher(text);
        StringBuilder filled = new StringBuilder();
        while (matcher.find()) {
            matcher.appendReplacement(filled, Matcher.quoteReplacement(value(matcher)));
        }
        matcher.appendTail(filled);
        return filled.toString();
    }

    private String value(Matcher matcher) {
        if (matcher.group(3) != null) {
            return matcher.group(3).repeat(Integer.parseInt(matcher.group(4)));
        }
        String name = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        String value = texts.get(name);
        if (value == null) {
            throw new IllegalStateException("nothing was saved as '" + name + "'");
        }
        return value;
    }
}
