package io.github.reconciler4j.benchmarks.peer;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;

/** The works that need an informer alone, with the one of fabric8. Its handler is the reconciler. */
final class InformerPeer {

    private InformerPeer() {}

    /** Run it. */
    public static void main(String[] arguments) {
        Work work = Work.of(arguments);
        @SuppressWarnings("resource") // until the process ends
        KubernetesClient client = new KubernetesClientBuilder().build();
        if (work.isAboutConfigMaps()) {
            client.configMaps().inAnyNamespace().inform(new Handler<>(work));
        } else {
            client.resources(WebApp.class).inAnyNamespace().inform(new Handler<>(work));
        }
        work.synced();
    }

    private record Handler<T extends HasMetadata>(Work work) implements ResourceEventHandler<T> {

        @Override
        public void onAdd(T object) {
            take(object);
        }

        @Override
        public void onUpdate(T before, T object) {
            take(object);
        }

        @Override
        public void onDelete(T object, boolean isUnknown) {}

        private void take(T object) {
            String host = object instanceof WebApp app ? app.getSpec().host : null;
            work.reconciled(
                    object.getMetadata().getNamespace(), object.getMetadata().getName(), host);
        }
    }
}
