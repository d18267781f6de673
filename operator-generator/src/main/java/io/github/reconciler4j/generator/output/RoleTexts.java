package io.github.reconciler4j.generator.output;

import io.github.reconciler4j.generator.operator.Grant;
import io.github.reconciler4j.generator.operator.Switch;
import io.github.reconciler4j.generator.rbac.PolicyRules;
import io.github.reconciler4j.generator.rbac.Right;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Rules of roles as text, one line for each list, with the conditions of a chart around those that need a switch. */
final class RoleTexts {

    private RoleTexts() {}

    /** Returns rules for a chart. */
    static String chartRules(List<Grant> grants, UnaryOperator<String> names) {
        Map<List<Switch>, List<Right>> bySwitches = new LinkedHashMap<>();
        grants.forEach(grant -> bySwitches
                .computeIfAbsent(grant.switches(), absent -> new ArrayList<>())
                .add(grant.right()));
        StringBuilder text = new StringBuilder();
        bySwitches.forEach((switches, rights) -> {
            String rules = rules(rights, names);
            text.append(
                    switches.isEmpty() ? rules : "{{- if " + condition(switches) + " }}\n" + rules + "{{- end }}\n");
        });
        return text.toString();
    }

    private static String condition(List<Switch> switches) {
        String values = switches.stream().map(one -> "$.Values." + one.value()).collect(Collectors.joining(" "));
        return switches.size() == 1 ? values : "and " + values;
    }

    /** Returns rules with all switches on. */
    static String rules(List<Right> rights, UnaryOperator<String> names) {
        StringBuilder text = new StringBuilder();
        for (Map<String, Object> rule : PolicyRules.of(rights)) {
            String dash = "- ";
            for (Map.Entry<String, Object> entry : rule.entrySet()) {
                UnaryOperator<String> form = entry.getKey().equals("resourceNames") ? names : RoleTexts::quoted;
                text.append(dash)
                        .append(entry.getKey())
                        .append(": ")
                        .append(((List<?>) entry.getValue())
                                .stream().map(String::valueOf).map(form).collect(Collectors.joining(", ", "[", "]")))
                        .append('\n');
                dash = "  ";
            }
        }
        return text.toString();
    }

    static String quoted(String value) {
        return '"' + value + '"';
    }
}
