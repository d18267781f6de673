package io.github.reconciler4j.test.kubernetes;

import java.util.Locale;

/** A process of the control plane. */
public enum KubernetesComponent {
    /** The store. While it is stopped or paused, the API server answers late and with errors. */
    ETCD,
    /** kube-apiserver. */
    APISERVER,
    /** kube-controller-manager: Deployments, garbage collection, namespaces, service accounts. */
    CONTROLLER_MANAGER,
    /** kube-scheduler: gives pods their node. */
    SCHEDULER,
    /** Stands in for the kubelets of two nodes: pods become ready, and go away when they are deleted. */
    KWOK;

    /** The name that {@code dev/kubernetes} knows. */
    String scriptName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
