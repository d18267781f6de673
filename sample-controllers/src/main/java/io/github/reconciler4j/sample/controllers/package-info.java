/**
 * Kubernetes' own Deployment, ReplicaSet, Endpoints and EndpointSlice controllers, written with this framework.
 *
 * <p>Each package has one reconciler, which reads and writes, and classes that decide without a client: start with
 * {@code deployment.RollingUpdate}, {@code replicaset.PodRanking}, {@code endpoints.Subsets} and
 * {@code endpointslice.SlicePlacement}. They are held against the originals: every case of Kubernetes' own tests of these
 * controllers is replayed against them, and the same histories are played on two control planes, one of them with these
 * controllers in place of its own.
 */
@NullMarked
package io.github.reconciler4j.sample.controllers;

import org.jspecify.annotations.NullMarked;
