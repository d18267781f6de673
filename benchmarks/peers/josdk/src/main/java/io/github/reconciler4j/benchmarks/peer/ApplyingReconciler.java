package io.github.reconciler4j.benchmarks.peer;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.time.Duration;
import java.util.List;

/** The reconciler of the works that apply again and again. */
@ControllerConfiguration
public final class ApplyingReconciler implements Reconciler<WebApp> {

    private final Work work;

    ApplyingReconciler(Work work) {
        this.work = work;
    }

    @Override
    public List<EventSource<?, WebApp>> prepareEventSources(EventSourceContext<WebApp> context) {
        return List.of(ConvergingReconciler.configMaps(context));
    }

    @Override
    public UpdateControl<WebApp> reconcile(WebApp app, Context<WebApp> context) {
        ConfigMap desired = ConvergingReconciler.configMap(app);
        desired.getData().put("version", work.version());
        ConvergingReconciler.apply(desired, context);
        boolean again = work.reconciled(
                app.getMetadata().getNamespace(), app.getMetadata().getName(), app.getSpec().host);
        UpdateControl<WebApp> result = UpdateControl.noUpdate();
        return again ? result.rescheduleAfter(Duration.ofMillis(1)) : result;
    }
}
