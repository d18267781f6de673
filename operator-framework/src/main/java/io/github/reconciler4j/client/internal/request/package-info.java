/**
 * The way of a call from a client to the connection. {@code ClientCore} is what the parts of one client share;
 * {@code CallSender} passes a {@code Call} through interceptors, retries, the limits of the client and the write gate.
 * {@code ObjectCodec} converts objects to JSON and back, and {@code DryRunRecorder} reports what writes would change in observe
 * mode.
 */
@NullMarked
package io.github.reconciler4j.client.internal.request;

import org.jspecify.annotations.NullMarked;
