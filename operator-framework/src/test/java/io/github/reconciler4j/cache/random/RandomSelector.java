package io.github.reconciler4j.cache.random;

import io.github.reconciler4j.cache.ObjectSelector;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What of a namespace is watched, and the same as predicates that know nothing of selectors.
 *
 * @param labels a label selector
 * @param fields a field selector
 */
record RandomSelector(Choice labels, Choice fields) {

    private static final Choice ALL = new Choice("", any -> true);
    private static final List<Choice> LABELS = List.of(
            ALL,
            ALL,
            ALL,
            new Choice("app=x", map -> "x".equals(map.get("app"))),
            new Choice("app in (x,y)", map -> Set.of("x", "y").contains(map.getOrDefault("app", ""))),
            new Choice("app!=z", map -> !"z".equals(map.get("app"))),
            new Choice("!app", map -> !map.containsKey("app")));
    private static final List<Choice> FIELDS =
            List.of(ALL, ALL, ALL, new Choice("metadata.name!=a", map -> !"a".equals(map.get("name"))));

    /** A selector and what it means. */
    record Choice(String text, Predicate<Map<String, String>> meaning) {}

    static RandomSelector next(Random random) {
        return new RandomSelector(LABELS.get(random.nextInt(LABELS.size())), FIELDS.get(random.nextInt(FIELDS.size())));
    }

    /** Whether objects may come into the selection and leave it without being created or deleted. */
    boolean isByLabel() {
        return !labels.text().isEmpty();
    }

    boolean covers(String name, String uid, Map<String, String> labelsOfObject) {
        return labels.meaning().test(labelsOfObject) && fields.meaning().test(Map.of("name", name));
    }

    ObjectSelector asked() {
        return ObjectSelector.everything().withLabels(labels.text()).withFields(fields.text());
    }

    @Override
    public String toString() {
        return "labels '" + labels.text() + "' fields '" + fields.text() + "'";
    }
}
