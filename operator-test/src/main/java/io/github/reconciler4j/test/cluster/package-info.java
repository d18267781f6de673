/**
 * The cluster that a test runs against: an API server in this JVM, or a real one. {@code TestCluster} starts it, creates
 * namespaces, installs custom resource definitions and returns expectations; {@code TestClusterOptions} are its options.
 *
 * <p>The system property {@code reconciler4j.test.cluster} selects the cluster, so that the same tests run against the
 * server in this JVM, against etcd and kube-apiserver from a folder, or against a cluster of the kubeconfig.
 */
@NullMarked
package io.github.reconciler4j.test.cluster;

import org.jspecify.annotations.NullMarked;
