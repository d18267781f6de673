package io.github.reconciler4j.predicate;

import io.github.reconciler4j.event.ObjectEvent.Created;
import io.github.reconciler4j.event.ObjectEvent.Deleted;
import io.github.reconciler4j.event.ObjectEvent.Updated;
import io.github.reconciler4j.scheme.LabelSelector;
import io.github.reconciler4j.scheme.ObjectHeader;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Ready-made predicates. Those that take no function of the user's look at headers only. The ones named
 * {@code ...Changed} hold back updates in which nothing of that sort changed, resyncs included, and let every creation,
 * deletion and event from outside go on.
 *
 * @since 0.1.0
 */
public final class EventPredicates {

    private EventPredicates() {}

    /**
     * Updates that changed the generation, which the API server raises for changes of the wanted state. Hides changes of
     * status, labels, annotations, owner references and finalizers; some built-in kinds have no generation or raise it
     * for other changes too.
     */
    public static EventPredicate<Object> generationChanged() {
        return changed(ObjectHeader::generation);
    }

    /** Updates with another resourceVersion: all but resyncs. */
    public static EventPredicate<Object> resourceVersionChanged() {
        return changed(ObjectHeader::resourceVersion);
    }

    /** Updates that changed a label. */
    public static EventPredicate<Object> labelsChanged() {
        return changed(ObjectHeader::labels);
    }

    /** Updates that changed an annotation. */
    public static EventPredicate<Object> annotationsChanged() {
        return changed(ObjectHeader::annotations);
    }

    /** Updates that changed the finalizers. */
    public static EventPredicate<Object> finalizersChanged() {
        return changed(ObjectHeader::finalizers);
    }

    /** Updates in which the object began to be deleted. */
    public static EventPredicate<Object> deletionRequested() {
        return changed(ObjectHeader::isBeingDeleted);
    }

    /**
     * Updates that changed what a function reads from the header.
     *
     * @param part reads something with value equality; must not return null
     */
    public static EventPredicate<Object> changed(Function<ObjectHeader, ?> part) {
        return event -> !(event instanceof Updated<?> update)
                || !part.apply(update.previous().header())
                        .equals(part.apply(update.snapshot().header()));
    }

    /**
     * Events of objects whose labels a selector selects; for an update, the labels it has now.
     *
     * @param selector as {@code kubectl -l} takes it
     * @throws IllegalArgumentException if it is not a label selector
     */
    public static EventPredicate<Object> labelSelector(String selector) {
        LabelSelector parsed = LabelSelector.parse(selector);
        return header(header -> parsed.matches(header.labels()));
    }

    /** Events of objects in one of these namespaces. */
    public static EventPredicate<Object> inNamespaces(String... namespaces) {
        Set<String> wanted = Set.of(namespaces);
        return header(header -> wanted.contains(header.key().namespace()));
    }

    /** Events whose header a condition accepts; for an update, the header it has now. */
    public static EventPredicate<Object> header(Predicate<ObjectHeader> condition) {
        return event -> condition.test(event.snapshot().header());
    }

    /** Events whose object a condition accepts; for an update, the object as it is now. Decodes the object. */
    public static <T> EventPredicate<T> object(Predicate<? super T> condition) {
        return event -> condition.test(event.snapshot().object());
    }

    /** Creations, initial ones included. */
    public static EventPredicate<Object> created() {
        return event -> event instanceof Created<?>;
    }

    /** Updates, resyncs included. */
    public static EventPredicate<Object> updated() {
        return event -> event instanceof Updated<?>;
    }

    /** Deletions. */
    public static EventPredicate<Object> deleted() {
        return event -> event instanceof Deleted<?>;
    }

    /** Events that all predicates let go on; asks them in order until one does not. Everything if there are none. */
    @SafeVarargs
    public static <T> EventPredicate<T> allOf(EventPredicate<? super T>... predicates) {
        EventPredicate<T> all = event -> true;
        for (EventPredicate<? super T> predicate : predicates) {
            all = all.and(predicate);
        }
        return all;
    }

    /** Events that at least one predicate lets go on; asks them in order until one does. Nothing if there are none. */
    @SafeVarargs
    public static <T> EventPredicate<T> anyOf(EventPredicate<? super T>... predicates) {
        EventPredicate<T> any = event -> false;
        for (EventPredicate<? super T> predicate : predicates) {
            any = any.or(predicate);
        }
        return any;
    }

    /** Events that a predicate does not let go on. */
    public static <T> EventPredicate<T> not(EventPredicate<T> predicate) {
        return predicate.negate();
    }
}
