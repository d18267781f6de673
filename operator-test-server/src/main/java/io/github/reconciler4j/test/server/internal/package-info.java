/**
 * The API server inside the JVM. Tests start it through {@code KubernetesServer.builder()}, which finds
 * {@code InMemoryServerProvider} as a service; nothing below this package is API.
 *
 * <p>A request passes through these packages: {@code http} receives it from a connection, {@code dispatch} authenticates,
 * authorizes and records it and injects faults, {@code rest} carries it out on the objects in {@code storage}, and
 * {@code render} writes the response. {@code registry} holds the kinds, {@code discovery} describes them.
 * {@code lifecycle} does what follows a write: it serves custom resources, empties namespaces and collects garbage.
 * The rules of Kubernetes that need no server are in {@code apimachinery}.
 */
@NullMarked
package io.github.reconciler4j.test.server.internal;

import org.jspecify.annotations.NullMarked;
