/** The StatefulSet controller: {@code StatefulSetStep} decides, {@code StatefulSetReconciler} reads and writes. */
@NullMarked
package io.github.reconciler4j.controllers.internal.statefulset;

import org.jspecify.annotations.NullMarked;
