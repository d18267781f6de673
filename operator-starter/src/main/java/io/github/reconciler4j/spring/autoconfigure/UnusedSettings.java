package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.cluster.ClusterProvider;
import io.github.reconciler4j.cluster.Clusters;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.UnknownKindException;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of settings that are valid but probably have no effect: a kind with a misspelled name, or controllers for clusters that no
 * provider knows.
 */
final class UnusedSettings {

    private static final Logger LOG = LoggerFactory.getLogger(UnusedSettings.class);

    private final Manager manager;
    private final ReconcilerRegistry registry;

    UnusedSettings(Manager manager, ReconcilerRegistry registry) {
        this.manager = manager;
        this.registry = registry;
    }

    /** Warn of kinds that nothing declares and Kubernetes does not have. Only a reconciler that just reads them uses these. */
    void checkKinds(Set<String> names) {
        Set<KindName> declared = registry.kinds();
        KubernetesSerialization builtIn = new KubernetesSerialization();
        for (String name : names) {
            int slash = name.lastIndexOf('/');
            if (slash < 0) {
                continue; // refused earlier if nothing declares it
            }
            KindName kind = KindName.of(name.substring(0, slash), name.substring(slash + 1));
            if (!declared.contains(kind)
                    && !isRegistered(kind)
                    && builtIn.getRegisteredKubernetesResource(kind.apiVersion(), kind.kind()) == null) {
                LOG.warn(
                        "The property 'reconciler4j.cache.kinds[{}]' names a kind that no reconciler declares and that is no"
                                + " built-in kind of Kubernetes: check its spelling, or register its class with the Scheme bean if"
                                + " a reconciler only reads it. Declared kinds are {} (R4J-321)",
                        name,
                        declared.stream()
                                .map(each -> each.apiVersion() + "/" + each.kind())
                                .collect(Collectors.toCollection(TreeSet::new)));
            }
        }
    }

    private boolean isRegistered(KindName kind) {
        try {
            manager.options().scheme().kindOf(kind);
            return true;
        } catch (UnknownKindException e) {
            return false;
        }
    }

    /** Warn of controllers for other clusters if there are none, and {@link ClusterProvider}s neither. */
    void checkClusters(boolean hasProviders) {
        Set<String> elsewhere = registry.controllersElsewhere();
        if (!elsewhere.isEmpty()
                && !hasProviders
                && Clusters.of(manager).joined().isEmpty()) {
            LOG.warn(
                    "The controllers {} select other clusters only, and the manager has none yet: set"
                            + " 'reconciler4j.clusters.folder' or 'reconciler4j.clusters.secrets.enabled', define a"
                            + " ClusterProvider bean, or call Clusters.of(manager).add (R4J-328)",
                    elsewhere);
        }
    }
}
