/**
 * Annotations and events for applications with the Spring Boot starter.
 *
 * <p>{@link io.github.reconciler4j.spring.Reconciler @Reconciler} creates a controller for a bean,
 * {@link io.github.reconciler4j.spring.Watches @Watches} and {@link io.github.reconciler4j.spring.Index @Index} declare
 * watches and indexes, and {@link io.github.reconciler4j.spring.Permission @Permission} declares permissions.
 * {@link io.github.reconciler4j.spring.LeadershipEvent} and {@link io.github.reconciler4j.spring.OperatorFailedEvent} are
 * published in the application context.
 */
@NullMarked
package io.github.reconciler4j.spring;

import org.jspecify.annotations.NullMarked;
