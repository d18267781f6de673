/** Divides the work of the components among the replicas of an operator. */
@NullMarked
package io.github.reconciler4j.manager.internal.sharding;

import org.jspecify.annotations.NullMarked;
