/** Connects the lifecycle to leader election, or replaces it without one. */
@NullMarked
package io.github.reconciler4j.manager.internal.leadership;

import org.jspecify.annotations.NullMarked;
