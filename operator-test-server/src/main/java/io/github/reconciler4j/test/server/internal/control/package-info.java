/**
 * Control and observation of the server beside the Kubernetes API: fault rules and the request log. The API of these is in
 * {@code io.github.reconciler4j.test.faults} and {@code io.github.reconciler4j.test.request}.
 */
@NullMarked
package io.github.reconciler4j.test.server.internal.control;

import org.jspecify.annotations.NullMarked;
