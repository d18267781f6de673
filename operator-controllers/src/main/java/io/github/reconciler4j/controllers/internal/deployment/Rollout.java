package io.github.reconciler4j.controllers.internal.deployment;

import static io.github.reconciler4j.controllers.internal.deployment.DeploymentConditions.PROGRESSING;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.recorder.EventRecorder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One step of one Deployment towards its pod template and its size. What is decided is written to the ReplicaSets at
 * once; what is to be said about it is kept in a draft of the Deployment and written at the end, in one request.
 */
final class Rollout {

    private final Client client;
    private final EventRecorder events;
    private final Instant now;
    private final Deployment before;
    private final Deployment draft;
    private final NewReplicaSets newReplicaSets;
    private List<ReplicaSet> oldSets;
    private @Nullable ReplicaSet newSet;

    Rollout(Client client, EventRecorder events, Instant now, Deployment deployment, List<ReplicaSet> sets) {
        this.client = client;
        this.events = events;
        this.now = now;
        this.before = deployment;
        this.draft = new DeploymentBuilder(deployment)
                .withStatus(RolloutStatus.copyOfCurrent(deployment))
                .build();
        this.newReplicaSets = new NewReplicaSets(client, events, now, draft);
        this.newSet = ReplicaSets.findNew(deployment, sets).orElse(null);
        this.oldSets = new ArrayList<>(ReplicaSets.findOld(sets, newSet));
    }

    Result run() {
        try {
            step();
        } finally {
            writeStatus();
        }
        Optional<Duration> deadline = status().untilDeadline(RolloutStatus.current(draft));
        if (deadline.isEmpty() || draft.getMetadata().getDeletionTimestamp() != null) {
            return Result.done();
        }
        return deadline.get().isZero()
                ? Result.requeueWithBackoff()
                : Result.requeueAfter(deadline.get().plusSeconds(1));
    }

    private void step() {
        OptionalLong rollback = Rollback.requested(draft);
        if (draft.getMetadata().getDeletionTimestamp() != null) {
            adopt(newSet);
            draft.setStatus(status().counted());
            return;
        }
        notePause();
        if (isPaused()) {
            scale(rollback.isEmpty());
        } else if (rollback.isPresent()) {
            rollBack(rollback.getAsLong());
        } else if (wasScaled()) {
            scale(false);
        } else {
            switch (draft.getSpec().getStrategy().getType()) {
                case "RollingUpdate" -> roll();
                case "Recreate" -> recreate();
                default ->
                    throw new IllegalStateException(
                            "The strategy '" + draft.getSpec().getStrategy().getType() + "' is unknown");
            }
        }
    }

    /** Marks a pause and its end, so that the time of the pause does not count as lack of progress. */
    private void notePause() {
        DeploymentStatus status = draft.getStatus();
        if (!RolloutStatus.hasProgressDeadline(draft)
                || DeploymentConditions.hasReason(status, PROGRESSING, DeploymentConditions.TIMED_OUT)) {
            return;
        }
        boolean noted = DeploymentConditions.hasReason(status, PROGRESSING, DeploymentConditions.PAUSED);
        if (isPaused() && !noted) {
            progress("Unknown", DeploymentConditions.PAUSED, "Deployment is paused");
        } else if (!isPaused() && noted) {
            progress("Unknown", DeploymentConditions.RESUMED, "Deployment is resumed");
        }
    }

    private boolean isPaused() {
        return Boolean.TRUE.equals(draft.getSpec().getPaused());
    }

    /** Whether the size changed since the ReplicaSets were scaled: they remember the size they were scaled for. */
    private boolean wasScaled() {
        adopt(newSet);
        return ReplicaSets.active(ReplicaSets.all(oldSets, newSet)).stream()
                .map(set -> Revisions.number(set, Revisions.DESIRED_REPLICAS))
                .anyMatch(size -> size.isPresent() && size.getAsInt() != ReplicaSets.desired(draft));
    }

    private void scale(boolean cleanUp) {
        adopt(newSet);
        apply(ProportionalScaling.plan(draft, newSet, oldSets));
        if (cleanUp) {
            deleteExpired();
        }
        draft.setStatus(status().counted());
    }

    private void roll() {
        ReplicaSet target = findOrCreateNew();
        RollingUpdate arithmetic = RollingUpdate.of(draft);
        int size = arithmetic.newSize(oldSets, ReplicaSets.replicas(target));
        ScalePlan plan = ScalePlan.of(target, size);
        apply(plan.changesSizes() ? plan : arithmetic.shrinkOld(oldSets, target));
        finish();
    }

    private void recreate() {
        adopt(newSet);
        ScalePlan plan = Recreate.stopOld(oldSets);
        if (plan.changesSizes()) {
            apply(plan);
        } else if (!Recreate.oldPodsRun(oldSets, oldPods())) {
            apply(ScalePlan.of(findOrCreateNew(), ReplicaSets.desired(draft)));
        }
        finish();
    }

    private List<Pod> oldPods() {
        return oldSets.stream()
                .flatMap(set -> client.listOwned(set, Pod.class).stream())
                .toList();
    }

    private void finish() {
        DeploymentStatus status = status().ofRollout();
        draft.setStatus(status);
        if (RolloutStatus.isComplete(draft, status)) {
            deleteExpired();
        }
    }

    private void rollBack(long revision) {
        ReplicaSet current = findOrCreateNew();
        ReplicaSet target =
                Rollback.find(ReplicaSets.all(oldSets, current), revision).orElse(null);
        if (target == null) {
            events.warning(
                    before,
                    "DeploymentRollbackRevisionNotFound",
                    "Rollback",
                    revision == 0 ? "Unable to find last revision." : "Unable to find the revision to rollback to.");
        } else if (PodTemplates.areEqual(
                draft.getSpec().getTemplate(), target.getSpec().getTemplate())) {
            events.warning(
                    before,
                    "DeploymentRollbackTemplateUnchanged",
                    "Rollback",
                    "The rollback revision contains the same template as current deployment \""
                            + before.getMetadata().getName() + "\"");
        } else {
            Rollback.apply(draft, target);
            events.normal(
                    before,
                    "DeploymentRollback",
                    "Rollback",
                    "Rolled back deployment \"" + before.getMetadata().getName() + "\" to revision "
                            + Revisions.of(target).orElse(revision));
        }
        Rollback.clear(draft);
        Deployment wanted =
                new DeploymentBuilder(draft).withStatus(before.getStatus()).build();
        client.patch(before, ObjectPatch.lockedBetween(before, wanted)); // the change leads here again
    }

    private ReplicaSet findOrCreateNew() {
        if (newSet == null) {
            newSet = newReplicaSets.create(oldSets);
        } else {
            adopt(newSet);
        }
        return Objects.requireNonNull(newSet);
    }

    private void adopt(@Nullable ReplicaSet set) {
        if (set != null) {
            newSet = newReplicaSets.adopt(set, oldSets);
        }
    }

    private void apply(ScalePlan plan) {
        for (ScalePlan.Scale scale : plan.scales()) {
            replace(write(scale));
        }
    }

    private ReplicaSet write(ScalePlan.Scale scale) {
        ReplicaSet set = scale.replicaSet();
        ReplicaSet scaled = new ReplicaSetBuilder(set)
                .editSpec()
                .withReplicas(scale.replicas())
                .endSpec()
                .build();
        Revisions.annotateSizes(scaled, draft);
        ReplicaSet written = client.patch(set, ObjectPatch.between(set, scaled));
        if (scale.isChange()) {
            int size = ReplicaSets.replicas(set);
            events.normal(
                    before,
                    "ScalingReplicaSet",
                    "Scale",
                    "Scaled " + (size < scale.replicas() ? "up" : "down") + " replica set "
                            + set.getMetadata().getName() + " from " + size + " to " + scale.replicas());
        }
        return written;
    }

    private void replace(ReplicaSet written) {
        String name = written.getMetadata().getName();
        if (newSet != null && newSet.getMetadata().getName().equals(name)) {
            newSet = written;
        }
        oldSets.replaceAll(set -> set.getMetadata().getName().equals(name) ? written : set);
    }

    private void deleteExpired() {
        List<ReplicaSet> expired = Revisions.expired(draft, oldSets);
        expired.forEach(client::delete);
        oldSets = new ArrayList<>(oldSets);
        oldSets.removeAll(expired);
    }

    private RolloutStatus status() {
        return new RolloutStatus(draft, oldSets, newSet, now);
    }

    private void progress(String status, String reason, String message) {
        DeploymentConditions.set(draft.getStatus(), DeploymentConditions.of(PROGRESSING, status, reason, message, now));
    }

    /** Writes the status and the revision together: a request for the status may change annotations, too. */
    private void writeStatus() {
        Map<String, String> annotations = new HashMap<>(Revisions.annotations(before));
        String revision = Revisions.annotations(draft).get(Revisions.REVISION);
        if (revision != null) {
            annotations.put(Revisions.REVISION, revision);
        }
        Deployment after = new DeploymentBuilder(before)
                .editMetadata()
                .withAnnotations(annotations)
                .endMetadata()
                .withStatus(draft.getStatus())
                .build();
        client.status().patch(before, ObjectPatch.between(before, after));
    }
}
