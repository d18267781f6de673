/** The nodes of a full cluster, as their kubelets and the node lifecycle controller keep them. */
@NullMarked
package io.github.reconciler4j.test.fullcluster.internal.nodes;

import org.jspecify.annotations.NullMarked;
