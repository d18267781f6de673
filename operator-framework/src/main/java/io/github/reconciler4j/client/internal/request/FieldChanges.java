package io.github.reconciler4j.client.internal.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.github.reconciler4j.client.ObservedWrite.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Finds the fields in which two trees differ, and masks confidential values. */
final class FieldChanges {

    private static final Pattern CONFIDENTIAL =
            Pattern.compile("(?i).*(password|passwd|passphrase|token|secret|credential|private|api_?key).*");
    private static final int LONGEST = 200;
    private static final int CONTEXT = 20;
    private static final String MASK = "***";

    private final List<Change> changes = new ArrayList<>();
    private final boolean isSecret;

    private FieldChanges(boolean isSecret) {
        this.isSecret = isSecret;
    }

    /**
     * Return the fields that differ, in order of their paths.
     *
     * @param isSecret whether to mask all data
     */
    static List<Change> between(JsonNode before, JsonNode after, boolean isSecret) {
        FieldChanges changes = new FieldChanges(isSecret);
        changes.compare("", false, before, after);
        return changes.changes;
    }

    /** Compare two values; {@code hidden} if a parent is confidential, and so all that it contains. */
    private void compare(String path, boolean hidden, JsonNode before, JsonNode after) {
        if (before.equals(after)) {
            return;
        }
        if (isObjectOrMissing(before) && isObjectOrMissing(after)) {
            compareMembers(path, hidden, before, after);
        } else if (hasNames(before) && hasNames(after)) {
            compareNamed(path, hidden, before, after);
        } else if (before.isArray() && after.isArray() && before.size() == after.size()) {
            for (int i = 0; i < before.size(); i++) {
                boolean hide = hidden || hasConfidentialName(before.path(i)) || hasConfidentialName(after.path(i));
                compare(path + "[" + i + "]", hide, before.path(i), after.path(i));
            }
        } else {
            changes.add(new Change(path, show(hidden, before, after), show(hidden, after, before)));
        }
    }

    /** An empty object can mean something, as a selector or a source of a volume; the maps of the metadata mean nothing then. */
    private void compareMembers(String path, boolean hidden, JsonNode before, JsonNode after) {
        if (before.isEmpty() && after.isEmpty() && !path.isEmpty() && !path.startsWith("metadata")) {
            changes.add(new Change(path, show(hidden, before, after), show(hidden, after, before)));
        }
        for (String name : names(before, after)) {
            String member = path.isEmpty() ? name : path + "." + name;
            compare(member, hidden || isConfidential(member, name), before.path(name), after.path(name));
        }
    }

    /** Returns whether it is a list of objects with different names, such as containers and variables. */
    private static boolean hasNames(JsonNode list) {
        Set<String> names = new TreeSet<>();
        list.forEach(entry -> names.add(entry.path("name").asText("")));
        return list.isArray() && !list.isEmpty() && names.size() == list.size() && !names.contains("");
    }

    private void compareNamed(String path, boolean hidden, JsonNode before, JsonNode after) {
        List<String> old = entryNames(before);
        List<String> current = entryNames(after);
        List<String> kept = old.stream().filter(current::contains).toList();
        if (!kept.equals(current.stream().filter(old::contains).toList())) {
            changes.add(new Change(path, "order " + String.join(", ", old), "order " + String.join(", ", current)));
        }
        Set<String> names = new TreeSet<>(old);
        names.addAll(current);
        for (String name : names) {
            boolean hide = hidden || CONFIDENTIAL.matcher(name).matches();
            compare(path + "[" + name + "]", hide, named(before, name), named(after, name));
        }
    }

    private static List<String> entryNames(JsonNode list) {
        List<String> names = new ArrayList<>();
        list.forEach(entry -> names.add(entry.path("name").asText()));
        return names;
    }

    private static JsonNode named(JsonNode list, String name) {
        for (JsonNode entry : list) {
            if (entry.path("name").asText().equals(name)) {
                return entry;
            }
        }
        return MissingNode.getInstance();
    }

    private static boolean isObjectOrMissing(JsonNode node) {
        return node.isObject() || node.isMissingNode();
    }

    private static Set<String> names(JsonNode before, JsonNode after) {
        Set<String> names = new TreeSet<>();
        before.fieldNames().forEachRemaining(names::add);
        after.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** Return a value, or the part of a long one where it differs from another first. */
    private static String show(boolean hidden, JsonNode value, JsonNode other) {
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        if (hidden || holdsConfidential(value)) {
            return MASK;
        }
        String text = value.toString();
        return text.length() <= LONGEST ? text : cut(text, firstDifference(text, other.toString()));
    }

    private static int firstDifference(String text, String other) {
        int at = 0;
        while (at < text.length() && at < other.length() && text.charAt(at) == other.charAt(at)) {
            at++;
        }
        return at;
    }

    private static String cut(String text, int difference) {
        int start = difference + CONTEXT < LONGEST ? 0 : Math.min(difference - CONTEXT, text.length() - CONTEXT);
        start += Character.isLowSurrogate(text.charAt(start)) ? 1 : 0;
        int end = Math.min(start + LONGEST, text.length());
        end -= Character.isHighSurrogate(text.charAt(end - 1)) ? 1 : 0;
        return (start == 0 ? "" : "...") + text.substring(start, end) + (end == text.length() ? "" : "...");
    }

    /** A list or object that is shown as a whole is masked if it contains anything confidential. */
    private static boolean holdsConfidential(JsonNode value) {
        for (JsonNode child : value) {
            if (value.isArray() && hasConfidentialName(child) || holdsConfidential(child)) {
                return true;
            }
        }
        for (String name : names(value, value)) {
            if (CONFIDENTIAL.matcher(name).matches()) {
                return true;
            }
        }
        return false;
    }

    /** The name of an environment variable is a value, not the name of a field. */
    private static boolean hasConfidentialName(JsonNode entry) {
        return CONFIDENTIAL.matcher(entry.path("name").asText("")).matches();
    }

    private boolean isConfidential(String path, String field) {
        if (isSecret) {
            return path.startsWith("data") || path.startsWith("stringData") || path.startsWith("metadata.annotations.");
        }
        // The last applied configuration of kubectl repeats the whole object.
        return CONFIDENTIAL.matcher(field).matches() || field.startsWith("kubectl.kubernetes.io/");
    }
}
