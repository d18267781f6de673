package io.github.reconciler4j.generator.output;

import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.yaml.Yaml;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.CollectionNode;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * {@code values.yaml}, which people own: values that the templates need and the file lacks are added with their comments
 * where they belong, and every other line stays as it is.
 */
final class ValuesFile {

    private final List<String> lines;
    private final String origin;
    private final @Nullable MappingNode root;

    private ValuesFile(String text, String origin) {
        lines = new ArrayList<>(Arrays.asList(text.split("\n", -1)));
        if (!lines.isEmpty() && lines.get(lines.size() - 1).isEmpty()) {
            lines.remove(lines.size() - 1);
        }
        this.origin = origin;
        root = parse(text, origin);
    }

    private static @Nullable MappingNode parse(String text, String origin) {
        Yaml.readAll(text, origin); // refuses what the library composes only with other errors than its own
        try {
            LoadSettings settings = LoadSettings.builder()
                    .setLabel(origin)
                    .setCodePointLimit(Integer.MAX_VALUE)
                    .setBufferSize(text.length() + 1024) // see Yaml
                    .build();
            Optional<Node> node = new Compose(settings).composeString(text);
            if (node.isPresent() && !(node.get() instanceof MappingNode)) {
                throw new GeneratorException(origin + " must be a map of values");
            }
            return (MappingNode) node.orElse(null);
        } catch (YamlEngineException e) {
            throw new GeneratorException(origin + " is not valid YAML: " + e.getMessage(), e);
        }
    }

    /** Returns what people have, completed by what the template has besides. */
    static String merge(String current, String template, String origin) {
        ValuesFile wanted = new ValuesFile(template, "the template of values");
        ValuesFile result = new ValuesFile(current, origin);
        Map<String, Node> top = entries(wanted.root);
        for (String key : List.copyOf(top.keySet())) {
            result = result.with(wanted, wanted.root, key, List.of());
        }
        return String.join("\n", result.lines) + "\n";
    }

    /** Adds a key of a map of the template, or what is missing below it. */
    private ValuesFile with(ValuesFile template, @Nullable MappingNode map, String key, List<String> path) {
        Node wanted = entries(map).get(key);
        MappingNode mine = find(path);
        Map<String, Node> present = entries(mine);
        if (!present.containsKey(key)) {
            return inserted(template.block(map, key), mine, path);
        }
        ValuesFile result = this;
        if (!ValuesSchema.isPart(key)
                && wanted instanceof MappingNode nested
                && present.get(key) instanceof MappingNode open
                && open.getFlowStyle() == FlowStyle.BLOCK) {
            List<String> below = new ArrayList<>(path);
            below.add(key);
            for (String child : entries(nested).keySet()) {
                result = result.with(template, nested, child, below);
            }
        }
        return result;
    }

    private ValuesFile inserted(List<String> block, @Nullable MappingNode map, List<String> path) {
        List<String> changed = new ArrayList<>(lines);
        if (path.isEmpty()) {
            if (!changed.isEmpty()) {
                changed.add("");
            }
            changed.addAll(block);
        } else if (map != null) {
            int column = column(map);
            int shift = column - indentation(block);
            List<String> moved = block.stream()
                    .map(line -> line.isEmpty() ? line : moved(line, shift))
                    .toList();
            changed.addAll(lastLine(map) + 1, moved);
        }
        return new ValuesFile(String.join("\n", changed) + "\n", origin);
    }

    private static String moved(String line, int shift) {
        return shift >= 0 ? " ".repeat(shift) + line : line.substring(-shift);
    }

    private static int indentation(List<String> block) {
        String line = block.get(0);
        return line.length() - line.stripLeading().length();
    }

    private @Nullable MappingNode find(List<String> path) {
        MappingNode node = root;
        for (String key : path) {
            node = entries(node).get(key) instanceof MappingNode map ? map : null;
        }
        return node;
    }

    private static Map<String, Node> entries(@Nullable MappingNode map) {
        Map<String, Node> entries = new LinkedHashMap<>();
        if (map != null) {
            for (NodeTuple tuple : map.getValue()) {
                if (tuple.getKeyNode() instanceof ScalarNode key) {
                    entries.put(key.getValue(), tuple.getValueNode());
                }
            }
        }
        return entries;
    }

    /** The lines of a key with its value and the comment above it. */
    private List<String> block(@Nullable MappingNode map, String key) {
        if (map != null) {
            for (NodeTuple tuple : map.getValue()) {
                if (tuple.getKeyNode() instanceof ScalarNode name
                        && name.getValue().equals(key)) {
                    int first = line(tuple.getKeyNode().getStartMark());
                    while (first > 0 && lines.get(first - 1).strip().startsWith("#")) {
                        first--;
                    }
                    return lines.subList(first, lastLine(tuple.getValueNode()) + 1);
                }
            }
        }
        throw new IllegalStateException("no key " + key);
    }

    private static int column(MappingNode map) {
        return map.getValue()
                .get(0)
                .getKeyNode()
                .getStartMark()
                .map(Mark::getColumn)
                .orElse(0);
    }

    private static int line(Optional<Mark> mark) {
        return mark.map(Mark::getLine).orElse(0);
    }

    /** The last line of a node; the parser puts the end of a block after the blank lines and comments that follow. */
    private int lastLine(Node node) {
        if (node instanceof MappingNode map
                && map.getFlowStyle() == FlowStyle.BLOCK
                && !map.getValue().isEmpty()) {
            NodeTuple last = map.getValue().get(map.getValue().size() - 1);
            return Math.max(line(last.getKeyNode().getEndMark()), lastLine(last.getValueNode()));
        }
        if (node instanceof CollectionNode<?> list
                && list.getFlowStyle() == FlowStyle.BLOCK
                && !list.getValue().isEmpty()
                && list.getValue().get(list.getValue().size() - 1) instanceof Node item) {
            return lastLine(item);
        }
        Mark end = node.getEndMark().orElseThrow();
        int line = end.getColumn() == 0 && end.getLine() > 0 ? end.getLine() - 1 : end.getLine();
        while (line > line(node.getStartMark())
                && (line >= lines.size() || lines.get(line).isBlank())) {
            line--;
        }
        return line;
    }

    /** Returns the values of a text. */
    static Map<String, Object> values(String text, String origin) {
        List<Map<String, Object>> documents = Yaml.readAll(text, origin);
        return documents.isEmpty() ? Map.of() : documents.get(0);
    }
}
