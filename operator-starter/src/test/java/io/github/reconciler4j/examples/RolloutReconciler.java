package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.reconcile.Conditions;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Reconciler;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

@Reconciler(name = "rollouts", owns = Deployment.class)
class RolloutReconciler implements ObjectReconciler<Bucket> {

    private final Client client;
    private final Counter unavailable;

    RolloutReconciler(Client client, MeterRegistry registry) {
        this.client = client;
        this.unavailable = Counter.builder("bucket.unavailable")
                .description("Reconciliations that found no available replica")
                .register(registry);
    }

    @Override
    public Result reconcile(Bucket bucket, ReconcileContext context) {
        boolean available = client.get(
                        Deployment.class,
                        bucket.getMetadata().getNamespace(),
                        bucket.getMetadata().getName())
                .map(Deployment::getStatus)
                .map(DeploymentStatus::getAvailableReplicas)
                .filter(replicas -> replicas > 0)
                .isPresent();
        if (!available) {
            unavailable.increment();
        }
        client.status()
                .edit(
                        bucket,
                        changed -> Conditions.of(changed.getStatus().getConditions(), changed)
                                .set("Ready", available, available ? "Available" : "NoReplicas", null));
        return Result.done();
    }
}
