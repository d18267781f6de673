/**
 * Health checks of the parts of an operator, and the responses to the probes of the kubelet.
 *
 * <p>A {@link io.github.reconciler4j.health.HealthCheck} reports on one part: whether it is alive, so that the process needs no
 * restart, and whether it is ready. {@link io.github.reconciler4j.health.HealthReport} runs all checks and never fails.
 * {@link io.github.reconciler4j.health.HealthEndpoint} turns a report into the responses of {@code /healthz} and
 * {@code /readyz}, in the format of the components of Kubernetes.
 *
 * <p>The checks of a manager and of its controllers are in {@code Manager.healthChecks}; {@code ManagedComponent.healthChecks}
 * and {@code Manager.addHealthCheck} add others.
 */
@NullMarked
package io.github.reconciler4j.health;

import org.jspecify.annotations.NullMarked;
