/**
 * Starts an operator against an API server inside this JVM and lets it reconcile, so that its JVM can keep what it has loaded
 * in a cache for later starts.
 */
@NullMarked
package io.github.reconciler4j.generator.training;

import org.jspecify.annotations.NullMarked;
