package io.github.reconciler4j.handler;

import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.event.ObjectEvent.Updated;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.OwnerRef;
import java.util.LinkedHashSet;
import java.util.Set;

/** Queues the owners of one kind. */
final class OwnerHandler implements EventHandler<Object, Request> {

    private final KindInfo ownerKind;
    private final OwnerMatch match;

    OwnerHandler(KindInfo ownerKind, OwnerMatch match) {
        this.ownerKind = ownerKind;
        this.match = match;
    }

    @Override
    public void onEvent(ObjectEvent<?> event, RequestSink<Request> sink) {
        Set<Request> owners = new LinkedHashSet<>();
        if (event instanceof Updated<?> update) {
            collect(update.previous().header(), owners);
        }
        collect(event.snapshot().header(), owners);
        owners.forEach(sink::add);
    }

    private void collect(ObjectHeader owned, Set<Request> owners) {
        for (OwnerRef owner : owned.ownerReferences()) {
            if (isWanted(owner)) {
                owners.add(new Request(ownerKind.namespaced() ? owned.key().namespace() : "", owner.name()));
            }
        }
    }

    private boolean isWanted(OwnerRef owner) {
        return (match == OwnerMatch.ANY || owner.controller())
                && owner.kind().equals(ownerKind.kind().kind())
                && hasGroup(owner.apiVersion(), ownerKind.kind().group());
    }

    /** Compares without building anything, as this runs for each event; malformed text has no group. */
    private static boolean hasGroup(String apiVersion, String group) {
        int slash = apiVersion.indexOf('/');
        if (slash < 0) {
            return group.isEmpty() && !apiVersion.isEmpty();
        }
        return slash > 0
                && slash == group.length()
                && slash == apiVersion.lastIndexOf('/')
                && apiVersion.startsWith(group);
    }
}
