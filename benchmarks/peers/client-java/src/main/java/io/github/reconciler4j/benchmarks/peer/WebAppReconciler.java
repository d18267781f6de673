package io.github.reconciler4j.benchmarks.peer;

import io.kubernetes.client.extended.controller.reconciler.Reconciler;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.extended.controller.reconciler.Result;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads the WebApp of a request and does the work. */
final class WebAppReconciler implements Reconciler {

    private final Work work;
    private final Lister<WebAppObject> apps;
    private final @Nullable Lister<V1ConfigMap> maps;
    private final GenericKubernetesApi<WebAppObject, WebAppObject.Items> appApi;
    private final GenericKubernetesApi<V1ConfigMap, V1ConfigMapList> mapApi;

    WebAppReconciler(
            Work work,
            Lister<WebAppObject> apps,
            @Nullable Lister<V1ConfigMap> maps,
            GenericKubernetesApi<WebAppObject, WebAppObject.Items> appApi,
            GenericKubernetesApi<V1ConfigMap, V1ConfigMapList> mapApi) {
        this.work = work;
        this.apps = apps;
        this.maps = maps;
        this.appApi = appApi;
        this.mapApi = mapApi;
    }

    @Override
    public Result reconcile(Request request) {
        WebAppObject app = apps.namespace(request.getNamespace()).get(request.getName());
        if (app == null) {
            return new Result(false);
        }
        try {
            if (maps != null) {
                converge(maps, app);
            }
        } catch (ApiException e) {
            return new Result(true);
        }
        boolean again = work.reconciled(request.getNamespace(), request.getName(), app.spec.host);
        return again ? new Result(true, Duration.ofMillis(1)) : new Result(false);
    }

    private void converge(Lister<V1ConfigMap> known, WebAppObject app) throws ApiException {
        V1ObjectMeta metadata = app.metadata;
        if (known.namespace(metadata.getNamespace()).get(metadata.getName()) == null) {
            mapApi.create(configMap(app)).throwsApiException();
        }
        Long generation = metadata.getGeneration();
        if (app.status == null || !generation.equals(app.status.observedGeneration)) {
            WebAppObject.Status status = new WebAppObject.Status();
            status.observedGeneration = generation;
            appApi.updateStatus(app, any -> status).throwsApiException();
        }
    }

    private static V1ConfigMap configMap(WebAppObject app) {
        V1ObjectMeta owner = app.metadata;
        return new V1ConfigMap()
                .metadata(new V1ObjectMeta()
                        .namespace(owner.getNamespace())
                        .name(owner.getName())
                        .addOwnerReferencesItem(new V1OwnerReference()
                                .apiVersion("apps.example.io/v1")
                                .kind("WebApp")
                                .name(owner.getName())
                                .uid(owner.getUid())
                                .controller(true)
                                .blockOwnerDeletion(true)))
                .data(app.spec.files);
    }
}
