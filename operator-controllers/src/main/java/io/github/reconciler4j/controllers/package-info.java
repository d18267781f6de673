/**
 * Kubernetes' own controllers, written with this framework.
 *
 * <p>{@link KubernetesControllers} has them by name. Each has a package of its own below {@code internal}, with a class that
 * declares it, a reconciler that reads and writes, and classes that decide without a client.
 */
@NullMarked
package io.github.reconciler4j.controllers;

import org.jspecify.annotations.NullMarked;
