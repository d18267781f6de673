/** The DaemonSet controller: {@code NodeFit} and {@code DaemonPlan} decide, {@code DaemonSetReconciler} reads and writes. */
@NullMarked
package io.github.reconciler4j.controllers.internal.daemonset;

import org.jspecify.annotations.NullMarked;
