package io.github.reconciler4j.generator.output;

import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.operator.Switch;
import java.util.LinkedHashMap;
import java.util.Map;

/** The values of switches, nested as their paths say. */
final class SwitchValues {

    private SwitchValues() {}

    /** Returns the lines of a switch, and remembers its path. */
    static String text(Switch one, Map<String, Object> known) {
        String[] path = one.value().split("\\.");
        if (known.putIfAbsent(path[0], new LinkedHashMap<>()) != null) {
            throw new GeneratorException(
                    "Several switches start with '" + path[0] + "': give each its own first part (R4J-706)");
        }
        StringBuilder text = new StringBuilder();
        String margin = "";
        for (int i = 0; i < path.length; i++) {
            if (i == path.length - 1) {
                text.append(margin).append("# ").append(one.description()).append('\n');
            }
            text.append(margin).append(path[i]).append(i == path.length - 1 ? ": true\n" : ":\n");
            margin += "  ";
        }
        return text.toString();
    }
}
