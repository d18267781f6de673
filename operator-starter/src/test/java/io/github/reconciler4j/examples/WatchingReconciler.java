package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Secret;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.predicate.ReconcileOn;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.References;
import io.github.reconciler4j.spring.Watches;
import java.util.stream.Stream;

@Reconciler(name = "watching", reconcileOn = ReconcileOn.GENERATION, labelSelector = "tier!=test")
class WatchingReconciler implements ObjectReconciler<WebPage> {

    private final Cache cache;

    WatchingReconciler(Cache cache) {
        this.cache = cache;
    }

    /** The Secret that a page refers to; a change of the Secret reconciles the page. */
    @References(Secret.class)
    String secretName(WebPage page) {
        return page.getMetadata().getAnnotations().get("example.com/secret");
    }

    /** All pages of a namespace are reconciled when its labels change. */
    @Watches(value = Namespace.class, predicates = LabelsChanged.class)
    Stream<ObjectKey> pagesIn(ObjectHeader namespace) {
        return cache.informer(WebPage.class).list(namespace.key().name()).stream()
                .map(page -> page.key());
    }

    @Override
    public Result reconcile(WebPage page, ReconcileContext context) {
        return Result.done();
    }

    /** If there is a bean of this class, it is used. Otherwise, an instance is created. */
    static class LabelsChanged implements EventPredicate<Object> {

        private static final EventPredicate<Object> LABELS =
                EventPredicates.anyOf(EventPredicates.created(), EventPredicates.labelsChanged());

        @Override
        public boolean test(ObjectEvent<?> event) {
            return LABELS.test(event);
        }
    }
}
