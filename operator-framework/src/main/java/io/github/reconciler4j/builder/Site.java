package io.github.reconciler4j.builder;

import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.ClusterListener;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.scheme.Scheme;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where a controller works.
 *
 * @param other the cluster, null for that of the manager
 */
record Site(Manager manager, @Nullable Cluster other) {

    static Site home(Manager manager) {
        return new Site(manager, null);
    }

    /** Adds one controller for each selected cluster, now and whenever one joins. */
    static void addEach(
            Manager manager, Predicate<? super Cluster> clusters, Function<Site, Controller<?>> controller) {
        if (clusters.test(manager.home())) {
            manager.add(controller.apply(home(manager)));
        }
        manager.addClusterListener(new ClusterListener() {
            @Override
            public void joined(Cluster cluster) {
                if (clusters.test(cluster)) {
                    manager.add(controller.apply(new Site(manager, cluster)));
                }
            }
        });
    }

    String cluster() {
        return other == null ? "" : other.name();
    }

    Cache cache() {
        return other == null ? manager.cache() : other.cache();
    }

    Client client() {
        return other == null ? manager.client() : other.client();
    }

    Scheme scheme() {
        return manager.scheme();
    }
}
