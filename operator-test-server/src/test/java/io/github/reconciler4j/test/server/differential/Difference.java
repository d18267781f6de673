package io.github.reconciler4j.test.server.differential;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A place where two servers answered differently.
 *
 * @param where the transcript, the number of the answer, and a JSON pointer into what was seen
 * @param request what was asked
 * @param real what the real server said there
 * @param ours what the server inside the JVM said there
 */
record Difference(String where, String request, String real, String ours) {
    private static final int SHOWN = 3000;

    /** All differences between what was seen at one step. */
    static List<Difference> between(String where, String request, JsonNode real, JsonNode ours) {
        List<Difference> found = new ArrayList<>();
        if (!real.path("status").equals(ours.path("status"))) {
            found.add(new Difference(where + "/status", request, shown(real), shown(ours)));
        } else {
            compare(where, request, real, ours, found);
        }
        return found;
    }

    private static void compare(String where, String request, JsonNode real, JsonNode ours, List<Difference> found) {
        if (real.isObject() && ours.isObject()) {
            Set<String> fields = new TreeSet<>();
            real.fieldNames().forEachRemaining(fields::add);
            ours.fieldNames().forEachRemaining(fields::add);
            fields.forEach(field -> compare(
                    where + "/" + field.replace("~", "~0").replace("/", "~1"),
                    request,
                    real.path(field),
                    ours.path(field),
                    found));
        } else if (real.isArray() && ours.isArray() && real.size() == ours.size()) {
            for (int i = 0; i < real.size(); i++) {
                compare(where + "/" + i, request, real.get(i), ours.get(i), found);
            }
        } else if (!real.equals(ours)) {
            found.add(new Difference(where, request, shown(real), shown(ours)));
        }
    }

    private static String shown(JsonNode node) {
        String text = node.isMissingNode() ? "(absent)" : node.toString();
        return text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text;
    }

    @Override
    public String toString() {
        return where + "\n    " + request + "\n    real: " + real + "\n    ours: " + ours;
    }
}
