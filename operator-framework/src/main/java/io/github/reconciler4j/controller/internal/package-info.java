/**
 * The parts of a controller: what it has between one start and the next stop
 * ({@link io.github.reconciler4j.controller.internal.ControllerRun}), its sources and workers, the processing of one
 * request, the watchdog, and the reports to logs and metrics.
 */
@NullMarked
package io.github.reconciler4j.controller.internal;

import org.jspecify.annotations.NullMarked;
