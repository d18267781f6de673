/** The PodDisruptionBudget controller: says how many pods may be evicted. */
@NullMarked
package io.github.reconciler4j.controllers.internal.disruption;

import org.jspecify.annotations.NullMarked;
