/**
 * Kubernetes events ({@code events.k8s.io/v1}) about what an operator did.
 */
@NullMarked
package io.github.reconciler4j.recorder;

import org.jspecify.annotations.NullMarked;
