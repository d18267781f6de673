/**
 * Small tools that several packages share. They are not part of the public API: any release may change them.
 *
 * <p>{@link io.github.reconciler4j.support.TimeSource} is the clock, which tests replace.
 * {@link io.github.reconciler4j.support.Backoff} computes delays between attempts,
 * {@link io.github.reconciler4j.support.Nanos} converts durations without overflow.
 * {@link io.github.reconciler4j.support.Causes} searches the causes of exceptions.
 * {@link io.github.reconciler4j.support.Threads} creates and joins threads.
 * {@link io.github.reconciler4j.support.LogLimiter} bounds how often a cause is logged, and
 * {@link io.github.reconciler4j.support.KubernetesJson} holds the JSON mapper.
 */
@NullMarked
package io.github.reconciler4j.support;

import org.jspecify.annotations.NullMarked;
