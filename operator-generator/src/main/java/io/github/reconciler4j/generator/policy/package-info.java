/**
 * Admission policies from annotations: {@link io.github.reconciler4j.generator.policy.PolicyGenerator} writes them, and checks
 * that the lowest version of Kubernetes knows what their expressions use.
 */
@NullMarked
package io.github.reconciler4j.generator.policy;

import org.jspecify.annotations.NullMarked;
