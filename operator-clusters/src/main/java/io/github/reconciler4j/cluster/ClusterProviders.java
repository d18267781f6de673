package io.github.reconciler4j.cluster;

import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.Placement;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import java.time.Duration;

/**
 * Adds {@link ClusterProvider cluster providers} to a manager.
 *
 * <!-- snippet: ClusterUse -->
 * <pre>{@code
 * ClusterProviders.add(manager, KubeconfigSecrets.in(manager, "fleet"));
 * ClusterProviders.add(manager, KubeconfigFolder.of(Path.of("/etc/clusters")));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ClusterProviders {

    /** How many clusters of one provider join or leave at the same time. */
    private static final int CONCURRENT = 8;

    private static final Duration MAX_BACKOFF = Duration.ofMinutes(1);

    private ClusterProviders() {}

    /**
     * Let the clusters of a provider join and leave a manager. A definition that is not valid, or a name that another provider has
     * taken, is retried after at most a minute.
     *
     * <p>With sharding, each cluster joins on the replica that holds the shard of its name, unless
     * {@code ShardingOptions.dividedClusters} is false. Without sharding, it joins on every replica.
     *
     * @return the controller that does it, whose name is {@code clusters-} and the name of the provider
     * @throws IllegalArgumentException if the name of the provider is not valid or taken
     * @throws IllegalStateException if the manager is stopping or has stopped
     */
    public static Controller<String> add(Manager manager, ClusterProvider provider) {
        ClusterMembership membership = new ClusterMembership(manager, provider);
        Controller<String> controller = ControllerBuilder.forRequests("clusters-" + provider.name(), String.class)
                .source(provider.source())
                .requiredPermissions(provider.requiredPermissions().toArray(RequiredPermission[]::new))
                .reconciler(membership)
                .customizeOptions(options -> options.withPlacement(Placement.allReplicas())
                        .withMaxConcurrentReconciles(CONCURRENT)
                        .withBackoff(Duration.ofSeconds(1), MAX_BACKOFF))
                .addTo(manager);
        membership.setRequeue(controller.operations()::requeue);
        if (Clusters.of(manager).shard("").isPresent()) {
            manager.add(new DividedMembership(provider.name(), membership));
        }
        return controller;
    }
}
