/**
 * The destination of measurements.
 *
 * <p>All parts report to an {@link io.github.reconciler4j.metrics.OperatorMetrics}, which
 * {@code ManagerOptions.withMetrics} sets; nothing is measured by default.
 * {@link io.github.reconciler4j.metrics.MicrometerMetrics} reports to Micrometer, which is an optional dependency. The names are
 * those of controller-runtime and client-go where these measure the same; docs/metrics.md lists them.
 */
@NullMarked
package io.github.reconciler4j.metrics;

import org.jspecify.annotations.NullMarked;
