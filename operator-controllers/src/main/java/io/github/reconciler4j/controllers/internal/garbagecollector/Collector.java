package io.github.reconciler4j.controllers.internal.garbagecollector;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.Propagation;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.controllers.internal.garbagecollector.GarbageApi.Served;
import io.github.reconciler4j.controllers.internal.garbagecollector.Graph.Dependent;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.OwnerRef;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Deletes objects without owners, and carries out deletions in the foreground and those that leave the owned objects.
 *
 * <p>The graph says which objects to look at. It can be late, and references can name what never was, so everything that
 * is destroyed depends on what the API server says at that moment.
 */
final class Collector implements RequestReconciler<GarbageRequest> {

    private static final int ATTEMPTS = 5;
    private static final int UNSUPPORTED_MEDIA_TYPE = 415;

    /** The kind of an object or of an owner is not served, which can change. */
    private static final class NotServed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotServed() {
            super("", null, false, false);
        }
    }

    /** An object without a namespace names an owner with one: neither will go away by waiting. */
    private static final class Hopeless extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Hopeless() {
            super("", null, false, false);
        }
    }

    private final GarbageApi api;
    private final Graph graph;
    private final AbsentOwners absent;
    private final Supplier<GraphListener> listener;
    private final Runnable discovery;

    /**
     * Create one.
     *
     * @param listener returns what receives the changes of the graph
     * @param discovery watches the kinds that are served now
     */
    Collector(GarbageApi api, Graph graph, AbsentOwners absent, Supplier<GraphListener> listener, Runnable discovery) {
        this.api = api;
        this.graph = graph;
        this.absent = absent;
        this.listener = listener;
        this.discovery = discovery;
    }

    @Override
    public Result reconcile(GarbageRequest request, ReconcileContext context) {
        try {
            if (request instanceof GarbageRequest.Collect collect) {
                return collect(collect.object());
            }
            if (request instanceof GarbageRequest.Orphan orphan) {
                orphan(orphan.owner());
            } else {
                api.forgetKinds();
                discovery.run();
            }
            return Result.done();
        } catch (NotServed | KindNotServedException e) {
            return Result.requeueWithBackoff();
        } catch (Hopeless e) {
            return Result.done();
        }
    }

    private Result collect(ObjectId object) {
        Optional<Graph.View> known = graph.view(object);
        if (known.isEmpty()) {
            return Result.done();
        }
        boolean deletingDependents = known.get().deletingDependents();
        if (!known.get().beingDeleted() || deletingDependents) {
            Optional<ObjectHeader> latest = read(object);
            if (latest.isEmpty()) {
                graph.absent(object, listener.get());
                return Result.done();
            }
            if (deletingDependents) {
                continueForeground(object);
            } else if (!latest.get().ownerReferences().isEmpty()) {
                collect(object, latest.get());
            }
        }
        // The deletion of an object that no watch has shown is noticed only by asking again.
        boolean virtual = graph.view(object).map(Graph.View::virtual).orElse(false);
        return virtual ? Result.requeueWithBackoff() : Result.done();
    }

    /** Read an object; empty if it is gone, or another one has its name. */
    private Optional<ObjectHeader> read(ObjectId object) {
        Served served = api.kindOf(object).orElseThrow(NotServed::new);
        if (served.namespaced() && !object.isNamespaced()) {
            throw new Hopeless();
        }
        return read(object, served);
    }

    private Optional<ObjectHeader> read(ObjectId object, Served served) {
        return api.read(served, object).filter(found -> found.uid().equals(object.uid()));
    }

    /** The API server removes an object for good when nothing holds it any more. */
    private void continueForeground(ObjectId object) {
        List<Dependent> blocking =
                graph.dependents(object).stream().filter(Dependent::blocking).toList();
        if (blocking.isEmpty()) {
            removeFinalizer(object, ObjectState.FOREGROUND);
        }
        blocking.stream()
                .filter(dependent -> !dependent.deletingDependents())
                .forEach(dependent -> listener.get().collect(dependent.id()));
    }

    private void collect(ObjectId object, ObjectHeader latest) {
        Owners owners = Owners.of(latest.ownerReferences(), reference -> presence(object, reference));
        List<Dependent> dependents = graph.dependents(object);
        switch (owners.decide(!dependents.isEmpty())) {
            case KEEP -> {}
            case KEEP_AND_RELEASE -> release(object, owners.toRelease());
            case DELETE_IN_FOREGROUND -> {
                if (dependents.stream().anyMatch(Dependent::deletingDependents)) {
                    unblock(object); // the object may own its owner, and both would wait for each other
                }
                delete(object, latest, Propagation.FOREGROUND);
            }
            case DELETE -> delete(object, latest, propagation(latest.finalizers()));
        }
    }

    /** A deletion keeps what an earlier one has asked for. */
    private static Propagation propagation(List<String> finalizers) {
        return finalizers.contains(ObjectState.ORPHAN)
                ? Propagation.ORPHAN
                : finalizers.contains(ObjectState.FOREGROUND) ? Propagation.FOREGROUND : Propagation.BACKGROUND;
    }

    private Owners.Presence presence(ObjectId object, OwnerRef reference) {
        ObjectId clusterScoped = ObjectId.of(reference, "");
        ObjectId owner = ObjectId.of(reference, object.namespace());
        if (absent.contains(clusterScoped) || absent.contains(owner)) {
            return Owners.Presence.DANGLING;
        }
        Served served = api.kindOf(owner).orElseThrow(NotServed::new);
        if (served.namespaced() && !object.isNamespaced()) {
            throw new Hopeless();
        }
        ObjectHeader found = read(owner, served).orElse(null);
        if (found == null) {
            absent.add(served.place(owner));
            return Owners.Presence.DANGLING;
        }
        return found.isBeingDeleted() && found.finalizers().contains(ObjectState.FOREGROUND)
                ? Owners.Presence.WAITING
                : Owners.Presence.SOLID;
    }

    /** Delete the object as it was read. If it has changed, its owners must still be the same. */
    private void delete(ObjectId object, ObjectHeader latest, Propagation propagation) {
        Served served = api.kindOf(object).orElseThrow(NotServed::new);
        DeletionOptions options =
                DeletionOptions.defaults().withUid(object.uid()).withPropagation(propagation);
        boolean existed;
        try {
            existed = api.delete(served, object, options.withResourceVersion(latest.resourceVersion()));
        } catch (ConflictException e) {
            Optional<ObjectHeader> now = api.read(served, object);
            if (now.isPresent() && !hasChangedApartFromOwners(latest, now.get())) {
                throw e;
            }
            existed = now.isPresent() && api.delete(served, object, options);
        }
        if (!existed) {
            graph.absent(object, listener.get());
        }
    }

    private static boolean hasChangedApartFromOwners(ObjectHeader before, ObjectHeader now) {
        return now.uid().equals(before.uid())
                && !now.resourceVersion().equals(before.resourceVersion())
                && now.ownerReferences().equals(before.ownerReferences());
    }

    private void orphan(ObjectId owner) {
        ApiException failure = null;
        for (Dependent dependent : graph.dependents(owner)) {
            try {
                release(dependent.id(), List.of(owner.uid()));
            } catch (KindNotServedException e) {
                failure = failure == null ? e : failure;
            } catch (NotFoundException e) {
                // It is gone, and so is its reference.
            } catch (ApiException e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
        removeFinalizer(owner, ObjectState.ORPHAN);
    }

    private void release(ObjectId object, List<String> owners) {
        patch(object, OwnerPatches.release(object.uid(), owners), read -> OwnerPatches.release(read, owners));
    }

    private void unblock(ObjectId object) {
        patch(object, OwnerPatches.unblock(object.uid(), graph.blockedOwners(object)), OwnerPatches::unblock);
    }

    /** Send a strategic patch, or another one to an object whose kind has none. */
    private void patch(ObjectId object, ObjectPatch strategic, Function<GenericKubernetesResource, ObjectPatch> merge) {
        Served served = api.kindOf(object).orElseThrow(NotServed::new);
        try {
            api.patch(served, object, strategic);
        } catch (ApiException e) {
            if (e.code() != UNSUPPORTED_MEDIA_TYPE) {
                throw e;
            }
            Optional<GenericKubernetesResource> read = api.readWhole(served, object);
            if (read.isPresent() && object.uid().equals(read.get().getMetadata().getUid())) {
                api.patch(served, object, merge.apply(read.get()));
            }
        }
    }

    private void removeFinalizer(ObjectId object, String finalizer) {
        Served served = api.kindOf(object).orElseThrow(NotServed::new);
        for (int attempt = 1; ; attempt++) {
            Optional<ObjectHeader> read = read(object, served);
            if (read.isEmpty() || !read.get().finalizers().contains(finalizer)) {
                return;
            }
            try {
                api.patch(
                        served,
                        object,
                        OwnerPatches.finalizers(
                                object.uid(),
                                read.get().resourceVersion(),
                                read.get().finalizers(),
                                finalizer));
                return;
            } catch (KindNotServedException e) {
                throw e;
            } catch (NotFoundException e) {
                return;
            } catch (ConflictException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }
}
