/**
 * The implementation of leader election. {@link io.github.reconciler4j.leaderelection.internal.Election} is the algorithm,
 * one step at a time and without threads. {@link io.github.reconciler4j.leaderelection.internal.LeaderElector} runs it on a
 * thread and notifies listeners. {@link io.github.reconciler4j.leaderelection.internal.LeaseFence} says at any moment whether
 * this replica may act as leader; start there. The lease is stored in a
 * {@link io.github.reconciler4j.leaderelection.internal.LeaseStore}, outside of tests in a Lease object.
 *
 * <p>For the {@code manager} package only.
 */
@NullMarked
package io.github.reconciler4j.leaderelection.internal;

import org.jspecify.annotations.NullMarked;
