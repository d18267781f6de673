package io.github.reconciler4j.brake;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.brake.BrakeOptions.Coverage;
import io.github.reconciler4j.brake.DeletionCounts.Place;
import io.github.reconciler4j.brake.DeletionCounts.Reservation;
import io.github.reconciler4j.brake.DeletionCounts.Verdict;
import io.github.reconciler4j.brake.DeletionWindow.Target;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientCall.Verb;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.WorkScope;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerExtension;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stops the deletions of a controller that deletes too much: more than half of the objects of a kind that its cache holds, and more than
 * ten, within a minute. {@link BrakeOptions} change these numbers. By default, only what object sets prune is counted.
 *
 * <p>Deletions are counted before they are sent, so workers that delete at the same time do not exceed the limit. The deletion that would
 * exceed it fails with {@link BrakeException}, as do all later ones, until a person releases the controller: with {@link #release}, or by
 * removing the annotation of the Lease that the message names. The annotation also lets the stop survive a restart of the process and a
 * change of the leader.
 *
 * <p>These deletions are not counted: of objects that are being deleted already; of objects whose owner the API server has marked for
 * deletion, or whose owner is gone; in namespaces that are being deleted; dry runs; deletions outside of controllers. A creation makes the
 * deletion of the object with its name good, or of another one with its owner, except for kinds that hold data of their own, such as
 * PersistentVolumeClaims. After a release, nothing is counted for ten minutes.
 *
 * <p>Thread-safe.
 *
 * <!-- snippet: SafetyUse -->
 * <pre>{@code
 * Brake brake = Brake.of(manager);
 * for (DeletionStop stop : brake.stops()) {
 *     brake.release(stop.controller());
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public final class Brake implements ManagerExtension {

    private static final int CREATED = 201;
    private static final String OWNER_UID = "reconciler4j.io/owner-uid";

    /** A new object of these kinds does not replace a deleted one. */
    private static final Set<String> DATA =
            Set.of("PersistentVolumeClaim", "PersistentVolume", "Namespace", "CustomResourceDefinition");

    private static final ThreadLocal<@Nullable SetDeletion> CURRENT = new ThreadLocal<>();

    private final BrakeOptions options;
    private final DeletionCounts counts;
    private final KnownOwners owners;
    private final BrakeStops stops;

    private Brake(Manager manager) {
        this.options = BrakeOptions.of(manager.options());
        this.counts = new DeletionCounts(options, manager.options().timeSource());
        this.owners = new KnownOwners(manager.options().timeSource());
        this.stops = new BrakeStops(manager, options, counts);
    }

    /**
     * What the thread deletes for an object set.
     *
     * @param owner the owner of the set
     * @param header the object
     * @param retired whether nothing of the kind is created any more, so that all of it is to be deleted
     */
    private record SetDeletion(HasMetadata owner, ObjectHeader header, boolean retired) {

        boolean isExpected() {
            return retired || owner.getMetadata().getDeletionTimestamp() != null;
        }
    }

    /** Return the brake of a manager, which has the options of the manager. The first call adds it. */
    public static Brake of(Manager manager) {
        return manager.extension(Brake.class, host -> new Brake(host.manager()));
    }

    /**
     * Delete an object that an owner has and its set does not contain. Object sets call this.
     *
     * @param owner the owner of the set
     * @param header the object
     * @param retired whether the controller declares that nothing of the kind is created any more, so that it is not counted
     * @param deletion sends the deletion with a client, on the calling thread
     */
    public static void delete(HasMetadata owner, ObjectHeader header, boolean retired, Runnable deletion) {
        SetDeletion before = CURRENT.get();
        CURRENT.set(new SetDeletion(owner, header, retired));
        try {
            deletion.run();
        } finally {
            if (before == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(before);
            }
        }
    }

    /** Return the controllers whose deletions have stopped, as far as this process knows. Sends no request. */
    public List<DeletionStop> stops() {
        return counts.stops();
    }

    /**
     * Release a controller: it deletes again, and nothing is counted for ten minutes. Other replicas learn it within seconds.
     *
     * @return whether it had stopped
     * @throws ApiException if the annotation of the Lease cannot be removed; the controller is not released then
     */
    public boolean release(String controller) {
        return stops.release(StopLease.id(controller));
    }

    /** Let the metrics of a controller be there before it deletes something, so that alerts see a change. */
    @Override
    public void added(ManagedComponent component) {
        if (component instanceof Controller<?> && options.coverage() != Coverage.OFF) {
            stops.measure(idOf(component));
        }
    }

    @Override
    public void removed(ManagedComponent component) {
        if (component instanceof Controller<?> && component.cluster().isEmpty()) {
            stops.forget(idOf(component));
        }
    }

    /** Controllers of one declaration in several clusters count together, and have the name of the declaration. */
    private static String idOf(ManagedComponent controller) {
        String suffix = controller.cluster().isEmpty() ? "" : "@" + controller.cluster();
        String name = controller.name();
        return StopLease.id(name.endsWith(suffix) ? name.substring(0, name.length() - suffix.length()) : name);
    }

    @Override
    public Optional<Object> status() {
        return options.coverage() == Coverage.OFF ? Optional.empty() : Optional.of(new BrakeStatus(stops()));
    }

    /** Let a write pass, unless it is a deletion that the brake stops. */
    @Override
    public ApiResponse send(Cluster cluster, ClientCall call, ClientInterceptor.Next next) {
        String controller = WorkScope.controller().orElse("");
        if (options.coverage() == Coverage.OFF
                || controller.isEmpty()
                || call.dryRun()
                || !call.subresource().isEmpty()) {
            return next.proceed(call);
        }
        Place place =
                new Place(StopLease.id(controller), cluster.name(), call.kind().kind());
        return switch (call.verb()) {
            case CREATE, APPLY -> create(place, call, next);
            case DELETE, DELETE_ALL -> delete(place, cluster, call, next);
            default -> next.proceed(call);
        };
    }

    private ApiResponse create(Place place, ClientCall call, ClientInterceptor.Next next) {
        ApiResponse response = next.proceed(call);
        if (response.code() == CREATED && !DATA.contains(place.kind().kind()) && counts.isCounting(place)) {
            JsonNode metadata = metadata(response);
            ObjectKey key = call.key()
                    .orElseGet(() -> new ObjectKey(
                            metadata.path("namespace").asText(""),
                            metadata.path("name").asText("")));
            String labeled = metadata.path("labels").path(OWNER_UID).asText("");
            counts.created(place, key, labeled.isEmpty() ? KnownOwners.ownerOf(KnownOwners.owners(metadata)) : labeled);
        }
        return response;
    }

    private static JsonNode metadata(ApiResponse response) {
        try {
            return KubernetesJson.mapper().readTree(response.body()).path("metadata");
        } catch (IOException e) { // the client will say so
            return KubernetesJson.mapper().createObjectNode();
        }
    }

    private ApiResponse delete(Place place, Cluster cluster, ClientCall call, ClientInterceptor.Next next) {
        SetDeletion set = CURRENT.get();
        boolean ofSet = set != null && call.verb() == Verb.DELETE;
        if (ofSet ? set.isExpected() : options.coverage() != Coverage.ALL) {
            return next.proceed(call);
        }
        List<Target> targets = ofSet
                ? List.of(new Target(
                        set.header.key(),
                        set.header.uid(),
                        Objects.requireNonNullElse(set.owner.getMetadata().getUid(), "")))
                : targets(place, cluster, call);
        if (targets.isEmpty()) {
            return next.proceed(call);
        }
        stops.refresh();
        Reservation reservation = reserve(place, cluster, targets, ofSet ? set : null);
        if (reservation.verdict() != Verdict.ALLOWED) {
            throw stops.refused(place, reservation, ofSet ? set.owner : null);
        }
        try {
            return next.proceed(call);
        } catch (ApiException e) {
            if (e.code() >= 400 && e.code() < 500 && e.getSuppressed().length == 0) { // nothing was deleted
                counts.refund(place, reservation.entries());
            }
            throw e;
        }
    }

    /** Return what a call would delete that has to be counted. */
    private List<Target> targets(Place place, Cluster cluster, ClientCall call) {
        KindName kind = call.kind().kind();
        if (call.verb() == Verb.DELETE_ALL) {
            int cached = KnownOwners.cached(cluster, kind);
            return owners.targets(cluster, call, Math.max(options.minimum(), counts.largest(place, cached)));
        }
        ObjectKey key = call.key().orElseThrow();
        Optional<ObjectHeader> header = owners.find(cluster, kind, key);
        return header.filter(found -> !found.isBeingDeleted()
                        && !owners.isOwnerEnding(cluster, key.namespace(), found.ownerReferences()))
                .map(found -> List.of(new Target(key, found.uid(), KnownOwners.ownerOf(found.ownerReferences()))))
                .orElse(List.of());
    }

    /**
     * Count deletions. Before they are refused, ask whether the namespaces are being deleted, and what a set has deletes of objects that
     * are gone anyway.
     */
    private Reservation reserve(Place place, Cluster cluster, List<Target> targets, @Nullable SetDeletion set) {
        int cached = KnownOwners.cached(cluster, place.kind());
        Reservation first = counts.reserve(place, targets, cached, false);
        if (first.verdict() == Verdict.ALLOWED) {
            return first;
        }
        if (set != null && owners.isGoing(cluster, place.kind(), set.header, set.owner)) {
            return Reservation.FREE;
        }
        for (String namespace : counts.namespaces(place)) {
            if (owners.isNamespaceEnding(cluster, namespace)) {
                counts.forget(place, namespace);
            }
        }
        List<Target> left = targets.stream()
                .filter(target ->
                        !owners.isNamespaceEnding(cluster, target.key().namespace()))
                .toList();
        return left.isEmpty() ? Reservation.FREE : counts.reserve(place, left, cached, true);
    }
}
