package io.github.reconciler4j.test.kubernetes;

import java.util.concurrent.CountDownLatch;

/** A JVM that has an instance and waits to be killed: prints the folder of its instance once that is ready. */
final class KubernetesHolder {

    private KubernetesHolder() {}

    public static void main(String[] arguments) throws InterruptedException {
        RealKubernetes kubernetes =
                RealKubernetes.start(RealKubernetesOptions.defaults().withOnly());
        System.out.println("folder " + kubernetes.kubeconfig().getParent());
        new CountDownLatch(1).await();
    }
}
