package io.github.reconciler4j.benchmarks.peer;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.extended.controller.Controller;
import io.kubernetes.client.extended.controller.builder.ControllerBuilder;
import io.kubernetes.client.extended.controller.builder.DefaultControllerBuilder;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The works with the informers and the controller of the official Java client. */
final class ClientJavaPeer {

    private final Work work;
    private final SharedInformerFactory informers;
    private final GenericKubernetesApi<WebAppObject, WebAppObject.Items> apps;
    private final GenericKubernetesApi<V1ConfigMap, V1ConfigMapList> maps;

    private ClientJavaPeer(Work work) throws IOException {
        this.work = work;
        ApiClient client = Config.defaultClient();
        // As its examples do it: watches are read without a time limit.
        client.setHttpClient(
                client.getHttpClient().newBuilder().readTimeout(Duration.ZERO).build());
        informers = new SharedInformerFactory(client);
        apps = new GenericKubernetesApi<>(
                WebAppObject.class, WebAppObject.Items.class, "apps.example.io", "v1", "webapps", client);
        maps = new GenericKubernetesApi<>(V1ConfigMap.class, V1ConfigMapList.class, "", "v1", "configmaps", client);
    }

    /** Run it. */
    public static void main(String[] arguments) throws IOException {
        Work work = Work.of(arguments);
        ClientJavaPeer peer = new ClientJavaPeer(work);
        if (work.kind() == Work.Kind.CACHE) {
            peer.cache();
        } else {
            peer.control();
        }
    }

    private void cache() {
        SharedIndexInformer<?> informer = work.isAboutConfigMaps() ? configMaps() : webApps();
        informers.startAllRegisteredInformers();
        awaitSync(informer);
        work.synced();
    }

    private void control() {
        SharedIndexInformer<WebAppObject> webApps = webApps();
        DefaultControllerBuilder builder = ControllerBuilder.defaultBuilder(informers)
                .watch(queue -> ControllerBuilder.controllerWatchBuilder(WebAppObject.class, queue)
                        .withWorkQueueKeyFunc(ClientJavaPeer::request)
                        .build());
        WebAppReconciler reconciler;
        if (work.kind() == Work.Kind.CONVERGE) {
            SharedIndexInformer<V1ConfigMap> configMaps = configMaps();
            builder = builder.watch(queue -> ControllerBuilder.controllerWatchBuilder(V1ConfigMap.class, queue)
                            .withWorkQueueKeyFunc(ClientJavaPeer::request)
                            .withOnAddFilter(ClientJavaPeer::isOwned)
                            .withOnUpdateFilter((before, map) -> isOwned(map))
                            .withOnDeleteFilter((map, isUnknown) -> isOwned(map))
                            .build())
                    .withReadyFunc(() -> webApps.hasSynced() && configMaps.hasSynced());
            reconciler = new WebAppReconciler(
                    work, new Lister<>(webApps.getIndexer()), new Lister<>(configMaps.getIndexer()), apps, maps);
        } else {
            builder = builder.withReadyFunc(webApps::hasSynced);
            reconciler = new WebAppReconciler(work, new Lister<>(webApps.getIndexer()), null, apps, maps);
        }
        Controller controller = builder.withReconciler(reconciler)
                .withName("webapps")
                .withWorkerCount(work.workers())
                .build();
        ControllerBuilder.controllerManagerBuilder(informers)
                .addController(controller)
                .build()
                .run();
    }

    private SharedIndexInformer<WebAppObject> webApps() {
        return informers.sharedIndexInformerFor(apps, WebAppObject.class, 0);
    }

    private SharedIndexInformer<V1ConfigMap> configMaps() {
        return informers.sharedIndexInformerFor(maps, V1ConfigMap.class, 0);
    }

    private static Request request(KubernetesObject object) {
        return new Request(
                object.getMetadata().getNamespace(), object.getMetadata().getName());
    }

    /** The ConfigMaps of the work are named as their owners. */
    private static boolean isOwned(V1ConfigMap map) {
        var owners = map.getMetadata().getOwnerReferences();
        return owners != null && owners.stream().map(V1OwnerReference::getKind).anyMatch("WebApp"::equals);
    }

    private static void awaitSync(SharedIndexInformer<?> informer) {
        while (!informer.hasSynced()) {
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }
}
