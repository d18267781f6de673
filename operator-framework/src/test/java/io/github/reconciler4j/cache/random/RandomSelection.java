package io.github.reconciler4j.cache.random;

import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.StorageForm;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What a cache under test watches, and the same as a predicate that knows nothing of selectors.
 *
 * @param namespaces the namespaces, empty for all
 * @param labels a label selector
 * @param fields a field selector
 * @param storage how bodies are kept
 */
record RandomSelection(Set<String> namespaces, Choice labels, Choice fields, StorageForm storage) {

    static final List<String> NAMESPACES = List.of("default", "kube-public", "kube-system");
    static final List<String> NAMES = List.of("a", "b", "c", "d", "e", "f");

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

    static RandomSelection next(Random random) {
        Set<String> namespaces = random.nextInt(3) > 0 ? Set.of() : Set.copyOf(NAMESPACES.subList(0, 2));
        StorageForm[] forms = StorageForm.values();
        return new RandomSelection(
                namespaces,
                LABELS.get(random.nextInt(LABELS.size())),
                FIELDS.get(random.nextInt(FIELDS.size())),
                forms[random.nextInt(forms.length)]);
    }

    /** Whether objects may come into the selection and leave it without being created or deleted. */
    boolean isByLabel() {
        return !labels.text().isEmpty();
    }

    boolean covers(String key, Map<String, String> labelsOfObject) {
        String namespace = key.substring(0, key.indexOf('/'));
        return (namespaces.isEmpty() || namespaces.contains(namespace))
                && labels.meaning().test(labelsOfObject)
                && fields.meaning().test(Map.of("name", key.substring(key.indexOf('/') + 1)));
    }

    KindCacheOptions options() {
        return KindCacheOptions.defaults()
                .withNamespaces(namespaces)
                .withLabelSelector(labels.text())
                .withFieldSelector(fields.text())
                .withStorage(storage);
    }

    @Override
    public String toString() {
        return storage + " " + namespaces + " labels '" + labels.text() + "' fields '" + fields.text() + "'";
    }
}
