package io.github.reconciler4j.generator.rbac;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Rules of a role in their normal form: as few rules as possible without granting more, verbs in the order people expect,
 * everything else by name. The same rights always give the same text.
 *
 * @since 0.1.0
 */
public final class PolicyRules {

    private static final List<String> VERBS =
            List.of("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection");

    private PolicyRules() {}

    /**
     * Return the rules that grant exactly these rights, as trees. A right for one name is left out if all names have it.
     */
    public static List<Map<String, Object>> of(Collection<Right> rights) {
        Map<List<String>, TreeSet<String>> verbs = new TreeMap<>(Comparator.comparing(String::valueOf));
        TreeSet<Right> all = new TreeSet<>(rights);
        for (Right right : all) {
            if (right.name().isEmpty() || !all.contains(new Right(right.group(), right.resource(), "", right.verb()))) {
                verbs.computeIfAbsent(
                                List.of(right.group(), right.resource(), right.name()),
                                absent -> new TreeSet<>(verbOrder()))
                        .add(right.verb());
            }
        }
        Map<List<?>, TreeSet<String>> names = new LinkedHashMap<>();
        verbs.forEach((key, value) -> names.computeIfAbsent(
                        List.of(
                                key.get(0),
                                key.get(1),
                                List.copyOf(value),
                                key.get(2).isEmpty()),
                        absent -> new TreeSet<>())
                .add(key.get(2)));
        Map<List<?>, TreeSet<String>> resources = new LinkedHashMap<>();
        names.forEach((key, value) -> resources
                .computeIfAbsent(List.of(key.get(0), key.get(2), List.copyOf(value)), absent -> new TreeSet<>())
                .add(String.valueOf(key.get(1))));
        List<Map<String, Object>> rules = new ArrayList<>();
        resources.forEach((key, value) -> rules.add(rule(key, value)));
        return rules;
    }

    /** Return the rights that rules grant. Wildcards stay as they are; rules for paths grant none. */
    public static Set<Right> rights(Collection<? extends Map<?, ?>> rules) {
        Set<Right> rights = new TreeSet<>();
        for (Map<?, ?> rule : rules) {
            for (String group : strings(rule.get("apiGroups"))) {
                for (String resource : strings(rule.get("resources"))) {
                    for (String verb : strings(rule.get("verbs"))) {
                        List<String> names = strings(rule.get("resourceNames"));
                        (names.isEmpty() ? List.of("") : names)
                                .forEach(name -> rights.add(new Right(group, resource, name, verb)));
                    }
                }
            }
        }
        return rights;
    }

    private static List<String> strings(@Nullable Object list) {
        return list instanceof List<?> items
                ? items.stream().map(String::valueOf).toList()
                : List.of();
    }

    private static Map<String, Object> rule(List<?> key, Collection<String> resources) {
        Map<String, Object> rule = new LinkedHashMap<>();
        rule.put("apiGroups", List.of(key.get(0)));
        rule.put("resources", List.copyOf(resources));
        if (!key.get(2).equals(List.of(""))) {
            rule.put("resourceNames", key.get(2));
        }
        rule.put("verbs", key.get(1));
        return rule;
    }

    private static Comparator<String> verbOrder() {
        return Comparator.<String>comparingInt(verb -> {
                    int index = VERBS.indexOf(verb);
                    return index < 0 ? VERBS.size() : index;
                })
                .thenComparing(Comparator.naturalOrder());
    }
}
