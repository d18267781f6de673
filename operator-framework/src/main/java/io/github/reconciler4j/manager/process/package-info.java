/**
 * What connects a manager to its process: {@link io.github.reconciler4j.manager.process.ProbeServer} answers the probes of the kubelet, and
 * {@link io.github.reconciler4j.manager.process.ShutdownSignals} stops the manager when the process is to end.
 */
@NullMarked
package io.github.reconciler4j.manager.process;

import org.jspecify.annotations.NullMarked;
