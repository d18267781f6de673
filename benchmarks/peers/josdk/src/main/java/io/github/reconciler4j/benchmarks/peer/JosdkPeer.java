package io.github.reconciler4j.benchmarks.peer;

import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;

/** The works with the Java Operator SDK, without Spring. */
final class JosdkPeer {

    private JosdkPeer() {}

    /** Run it. */
    public static void main(String[] arguments) {
        Work work = Work.of(arguments);
        Operator operator = new Operator(configuration -> configuration
                .withKubernetesClient(new KubernetesClientBuilder().build())
                .withConcurrentReconciliationThreads(work.workers()));
        operator.register(reconciler(work));
        operator.start();
        // Its reconcilers run already. It has no cache without a reconciler.
        work.synced();
    }

    static Reconciler<?> reconciler(Work work) {
        if (work.kind() == Work.Kind.CONVERGE) {
            return new ConvergingReconciler(work);
        }
        if (work.isApplied()) {
            return new ApplyingReconciler(work);
        }
        return work.isAboutConfigMaps() ? new ConfigMapReconciler() : new ReadingReconciler(work);
    }
}
