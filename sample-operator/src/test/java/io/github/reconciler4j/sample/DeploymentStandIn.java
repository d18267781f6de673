package io.github.reconciler4j.sample;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.Patch;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;

/**
 * Stands in for the controllers and nodes of a cluster where there are none: reports of every Deployment that all its pods
 * are available. There are no pods.
 */
final class DeploymentStandIn implements ObjectReconciler<Deployment> {

    private final Client client;

    DeploymentStandIn(Client client) {
        this.client = client;
    }

    @Override
    public Result reconcile(Deployment deployment, ReconcileContext context) {
        int replicas = deployment.getSpec().getReplicas();
        Deployment after = new DeploymentBuilder(deployment)
                .withNewStatus()
                .withObservedGeneration(deployment.getMetadata().getGeneration())
                .withReplicas(replicas)
                .withUpdatedReplicas(replicas)
                .withReadyReplicas(replicas)
                .withAvailableReplicas(replicas)
                .endStatus()
                .build();
        client.status().patch(deployment, Patch.between(deployment, after));
        return Result.done();
    }
}
