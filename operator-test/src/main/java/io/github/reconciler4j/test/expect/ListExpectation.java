package io.github.reconciler4j.test.expect;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Expectations of the objects of one kind in one namespace. Works like {@link ObjectExpectation}; errors show
 * the names that were last seen. Immutable, safe for use by multiple threads.
 *
 * <!-- snippet: ServerUse -->
 * <pre>{@code
 * cluster.expectAll(Pod.class, namespace).withLabel("app", "photos").toCount(2);
 * }</pre>
 *
 * @param <T> the class of the objects
 * @since 0.1.0
 */
public final class ListExpectation<T extends HasMetadata> {
    private final KubernetesClient client;
    private final Class<T> type;
    private final String namespace;
    private final Map<String, String> labels;
    private final Duration within;

    /** Expect something of all objects of a kind in a namespace. */
    public ListExpectation(KubernetesClient client, Class<T> type, String namespace) {
        this(client, type, namespace, Map.of(), ObjectExpectation.DEFAULT_WITHIN);
    }

    private ListExpectation(
            KubernetesClient client, Class<T> type, String namespace, Map<String, String> labels, Duration within) {
        this.client = client;
        this.type = type;
        this.namespace = namespace;
        this.labels = Map.copyOf(labels);
        this.within = within;
    }

    /** Return the same expectation with another time to wait; default 30 seconds. */
    public ListExpectation<T> within(Duration time) {
        return new ListExpectation<>(client, type, namespace, labels, time);
    }

    /** Return the same expectation for objects that have a label, too. */
    public ListExpectation<T> withLabel(String key, String value) {
        Map<String, String> all = new TreeMap<>(labels);
        all.put(key, value);
        return new ListExpectation<>(client, type, namespace, all, within);
    }

    /** Expect a number of objects. */
    public List<T> toCount(int objects) {
        return toMatch("are " + objects, found -> found.size() == objects);
    }

    /** Expect that there is no object. */
    public void toBeEmpty() {
        toCount(0);
    }

    /**
     * Expect something of the objects as a whole.
     *
     * @param description completes the sentence "Expected that the pods ...", for the error
     */
    public List<T> toMatch(String description, Predicate<? super List<T>> condition) {
        String subject = HasMetadata.getPlural(type) + " in " + namespace + (labels.isEmpty() ? "" : " with " + labels);
        return Poll.until(
                "Expected that the " + subject + " " + description,
                within,
                this::read,
                condition::test,
                ListExpectation::describe);
    }

    private List<T> read() {
        return client.resources(type)
                .inNamespace(namespace)
                .withLabels(labels)
                .list()
                .getItems();
    }

    private static String describe(List<? extends HasMetadata> found) {
        return found.size() + " objects "
                + found.stream().map(object -> object.getMetadata().getName()).toList();
    }
}
