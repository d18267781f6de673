package io.github.reconciler4j.predicate;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.event.ObjectEvent.Created;
import io.github.reconciler4j.event.ObjectEvent.Deleted;
import io.github.reconciler4j.event.ObjectEvent.Updated;
import io.github.reconciler4j.scheme.LabelMatcher;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.support.KubernetesJson;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Predicates for common cases. Those without a class or a function of the user look at headers only. The ones named
 * {@code ...Changed} reject updates, resyncs included, that do not change that part, and accept all other events.
 *
 * <!-- snippet: ControllerUse -->
 * <pre>{@code
 * EventPredicate<Object> named =
 *         EventPredicates.changed(header -> header.annotations().get("example.com/name"));
 * ControllerBuilder.of(Greeting.class)
 *         .when(named.or(EventPredicates.generationChanged()))
 *         .reconciler((greeting, context) -> Result.done())
 *         .addTo(manager);
 * }</pre>
 *
 * @since 0.1.0
 */
public final class EventPredicates {

    private EventPredicates() {}

    /**
     * Reject updates that do not change the generation. Kinds without a generation, such as ConfigMap, then have no
     * accepted updates; {@link ReconcileOn#GENERATION} accepts theirs, and marks for deletion and resyncs too.
     */
    public static EventPredicate<Object> generationChanged() {
        return changed(ObjectHeader::generation);
    }

    /** Reject updates that do not change the resourceVersion: resyncs. */
    public static EventPredicate<Object> resourceVersionChanged() {
        return changed(ObjectHeader::resourceVersion);
    }

    /** Reject updates that do not change a label. */
    public static EventPredicate<Object> labelsChanged() {
        return changed(ObjectHeader::labels);
    }

    /** Reject updates that do not change an annotation. */
    public static EventPredicate<Object> annotationsChanged() {
        return changed(ObjectHeader::annotations);
    }

    /** Reject updates that do not change the finalizers. */
    public static EventPredicate<Object> finalizersChanged() {
        return changed(ObjectHeader::finalizers);
    }

    /** Reject updates that do not mark the object for deletion. */
    public static EventPredicate<Object> deletionRequested() {
        return changed(ObjectHeader::isBeingDeleted);
    }

    /**
     * Reject updates that do not change a part of the header.
     *
     * @param part returns the part, which needs value equality; must not return null
     */
    public static EventPredicate<Object> changed(Function<ObjectHeader, ?> part) {
        return event -> !(event instanceof Updated<?> update)
                || !part.apply(update.previous().header())
                        .equals(part.apply(update.snapshot().header()));
    }

    /**
     * Reject updates that change none of these fields. Decodes the object before and after the update.
     *
     * <pre>{@code
     * Watch.kind(Gateway.class).when(EventPredicates.fieldsChanged(Gateway.class, "spec.tls")).map(...)
     * }</pre>
     *
     * @param type the class of the objects; {@code GenericKubernetesResource} for a kind without a class
     * @param paths names of fields with dots between them; {@code ['name']} for a name with dots, {@code [0]} for an item of a list
     * @throws IllegalArgumentException if there is no path, one is not valid, or the class has no such field
     */
    public static <T extends HasMetadata> EventPredicate<T> fieldsChanged(Class<T> type, String... paths) {
        if (paths.length == 0) {
            throw new IllegalArgumentException("'paths' must not be empty");
        }
        List<FieldPath> fields = Arrays.stream(paths).map(FieldPath::parse).toList();
        fields.forEach(field -> field.check(type));
        return event -> {
            if (!(event instanceof Updated<? extends T> update)) {
                return true;
            }
            JsonNode before =
                    KubernetesJson.mapper().valueToTree(update.previous().object());
            JsonNode after =
                    KubernetesJson.mapper().valueToTree(update.snapshot().object());
            return fields.stream().anyMatch(field -> !field.in(before).equals(field.in(after)));
        };
    }

    /**
     * Accept events of objects that a label selector selects. An update is judged by the new labels.
     *
     * @param selector a selector as for {@code kubectl -l}
     * @throws IllegalArgumentException if it is not a label selector
     */
    public static EventPredicate<Object> labelSelector(String selector) {
        LabelMatcher parsed = LabelMatcher.parse(selector);
        return header(header -> parsed.matches(header.labels()));
    }

    /** Accept events of objects in one of these namespaces. */
    public static EventPredicate<Object> inNamespaces(String... namespaces) {
        Set<String> wanted = Set.of(namespaces);
        return header(header -> wanted.contains(header.key().namespace()));
    }

    /** Accept events whose header meets a condition. An update is judged by the new header. */
    public static EventPredicate<Object> header(Predicate<ObjectHeader> condition) {
        return event -> condition.test(event.snapshot().header());
    }

    /** Accept events whose object meets a condition. An update is judged by the new object. Decodes the object. */
    public static <T> EventPredicate<T> object(Predicate<? super T> condition) {
        return event -> condition.test(event.snapshot().object());
    }

    /** Accept creations, including those of the initial list. */
    public static EventPredicate<Object> created() {
        return event -> event instanceof Created<?>;
    }

    /** Accept updates, including resyncs. */
    public static EventPredicate<Object> updated() {
        return event -> event instanceof Updated<?>;
    }

    /** Accept deletions. */
    public static EventPredicate<Object> deleted() {
        return event -> event instanceof Deleted<?>;
    }

    /** Accept events that all predicates accept, asked in order until one does not. Without predicates, accept all. */
    @SafeVarargs
    public static <T> EventPredicate<T> allOf(EventPredicate<? super T>... predicates) {
        EventPredicate<T> all = event -> true;
        for (EventPredicate<? super T> predicate : predicates) {
            all = all.and(predicate);
        }
        return all;
    }

    /** Accept events that any predicate accepts, asked in order until one does. Without predicates, accept none. */
    @SafeVarargs
    public static <T> EventPredicate<T> anyOf(EventPredicate<? super T>... predicates) {
        EventPredicate<T> any = event -> false;
        for (EventPredicate<? super T> predicate : predicates) {
            any = any.or(predicate);
        }
        return any;
    }

    /** Accept events that a predicate rejects. */
    public static <T> EventPredicate<T> not(EventPredicate<T> predicate) {
        return predicate.negate();
    }
}
