package io.github.reconciler4j.controllers.internal.daemonset;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetStatus;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.controllers.internal.revision.RevisionHistory;
import io.github.reconciler4j.controllers.internal.revision.Revisions;
import io.github.reconciler4j.controllers.internal.revision.TemplateData;
import io.github.reconciler4j.controllers.internal.support.Candidates;
import io.github.reconciler4j.controllers.internal.support.Claims;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.controllers.internal.support.PodChanges;
import io.github.reconciler4j.controllers.internal.support.Pods;
import io.github.reconciler4j.controllers.internal.support.Selectors;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.scheme.ObjectHeader;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a pod of each DaemonSet on each node that it is for.
 *
 * <p>Kubernetes' own controller waits until its cache has seen the pods that it has created and deleted
 * ("expectations"). Here no such wait is needed: what the client reads includes what it has written.
 */
final class DaemonSetReconciler implements ObjectReconciler<DaemonSet> {

    private final Client client;
    private final EventRecorder events;
    private final PodChanges changes;
    private final Clock clock;
    private final Claims claims;
    private final Candidates<Pod> candidates;
    private final RevisionHistory history;
    private final FailedPods failedPods = new FailedPods();

    DaemonSetReconciler(Client client, Cache cache, EventRecorder events, Clock clock) {
        this.client = client;
        this.events = events;
        this.changes = new PodChanges(client, events);
        this.clock = clock;
        this.claims = new Claims(client);
        this.candidates = new Candidates<>(client, cache, Pod.class);
        this.history = new RevisionHistory(client, cache);
    }

    /** A pod or revision without a controller is adopted by a DaemonSet that selects it. */
    List<Request> possibleOwners(ObjectHeader object) {
        if (!Candidates.isOrphan(object)) {
            return List.of();
        }
        List<DaemonSet> sets = client.list(DaemonSet.class, object.key().namespace());
        return Selectors.matching(sets, set -> set.getSpec().getSelector(), object.labels()).stream()
                .map(Request::of)
                .toList();
    }

    @Override
    public Result reconcile(DaemonSet set, ReconcileContext context) {
        if (Selectors.isEmpty(set.getSpec().getSelector())) {
            events.warning(
                    set,
                    "SelectingAll",
                    "Reconcile",
                    "This daemon set is selecting all pods. A non-empty selector is required.");
            return Result.done();
        }
        if (set.getMetadata().getDeletionTimestamp() != null) {
            return Result.done(); // the garbage collector deletes or orphans what the set has
        }
        try {
            return step(set);
        } catch (ApiException e) {
            if (Claims.isNamespaceTerminating(e)) {
                return Result.done(); // all further attempts would fail, too
            }
            throw e;
        }
    }

    private Result step(DaemonSet set) {
        List<Node> nodes = client.list(Node.class);
        List<ControllerRevision> sorted =
                history.claim(set, revision -> Selectors.matches(set.getSpec().getSelector(), revision)).stream()
                        .map(this::withHash)
                        .toList();
        DaemonRevisions revisions = DaemonRevisions.of(set, sorted);
        List<Pod> pods = pods(set);
        DaemonSetStatus draft = new DaemonSetStatus();
        draft.setCollisionCount(DaemonSetStatuses.current(set).getCollisionCount());
        String hash =
                Objects.requireNonNullElse(DaemonRevisions.hash(currentRevision(set, revisions, pods, draft)), "");
        Instant now = clock.instant();
        NodePlans plans = new NodePlans(set, hash, failedPods, now);
        RuntimeException failure = carryOut(set, hash, nodes, pods, plans, revisions);
        List<Pod> after = pods(set);
        DaemonSetStatus status = DaemonSetStatuses.of(set, nodes, DaemonPods.byNode(after), hash, now);
        status.setCollisionCount(draft.getCollisionCount());
        client.status().edit(set, changed -> changed.setStatus(status));
        if (failure != null) {
            throw failure;
        }
        return Stream.of(plans.delay(), untilAvailable(set, after, now))
                .flatMap(Optional::stream)
                .min(Duration::compareTo)
                .map(Result::requeueAfter)
                .orElse(Result.done());
    }

    private List<Pod> pods(DaemonSet set) {
        return claims.claim(set, pod -> Selectors.matches(set.getSpec().getSelector(), pod), candidates.of(set));
    }

    /** Revisions of old versions of Kubernetes have no hash. */
    private ControllerRevision withHash(ControllerRevision revision) {
        return DaemonRevisions.hash(revision) != null
                ? revision
                : history.label(revision, Revisions.POD_LABEL, Revisions.name(revision));
    }

    /** Find the revision of the present template, or create it; one from the past becomes the latest again. */
    private ControllerRevision currentRevision(
            DaemonSet set, DaemonRevisions revisions, List<Pod> pods, DaemonSetStatus draft) {
        long number = Revisions.next(revisions.old());
        List<ControllerRevision> current = revisions.current();
        if (current.isEmpty()) {
            RevisionHistory.Created created = history.create(
                    TemplateData.of(set.getSpec().getTemplate()),
                    count -> Revisions.describe(
                            set, set.getSpec().getTemplate(), Revisions.POD_LABEL, number, count == 0 ? null : count),
                    Numbers.orZero(draft.getCollisionCount()));
            if (created.collisionCount() != 0) {
                draft.setCollisionCount(created.collisionCount());
            }
            return created.revision();
        }
        ControllerRevision kept = current.get(current.size() - 1);
        if (current.size() > 1) {
            String hash = Objects.requireNonNull(DaemonRevisions.hash(kept));
            pods.stream()
                    .filter(pod -> !hash.equals(DaemonPods.labels(pod).get(Revisions.POD_LABEL)))
                    .forEach(pod -> client.edit(
                            pod, changed -> changed.getMetadata().getLabels().put(Revisions.POD_LABEL, hash)));
            history.delete(current.subList(0, current.size() - 1));
        }
        return Revisions.number(kept) < number ? history.renumber(kept, number) : kept;
    }

    /** Return the failure of the first part that did not succeed. */
    private @Nullable RuntimeException carryOut(
            DaemonSet set, String hash, List<Node> nodes, List<Pod> pods, NodePlans plans, DaemonRevisions revisions) {
        DaemonWriter writer = new DaemonWriter(events, changes, set, hash);
        Map<String, List<Pod>> podsByNode = DaemonPods.byNode(pods);
        try {
            DaemonPlan plan = plans.of(nodes, podsByNode);
            writer.carryOut(plan);
            if (plan.isEmpty() && DaemonLimits.isRollingUpdate(set)) { // else the pods' events lead here again
                writer.carryOut(new DaemonUpdate(set, hash, nodes, podsByNode, clock.instant()).plan());
            }
            history.delete(revisions.expired(set, pods));
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }

    /** The time until the next ready pod becomes available, old or new: no event reports that. */
    private static Optional<Duration> untilAvailable(DaemonSet set, List<Pod> pods, Instant now) {
        return Pods.untilNextAvailable(pods, Numbers.orZero(set.getSpec().getMinReadySeconds()), now);
    }
}
