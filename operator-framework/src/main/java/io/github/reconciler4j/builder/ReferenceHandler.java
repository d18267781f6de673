package io.github.reconciler4j.builder;

import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.handler.EventHandler;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.ObjectKey;

/**
 * Enqueues the primary objects that refer to a changed object by a term of an index: its key, or its name alone if both
 * are in the same namespace. A name cannot contain a slash, so the two are never confused.
 */
record ReferenceHandler(Informer<?> primary, String index) implements EventHandler<Object, Request> {

    @Override
    public void onEvent(ObjectEvent<? extends Object> event, RequestSink<Request> sink) {
        ObjectKey changed = event.snapshot().key();
        for (ObjectSnapshot<?> object : primary.byIndex(index, changed.toString())) {
            sink.add(Request.of(object.key()));
        }
        if (!changed.namespace().isEmpty()) {
            for (ObjectSnapshot<?> object : primary.byIndex(index, changed.name())) {
                if (object.key().namespace().equals(changed.namespace())) {
                    sink.add(Request.of(object.key()));
                }
            }
        }
    }
}
