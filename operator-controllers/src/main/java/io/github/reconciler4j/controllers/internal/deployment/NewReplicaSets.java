package io.github.reconciler4j.controllers.internal.deployment;

import static io.github.reconciler4j.controllers.internal.deployment.DeploymentConditions.PROGRESSING;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.controllers.internal.support.Claims;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Creates the ReplicaSet for the present pod template of a Deployment, and keeps its annotations. */
final class NewReplicaSets {

    private final Client client;
    private final EventRecorder events;
    private final Instant now;
    private final Deployment draft;

    /** Everything that is to be said about the Deployment is written into {@code draft}. */
    NewReplicaSets(Client client, EventRecorder events, Instant now, Deployment draft) {
        this.client = client;
        this.events = events;
        this.now = now;
        this.draft = draft;
    }

    /** Give the ReplicaSet the latest revision and the annotations of the Deployment. */
    ReplicaSet adopt(ReplicaSet set, List<ReplicaSet> oldSets) {
        ReplicaSet wanted = new ReplicaSetBuilder(set)
                .editSpec()
                .withMinReadySeconds(draft.getSpec().getMinReadySeconds())
                .endSpec()
                .build();
        Revisions.annotateNew(draft, wanted, Revisions.max(oldSets) + 1, Revisions.MAX_HISTORY_LENGTH);
        ReplicaSet adopted = client.patch(set, ObjectPatch.between(set, wanted));
        noteRevision(adopted);
        if (RolloutStatus.hasProgressDeadline(draft)
                && DeploymentConditions.find(draft.getStatus(), PROGRESSING).isEmpty()) {
            progress(
                    "True",
                    DeploymentConditions.NEW_REPLICA_SET_FOUND,
                    "Found new replica set \"" + set.getMetadata().getName() + "\"");
        }
        return adopted;
    }

    ReplicaSet create(List<ReplicaSet> oldSets) {
        ReplicaSet wanted = describe(oldSets);
        ReplicaSet created;
        try {
            created = client.create(wanted);
        } catch (AlreadyExistsException e) {
            ReplicaSet present =
                    client.live().get(ReplicaSet.class, ObjectKey.of(wanted)).orElse(null);
            if (isOurs(present)) {
                return adopt(Objects.requireNonNull(present), oldSets);
            }
            DeploymentStatus status = draft.getStatus();
            status.setCollisionCount(Numbers.orZero(status.getCollisionCount()) + 1); // makes another name
            throw e;
        } catch (RuntimeException e) {
            if (!Claims.isNamespaceTerminating(e)) {
                noteFailure(wanted, e);
            }
            throw e;
        }
        noteCreation(created);
        return created;
    }

    private boolean isOurs(@Nullable ReplicaSet present) {
        return present != null
                && DeploymentReconciler.isControlledBy(present, draft)
                && PodTemplates.areEqual(
                        present.getSpec().getTemplate(), draft.getSpec().getTemplate());
    }

    private ReplicaSet describe(List<ReplicaSet> oldSets) {
        String hash = PodTemplates.hash(
                draft.getSpec().getTemplate(), draft.getStatus().getCollisionCount());
        Map<String, String> labels = new HashMap<>();
        if (draft.getSpec().getTemplate().getMetadata() != null
                && draft.getSpec().getTemplate().getMetadata().getLabels() != null) {
            labels.putAll(draft.getSpec().getTemplate().getMetadata().getLabels());
        }
        labels.put(PodTemplates.HASH_LABEL, hash);
        int size = ReplicaSets.isRollingUpdate(draft)
                ? RollingUpdate.of(draft).newSize(oldSets, 0)
                : ReplicaSets.desired(draft);
        ReplicaSet set = new ReplicaSetBuilder()
                .withNewMetadata()
                .withNamespace(draft.getMetadata().getNamespace())
                .withName(PodTemplates.replicaSetName(draft.getMetadata().getName(), hash))
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withReplicas(size)
                .withMinReadySeconds(draft.getSpec().getMinReadySeconds())
                .withNewSelectorLike(draft.getSpec().getSelector())
                .addToMatchLabels(PodTemplates.HASH_LABEL, hash)
                .endSelector()
                .withNewTemplateLike(draft.getSpec().getTemplate())
                .editOrNewMetadata()
                .withLabels(labels)
                .endMetadata()
                .endTemplate()
                .endSpec()
                .build();
        OwnerReferences.setController(set, draft);
        Revisions.annotateNew(draft, set, Revisions.max(oldSets) + 1, Revisions.MAX_HISTORY_LENGTH);
        Revisions.annotateSizes(set, draft);
        return set;
    }

    private void noteCreation(ReplicaSet created) {
        String name = created.getMetadata().getName();
        int size = ReplicaSets.replicas(created);
        if (size > 0) {
            events.normal(draft, "ScalingReplicaSet", "Scale", "Scaled up replica set " + name + " from 0 to " + size);
        }
        noteRevision(created);
        if (RolloutStatus.hasProgressDeadline(draft)) {
            progress("True", DeploymentConditions.NEW_REPLICA_SET_CREATED, "Created new replica set \"" + name + "\"");
        }
    }

    private void noteFailure(ReplicaSet wanted, RuntimeException e) {
        String message =
                "Failed to create new replica set \"" + wanted.getMetadata().getName() + "\": " + e.getMessage();
        if (RolloutStatus.hasProgressDeadline(draft)) {
            progress("False", DeploymentConditions.CREATE_FAILED, message);
        }
        events.warning(draft, DeploymentConditions.CREATE_FAILED, "Create", message);
    }

    private void noteRevision(ReplicaSet set) {
        String revision = Revisions.annotations(set).get(Revisions.REVISION);
        if (revision != null) {
            Map<String, String> annotations = new HashMap<>(Revisions.annotations(draft));
            annotations.put(Revisions.REVISION, revision);
            draft.getMetadata().setAnnotations(annotations);
        }
    }

    private void progress(String status, String reason, String message) {
        DeploymentConditions.set(draft.getStatus(), DeploymentConditions.of(PROGRESSING, status, reason, message, now));
    }
}
