package io.github.reconciler4j.benchmarks.peer;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.List;

/**
 * Gives a WebApp an owned ConfigMap and a status with the observed generation, as the SDK's sample of web pages does: an
 * informer of the ConfigMaps, server-side apply if the actual one differs, and a patch of the status.
 */
@ControllerConfiguration
public final class ConvergingReconciler implements Reconciler<WebApp> {

    private final Work work;

    ConvergingReconciler(Work work) {
        this.work = work;
    }

    @Override
    public List<EventSource<?, WebApp>> prepareEventSources(EventSourceContext<WebApp> context) {
        return List.of(configMaps(context));
    }

    /** The informer of owned ConfigMaps. */
    static EventSource<?, WebApp> configMaps(EventSourceContext<WebApp> context) {
        return new InformerEventSource<>(
                InformerEventSourceConfiguration.from(ConfigMap.class, WebApp.class)
                        .build(),
                context);
    }

    @Override
    public UpdateControl<WebApp> reconcile(WebApp app, Context<WebApp> context) {
        ConfigMap desired = configMap(app);
        apply(desired, context);
        Long generation = app.getMetadata().getGeneration();
        boolean isObserved = app.getStatus() != null && generation.equals(app.getStatus().observedGeneration);
        // The SDK writes the status when this has returned, so the last one is counted a request too early.
        work.reconciled(app.getMetadata().getNamespace(), app.getMetadata().getName(), null);
        return isObserved ? UpdateControl.noUpdate() : UpdateControl.patchStatus(withStatus(app, generation));
    }

    /** Apply an owned ConfigMap if the actual one has other data. */
    static void apply(ConfigMap desired, Context<WebApp> context) {
        boolean isThere = context.getSecondaryResource(ConfigMap.class)
                .filter(actual -> desired.getData().equals(actual.getData()))
                .isPresent();
        if (!isThere) {
            context.getClient().resource(desired).forceConflicts().serverSideApply();
        }
    }

    private static WebApp withStatus(WebApp app, Long generation) {
        WebApp patch = new WebApp();
        patch.setMetadata(new ObjectMetaBuilder()
                .withNamespace(app.getMetadata().getNamespace())
                .withName(app.getMetadata().getName())
                .build());
        patch.setStatus(new WebApp.Status());
        patch.getStatus().observedGeneration = generation;
        return patch;
    }

    static ConfigMap configMap(WebApp app) {
        ConfigMap map = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(app.getMetadata().getNamespace())
                .withName(app.getMetadata().getName())
                .endMetadata()
                .withData(app.getSpec().files)
                .build();
        map.addOwnerReference(app);
        return map;
    }
}
