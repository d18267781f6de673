package io.github.reconciler4j.cluster;

import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cluster.ClusterProvider.Definition;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.Placement;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.RequiredPermission;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds {@link ClusterProvider cluster providers} to a manager.
 *
 * @since 0.1.0
 */
public final class ClusterProviders {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterProviders.class);

    /** How many clusters of one provider join or leave at the same time. */
    private static final int CONCURRENT = 8;

    private static final Duration MAX_BACKOFF = Duration.ofMinutes(1);

    private ClusterProviders() {}

    /**
     * Let the clusters of a provider join and leave a manager, on every replica. A definition that is not valid, or a name that
     * another provider has taken, is retried after at most a minute.
     *
     * @return the controller that does it, whose name is {@code clusters-} and the name of the provider
     * @throws IllegalArgumentException if the name of the provider is not valid or taken
     * @throws IllegalStateException if the manager is stopping or has stopped
     */
    public static Controller<String> add(Manager manager, ClusterProvider provider) {
        return ControllerBuilder.forRequests("clusters-" + provider.name(), String.class)
                .source(provider.source())
                .requiredPermissions(provider.requiredPermissions().toArray(RequiredPermission[]::new))
                .reconciler(new Membership(manager, provider))
                .customizeOptions(options -> options.withPlacement(Placement.allReplicas())
                        .withMaxConcurrentReconciles(CONCURRENT)
                        .withBackoff(Duration.ofSeconds(1), MAX_BACKOFF))
                .addTo(manager);
    }

    /** Adds and removes clusters. The work queue keeps two calls for one name apart. */
    private static final class Membership implements RequestReconciler<String> {

        private final Manager manager;
        private final ClusterProvider provider;

        /** The clusters of this provider that are in the manager, with the version of their definition. */
        private final Map<String, Joined> joined = new ConcurrentHashMap<>();

        private record Joined(Cluster cluster, Object version) {}

        Membership(Manager manager, ClusterProvider provider) {
            this.manager = manager;
            this.provider = provider;
        }

        @Override
        public Result reconcile(String name, ReconcileContext context) throws Exception {
            Optional<Definition> wanted = provider.find(name);
            Joined present = joined.get(name);
            if (present != null
                    && wanted.filter(each -> each.version().equals(present.version()))
                            .isEmpty()) {
                leave(name, present);
            }
            if (wanted.isPresent() && !joined.containsKey(name)) {
                Cluster cluster = manager.addCluster(name, wanted.get().config());
                joined.put(name, new Joined(cluster, wanted.get().version()));
                LOG.info("Cluster {} of {} has joined", name, provider.name());
            }
            return Result.done();
        }

        private void leave(String name, Joined present) {
            joined.remove(name);
            @Nullable Cluster known = manager.cluster(name).orElse(null);
            if (known == present.cluster()) {
                boolean ended = manager.removeCluster(name);
                LOG.info(
                        "Cluster {} of {} has left{}",
                        name,
                        provider.name(),
                        ended ? "" : "; a component of it has not ended yet");
            }
        }
    }
}
