/**
 * The replacement for the kubelets of all nodes. {@code PodLife} decides the next status of a pod without a client, with the help of
 * {@code ContainerLife}; {@code KubeletReconciler} reads and writes.
 */
@NullMarked
package io.github.reconciler4j.test.fullcluster.internal.kubelet;

import org.jspecify.annotations.NullMarked;
