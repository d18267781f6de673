/**
 * Clusters that join and leave an operator at runtime.
 *
 * <p>A {@link io.github.reconciler4j.cluster.ClusterProvider} says which clusters there are, for instance one for each {@link
 * io.github.reconciler4j.cluster.KubeconfigSecrets Secret with a label} or for each {@link
 * io.github.reconciler4j.cluster.KubeconfigFolder file of a folder}. {@link
 * io.github.reconciler4j.cluster.ClusterProviders#add ClusterProviders.add} adds it to a manager.
 *
 * <h2>Concurrency</h2>
 *
 * A provider is reconciled like objects are: a controller enqueues the names of clusters that its source reports, asks the
 * provider for the present definition of one, and adds or removes the cluster. The work queue never has one name reconciled
 * twice at the same time, so what is known of a name needs no lock, and a cluster that takes long to leave delays no other. A
 * failure is retried with a growing delay and keeps the cluster as it was.
 */
@Incubating
@NullMarked
package io.github.reconciler4j.cluster;

import io.github.reconciler4j.support.Incubating;
import org.jspecify.annotations.NullMarked;
