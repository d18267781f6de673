/**
 * A real Kubernetes control plane for integration tests: etcd, kube-apiserver, kube-controller-manager, kube-scheduler
 * and kwok, run by {@code dev/kubernetes}.
 *
 * <ul>
 *   <li>{@link io.github.reconciler4j.test.kubernetes.RealKubernetesTest} hands a running one to a test class; the test
 *       classes of one JVM share it.
 *   <li>Nothing is skipped silently: where it cannot be had, the tests fail with advice.
 *   <li>An instance ends with the JVM, even if the JVM is killed.
 * </ul>
 */
@NullMarked
package io.github.reconciler4j.test.kubernetes;

import org.jspecify.annotations.NullMarked;
