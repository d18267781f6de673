package io.github.reconciler4j.controllers.internal.statefulset;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatus;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.controllers.internal.revision.RevisionHistory;
import io.github.reconciler4j.controllers.internal.revision.Revisions;
import io.github.reconciler4j.controllers.internal.revision.TemplateData;
import io.github.reconciler4j.controllers.internal.support.Candidates;
import io.github.reconciler4j.controllers.internal.support.Claims;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.controllers.internal.support.PodCalls;
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

/** Keeps the pods of each StatefulSet: as many as it asks for, each with its name and its volumes. */
final class StatefulSetReconciler implements ObjectReconciler<StatefulSet> {

    private final Client client;
    private final EventRecorder events;
    private final PodCalls calls = new PodCalls();
    private final Clock clock;
    private final Claims claims;
    private final Candidates<Pod> candidates;
    private final RevisionHistory history;

    StatefulSetReconciler(Client client, Cache cache, EventRecorder events, Clock clock) {
        this.client = client;
        this.events = events;
        this.clock = clock;
        this.claims = new Claims(client);
        this.candidates = new Candidates<>(client, cache, Pod.class);
        this.history = new RevisionHistory(client, cache);
    }

    /** A pod without a controller is adopted by a StatefulSet that selects it. */
    List<Request> possibleOwners(ObjectHeader pod) {
        if (!Candidates.isOrphan(pod)) {
            return List.of();
        }
        List<StatefulSet> sets = client.list(StatefulSet.class, pod.key().namespace());
        return Selectors.matching(sets, set -> set.getSpec().getSelector(), pod.labels()).stream()
                .map(Request::of)
                .toList();
    }

    @Override
    public Result reconcile(StatefulSet set, ReconcileContext context) {
        try {
            return step(set);
        } catch (ApiException e) {
            if (Claims.isNamespaceTerminating(e)) {
                return Result.done(); // all further attempts would fail, too
            }
            throw e;
        }
    }

    private Result step(StatefulSet set) {
        List<ControllerRevision> sorted = history.adopt(set, revision -> selects(set, revision));
        List<Pod> pods = claims.claim(set, pod -> selects(set, pod) && Ordinals.isMember(set, pod), candidates.of(set));
        SetRevisions revisions = revisions(set, sorted);
        Instant now = clock.instant();
        StatefulSetStep.Outcome outcome =
                new StatefulSetStep(set, revisions, pods, new PodWriter(client, events, calls, set), now).run();
        StatefulSetStatus status = outcome.status();
        RuntimeException failure = outcome.failure();
        try {
            client.status().edit(set, changed -> changed.setStatus(status));
            history.delete(revisions.after(status).expired(set, sorted, pods));
        } catch (RuntimeException e) {
            failure = failure == null ? e : failure;
        }
        if (failure != null) {
            throw failure;
        }
        return nextCheck(set, status, pods, now);
    }

    private static boolean selects(StatefulSet set, HasMetadata object) {
        return Selectors.matches(set.getSpec().getSelector(), object);
    }

    /** Find the revision of the present template, or create it; one from the past becomes the latest again. */
    private SetRevisions revisions(StatefulSet set, List<ControllerRevision> sorted) {
        int collisionCount = Numbers.orZero(StatefulSetStatuses.current(set).getCollisionCount());
        TemplateData template = TemplateData.of(set.getSpec().getTemplate());
        List<ControllerRevision> equal = Revisions.equal(sorted, template);
        if (equal.isEmpty()) {
            RevisionHistory.Created created = history.create(
                    template,
                    count -> Revisions.describe(
                            set, set.getSpec().getTemplate(), SetRevisions.HASH_LABEL, Revisions.next(sorted), count),
                    collisionCount);
            return SetRevisions.of(set, sorted, created.revision(), created.collisionCount());
        }
        ControllerRevision update = equal.get(equal.size() - 1);
        if (!update.equals(sorted.get(sorted.size() - 1))) {
            update = history.renumber(update, Revisions.next(sorted));
        }
        return SetRevisions.of(set, sorted, update, collisionCount);
    }

    /** Reconcile again when the next ready pod becomes available: no event reports that. */
    private static Result nextCheck(StatefulSet set, StatefulSetStatus status, List<Pod> pods, Instant now) {
        int minReadySeconds = Numbers.orZero(set.getSpec().getMinReadySeconds());
        if (minReadySeconds <= 0
                || Numbers.orZero(status.getReadyReplicas()) == Numbers.orZero(status.getAvailableReplicas())) {
            return Result.done();
        }
        return Result.requeueAfter(
                Pods.untilNextAvailable(pods, minReadySeconds, now).orElse(Duration.ofSeconds(minReadySeconds)));
    }
}
