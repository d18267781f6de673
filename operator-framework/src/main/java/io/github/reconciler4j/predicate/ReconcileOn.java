package io.github.reconciler4j.predicate;

import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.event.ObjectEvent.Updated;
import io.github.reconciler4j.scheme.ObjectHeader;
import java.util.Objects;

/**
 * Which updates of an object lead to a reconciliation. Creations, deletions, events from outside the cluster and resyncs
 * always do. Looks at headers only.
 *
 * <p>The API server raises {@code metadata.generation} when the desired state of an object changes. For custom resources
 * that is every change outside {@code metadata} and, if the definition declares the status subresource, outside
 * {@code status}. If it does not, a change of the status also raises the generation and counts as a change of the desired
 * state. An update of an object without a generation, such as a ConfigMap, always leads to a reconciliation.
 *
 * @since 0.1.0
 */
public enum ReconcileOn implements EventPredicate<Object> {

    /** Every update, including updates of the status. */
    ANY_CHANGE {
        @Override
        boolean isRelevant(ObjectHeader before, ObjectHeader now) {
            return true;
        }
    },

    /**
     * Updates of the desired state or of the metadata: generation, labels, annotations, owner references, finalizers and
     * the deletion timestamp. Ignores updates that change nothing but the status and {@code managedFields}.
     */
    SPEC_OR_METADATA {
        @Override
        boolean isRelevant(ObjectHeader before, ObjectHeader now) {
            return GENERATION.isRelevant(before, now)
                    || !before.labels().equals(now.labels())
                    || !before.annotations().equals(now.annotations())
                    || !before.ownerReferences().equals(now.ownerReferences())
                    || !before.finalizers().equals(now.finalizers())
                    || !Objects.equals(before.deletionTimestamp(), now.deletionTimestamp());
        }
    },

    /** Updates of the desired state, and marks for deletion. Ignores updates of the status and of other metadata. */
    GENERATION {
        @Override
        boolean isRelevant(ObjectHeader before, ObjectHeader now) {
            return now.generation() == 0
                    || before.generation() != now.generation()
                    || before.isBeingDeleted() != now.isBeingDeleted()
                    || !before.uid().equals(now.uid());
        }
    };

    /** Return whether an update from one header to the other leads to a reconciliation. */
    abstract boolean isRelevant(ObjectHeader before, ObjectHeader now);

    @Override
    public boolean test(ObjectEvent<? extends Object> event) {
        return !(event instanceof Updated<?> update)
                || update.resync()
                || isRelevant(update.previous().header(), update.snapshot().header());
    }
}
