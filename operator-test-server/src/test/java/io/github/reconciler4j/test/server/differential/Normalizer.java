package io.github.reconciler4j.test.server.differential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Takes out of answers what cannot be the same on two servers, and keeps what can: uids and resource versions get
 * numbers in the order in which they appear, so that the same one twice, or a new one, still shows. Times, tokens and
 * random ends of names become words. For one run on one server, so for one thread.
 */
final class Normalizer {
    /** Lists whose order is that of a hash table, or of seconds. */
    private static final Set<String> UNORDERED = Set.of("causes", "managedFields");

    /** Conditions of a definition, each written by a thread of its own in the API server: whichever is first. */
    private static final Set<String> OF_DEFINITIONS =
            Set.of("NamesAccepted", "Established", "KubernetesAPIApprovalPolicyConformant");

    private static final Pattern UID = Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final Pattern ADDRESS = Pattern.compile("\\b10\\.\\d+\\.\\d+\\.\\d+\\b");
    private static final Pattern TIME = Pattern.compile("20[2-9]\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");
    private static final Pattern TOO_LARGE = Pattern.compile("(Too large resource version: \\d+, current: )\\d+");
    private static final Pattern TOO_OLD = Pattern.compile("(too old resource version: )\\d+ \\(\\d+\\)");
    private static final Pattern RECORD = Pattern.compile("(ResourceVersion in record \\()(\\d+)");
    private static final Pattern VERSION_IN_TEXT = Pattern.compile("(?<=[( \"])\\d+(?=[) \".]|$)");
    private static final Pattern MADE_NAME = Pattern.compile("(Bad_|gen-|a{58})[bcdfghjklmnpqrstvwxz2456789]{5}");
    private static final Pattern AGE = Pattern.compile("\\d+(s|ms|m\\d*s?)");

    private final Map<String, String> uids = new HashMap<>();
    private final Map<String, String> versions = new HashMap<>();
    private final Set<String> listVersions = new HashSet<>();
    private final Map<String, String> names = new HashMap<>();

    JsonNode normalize(JsonNode tree) {
        rememberNames(tree);
        return node("", tree);
    }

    private void rememberNames(JsonNode tree) {
        JsonNode base = tree.at("/metadata/generateName");
        String name = tree.at("/metadata/name").asText();
        if (base.isTextual() && !name.isEmpty() && name.startsWith(base.asText())) {
            names.put(name, base.asText() + "<random>");
        }
        tree.forEach(this::rememberNames);
    }

    private JsonNode node(String key, JsonNode node) {
        if (node.isObject()) {
            ObjectNode result = JsonNodeFactory.instance.objectNode();
            boolean listMeta = isListMeta(key, node);
            Map<String, JsonNode> sorted = new TreeMap<>();
            node.properties().forEach(field -> sorted.put(field.getKey(), field.getValue()));
            sorted.forEach((name, value) -> {
                boolean listVersion = listMeta && name.equals("resourceVersion");
                result.set(words(name), listVersion ? listVersion(value) : node(name, value));
            });
            return result;
        }
        if (node.isArray()) {
            ArrayNode result = JsonNodeFactory.instance.arrayNode();
            List<JsonNode> items = new ArrayList<>();
            node.forEach(item -> items.add(node(key, item)));
            if (UNORDERED.contains(key) || isOfDefinition(key, items)) {
                items.sort(Comparator.comparing(JsonNode::toString));
            }
            return result.addAll(items);
        }
        return node.isTextual() ? TextNode.valueOf(text(key, node.asText())) : node;
    }

    private static boolean isOfDefinition(String key, List<JsonNode> items) {
        return key.equals("conditions")
                && items.stream()
                        .anyMatch(item ->
                                OF_DEFINITIONS.contains(item.path("type").asText()));
    }

    /** The metadata of lists and bookmarks have versions of the whole server, where anything may have happened. */
    private static boolean isListMeta(String key, JsonNode node) {
        return key.equals("metadata") && !node.has("name") && !node.has("uid");
    }

    private JsonNode listVersion(JsonNode version) {
        String text = version.asText();
        listVersions.add(text);
        return TextNode.valueOf(text.isEmpty() || text.equals("0") ? text : "<version>");
    }

    private String text(String key, String text) {
        switch (key) {
            case "resourceVersion":
                return text.matches("[1-9]\\d*") ? version(text) : text;
            case "continue":
            case "token":
                return text.isEmpty() ? text : "<" + key + ">";
            case "cells":
                return AGE.matcher(text).matches() ? "<age>" : words(text);
            default:
                return words(text);
        }
    }

    private String version(String text) {
        return versions.computeIfAbsent(text, version -> "version-" + (versions.size() + 1));
    }

    /** Replaces what varies inside a text. */
    String words(String text) {
        String result = UID.matcher(text)
                .replaceAll(found -> uids.computeIfAbsent(found.group(), uid -> "uid-" + (uids.size() + 1)));
        result = ADDRESS.matcher(result).replaceAll("<address>");
        result = TIME.matcher(result).replaceAll(found -> found.group(1) == null ? "<time>" : "<microtime>");
        result = TOO_LARGE.matcher(result).replaceAll("$1<version>");
        result = TOO_OLD.matcher(result).replaceAll("$1<version> (<version>)");
        result = MADE_NAME.matcher(result).replaceAll("$1<random>");
        result = RECORD.matcher(result).replaceAll(found -> found.group(1) + version(found.group(2)));
        result = VERSION_IN_TEXT.matcher(result).replaceAll(this::known);
        for (Map.Entry<String, String> name : names.entrySet()) {
            result = result.replace(name.getKey(), name.getValue());
        }
        return result;
    }

    private String known(MatchResult number) {
        String text = number.group();
        return versions.getOrDefault(text, listVersions.contains(text) ? "<version>" : text);
    }
}
