/**
 * Kubernetes events ({@code events.k8s.io/v1}) about what an operator does.
 *
 * <p>{@link io.github.reconciler4j.recorder.EventRecorder} records them; a manager has one that reports in the name of the
 * controller of the calling thread. {@link io.github.reconciler4j.recorder.EventEntry} is for events with a related object or
 * annotations. {@link io.github.reconciler4j.recorder.EventOptions} sets the reporting domain and the limits.
 *
 * <p>Behind it, {@link io.github.reconciler4j.recorder.EventBroadcaster} has a bounded queue and one thread. It combines equal
 * events into series, limits different ones per controller and object, and writes the count of a series when it doubles, when
 * the series ends and at stop.
 */
@NullMarked
package io.github.reconciler4j.recorder;

import org.jspecify.annotations.NullMarked;
